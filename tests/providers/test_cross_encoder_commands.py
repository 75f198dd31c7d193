import json
import math

import pytest
from django.core.management import CommandError, call_command

from chat.management.commands.verify import judged
from lectorium.management.commands.rerank import Command, ranked
from lectorium.providers import registry
from lectorium.providers.cross_encoder import CrossEncoder
from lectorium.providers.errors import ServerFault
from lectorium.providers.protocols import Judgement
from lectorium.providers.windowing import QUERY_TOKENS


class AgreeableVerifier:
    name = "agreeable"

    def verify(self, pairs):
        return [
            Judgement("supported" if claim in evidence else "not_mentioned", 0.5, 0.0, (0, 3))
            for evidence, claim in pairs
        ]


class LengthReranker:
    name = "length"

    def rerank(self, question, passages):
        return [float(len(passage)) for passage in passages]


class FailingModel:
    """Answers while it is warmed and once more, then fails."""

    name = "failing"

    def __init__(self):
        self.asked = 0

    def _ask(self, texts, answer):
        self.asked += 1
        if self.asked > 2:
            raise ServerFault("failing: HTTP 503")
        return [answer] * len(texts)

    def rerank(self, question, passages):
        return self._ask(passages, 0.5)

    def verify(self, pairs):
        return self._ask(pairs, Judgement("not_mentioned", 0.5, 0.0, None))


class UnaskedModel:
    name = "unasked"

    def rerank(self, *texts):
        raise AssertionError("nothing is warmed before the files are known to be good")

    verify = rerank


class FixedReranker:
    name = "fixed"

    def __init__(self, *scores):
        self.scores = scores

    def rerank(self, question, passages):
        return list(self.scores[: len(passages)])


CLAIM = {"id": 1, "evidence": "It rained.", "claim": "It rained."}
ASKED = {"id": 1, "question": "?", "passages": ["a", "b"]}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def write(path, *lines):
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_each_claim_gets_one_verdict_in_order():
    rows = [{"id": n, "evidence": "The sky is blue.", "claim": claim} for n, claim in enumerate(["sky", "sea"] * 50)]
    found = list(judged(AgreeableVerifier(), rows))
    assert [row["id"] for row in found] == list(range(100))
    assert [row["verdict"] for row in found[:2]] == ["supported", "unsupported"]
    assert found[0]["evidence_span"] == "The"


def test_each_question_gets_one_score_a_passage():
    rows = [{"id": "a", "question": "?", "passages": ["x", "yy"]}]
    assert list(ranked(LengthReranker(), rows)) == [{"id": "a", "scores": [1.0, 2.0]}]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{not json", "line 2: not JSON"),
        ("[]", "line 2: expected an object with id, evidence, claim; got list"),
        ('{"id": 1, "claim": "x"}', "line 2: the field 'evidence' is missing"),
        ('{"id": 1, "evidence": ["x"], "claim": "x"}', "line 2: 'evidence' must be a string, not list"),
    ],
)
def test_a_bad_line_is_named_before_any_work_starts(tmp_path, line, message):
    source = write(tmp_path / "in.jsonl", '{"id": 0, "evidence": "a", "claim": "b"}', line)
    with pytest.raises(CommandError, match=message.replace("[", r"\[")):
        call_command("verify", str(source), str(tmp_path / "out.jsonl"))
    assert not (tmp_path / "out.jsonl").exists()


def test_the_help_says_what_of_a_long_question_counts():
    parser = Command().create_parser("manage.py", "rerank")
    assert f"longer than {QUERY_TOKENS} tokens the last {QUERY_TOKENS} count" in " ".join(parser.format_help().split())


def test_a_passage_that_is_no_string_is_named(tmp_path):
    good = '{"id": "q7", "question": "?", "passages": []}'
    source = write(tmp_path / "in.jsonl", good, "", '{"id": "q7", "question": "?", "passages": ["a", 3]}')
    with pytest.raises(CommandError, match=r"in\.jsonl, line 3: every passage must be a string"):
        call_command("rerank", str(source), str(tmp_path / "out.jsonl"))


@pytest.mark.parametrize(
    ("command", "row", "name"),
    [
        ("verify", CLAIM, "evidence"),
        ("verify", CLAIM, "claim"),
        ("verify", CLAIM, "id"),
        ("rerank", ASKED, "question"),
        ("rerank", ASKED, "passages"),
        ("rerank", ASKED, "id"),
    ],
)
def test_half_a_surrogate_pair_is_named_before_any_work_starts(tmp_path, command, row, name):
    registry.replace_model("verifier" if command == "verify" else "reranker", UnaskedModel())
    half = ["\ud800"] if name == "passages" else "\ud800"
    source = write(tmp_path / "in.jsonl", json.dumps(row), json.dumps({**row, name: half}))
    with pytest.raises(CommandError, match=r"in\.jsonl, line 2: .*half a surrogate pair"):
        call_command(command, str(source), str(tmp_path / "out.jsonl"))
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(("command", "role", "row"), [("verify", "verifier", CLAIM), ("rerank", "reranker", ASKED)])
def test_a_missing_output_folder_is_named_before_any_model_is_warmed(tmp_path, command, role, row):
    registry.replace_model(role, UnaskedModel())
    source = write(tmp_path / "in.jsonl", json.dumps(row))
    with pytest.raises(CommandError, match=r"out\.jsonl cannot be written: .*absent; create it first"):
        call_command(command, str(source), str(tmp_path / "absent" / "out.jsonl"))


