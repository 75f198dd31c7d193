import json

import pytest
from django.core.management import CommandError, call_command

from lectorium.management.commands.rerank import Command, ranked
from lectorium.management.commands.verify import judged
from lectorium.management.json_lines import read_objects
from lectorium.providers import registry
from lectorium.providers.cross_encoder import CrossEncoder
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
    source = write(tmp_path / "in.jsonl", '{"id": "q7", "question": "?", "passages": ["a", 3]}')
    with pytest.raises(CommandError, match="id 'q7': every passage must be a string"):
        call_command("rerank", str(source), str(tmp_path / "out.jsonl"))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"absent\.jsonl: cannot be read"):
        read_objects(tmp_path / "absent.jsonl", {"id": object})


@pytest.mark.model
def test_verify_writes_verdicts_from_the_shipped_model(tmp_path):
    source = write(
        tmp_path / "in.jsonl", '{"id": "a", "evidence": "It rained all day.", "claim": "It rained all day."}', ""
    )
    out = tmp_path / "out.jsonl"
    call_command("verify", str(source), str(out))
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
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