@pytest.mark.parametrize(("command", "role", "row"), [("verify", "verifier", CLAIM), ("rerank", "reranker", ASKED)])
def test_a_model_that_fails_midway_is_told_plainly_and_nothing_is_written(tmp_path, command, role, row):
    registry.replace_model(role, FailingModel())
    source, target = write(tmp_path / "in.jsonl", *[json.dumps(row)] * 100), tmp_path / "out.jsonl"
    target.write_text("before", encoding="utf-8")
    with pytest.raises(CommandError, match=r"^failing: HTTP 503$"):
        call_command(command, str(source), str(target))
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl", "out.jsonl"}
    assert target.read_text(encoding="utf-8") == "before"


def test_small_scores_stay_apart(tmp_path):
    registry.replace_model("reranker", FixedReranker(1.25e-7, 3e-5, 2e-5))
    source = write(tmp_path / "in.jsonl", json.dumps({**ASKED, "passages": ["a", "b", "c"]}))
    call_command("rerank", str(source), str(tmp_path / "out.jsonl"))
    assert lines(tmp_path / "out.jsonl") == [{"id": 1, "scores": [1.25e-7, 3e-5, 2e-5]}]


def test_small_supports_stay_apart():
    class Doubting:
        def verify(self, pairs):
            return [Judgement("not_mentioned", 1.25e-7, 0.0, None)]

    assert [row["support"] for row in judged(Doubting(), [CLAIM])] == [1.25e-7]


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_not_finite_is_named_and_nothing_is_written(tmp_path, score):
    registry.replace_model("reranker", FixedReranker(0.5, score))
    source = write(tmp_path / "in.jsonl", json.dumps({**ASKED, "id": "q7"}))
    with pytest.raises(CommandError, match=rf"id 'q7': fixed scored passage 2 as {score}, which is not finite"):
        call_command("rerank", str(source), str(tmp_path / "out.jsonl"))
    assert not (tmp_path / "out.jsonl").exists()


def test_equal_ids_are_kept_in_order_and_no_passages_have_no_scores(tmp_path):
    rows = [
        {"id": "a", "question": "Who refused?", "passages": ["Iblis refused.", "It rained."]},
        {"id": "a", "question": "Who refused?", "passages": []},
        {"id": {"set": 1}, "question": "Who refused?", "passages": ["Nobody\u2028refused."]},
    ]
    source = write(
        tmp_path / "in.jsonl",
        *("\ufeff" * (n == 0) + json.dumps(row, ensure_ascii=False) for n, row in enumerate(rows)),
    )
    call_command("rerank", str(source), str(tmp_path / "out.jsonl"))
    assert lines(tmp_path / "out.jsonl") == [
        {"id": "a", "scores": [1.0, 0.0]},
        {"id": "a", "scores": []},
        {"id": {"set": 1}, "scores": [1.0]},
    ]


@pytest.mark.model
def test_rerank_writes_scores_from_the_shipped_model(tmp_path):
    passages = ["It rained all day.", "The king was crowned in the spring.", ""]
    asked = {"id": "a", "question": "When was the king crowned?", "passages": passages}
    source = write(tmp_path / "in.jsonl", json.dumps(asked), json.dumps({**asked, "passages": []}))
    call_command("rerank", str(source), str(tmp_path / "out.jsonl"))
    first, second = lines(tmp_path / "out.jsonl")
    assert max(first["scores"]) == first["scores"][1]
    assert min(first["scores"]) == first["scores"][2]
    assert second == {"id": "a", "scores": []}


@pytest.mark.model
def test_verify_writes_verdicts_from_the_shipped_model(tmp_path):
    source = write(
        tmp_path / "in.jsonl", '{"id": "a", "evidence": "It rained all day.", "claim": "It rained all day."}', ""
    )
    out = tmp_path / "out.jsonl"
    call_command("verify", str(source), str(out))
    found = lines(out)
    assert found[0]["id"] == "a"
    assert found[0]["verdict"] in {"supported", "contradicted", "unsupported"}
    assert 0 <= found[0]["support"] <= 1


def test_without_weights_the_command_says_what_to_do_and_writes_nothing(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    write(source, json.dumps({"id": 1, "evidence": "It rained.", "claim": "It rained."}))
    registry.replace_model("verifier", CrossEncoder(tmp_path / "elsewhere"))
    with pytest.raises(CommandError, match=r"There is no cross_encoder\.safetensors in elsewhere/"):
        call_command("verify", str(source), str(target))
    assert not target.exists()
