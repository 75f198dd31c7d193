import json
from collections import Counter, defaultdict
from itertools import chain

import pytest
from django.conf import settings

from evaluation.escape.material import sha_of
from training.build.written import HERE, passages, written_questions
from training.rows import read_json_lines

LABELS = {"supported", "contradicted", "not_mentioned"}
CLAIMS = [row for path in sorted(HERE.glob("claims_*.jsonl")) for row in read_json_lines(path)]
QUESTIONS = [row for path in sorted(HERE.glob("questions*.jsonl")) for row in read_json_lines(path)]


@pytest.fixture(scope="module")
def texts():
    if not (settings.DATA_DIR / "lectures").is_dir():
        pytest.skip("The data is not here; point LECTORIUM_DATA at it.")
    return passages(settings.DATA_DIR)


def test_every_claim_has_a_label_and_every_false_claim_a_kind():
    assert {row["label"] for row in CLAIMS} == LABELS
    assert all(row["kind"] for row in CLAIMS if row["label"] != "supported")


def test_each_passage_has_true_and_false_claims():
    true = Counter(row["passage"] for row in CLAIMS if row["label"] == "supported")
    false = Counter(row["passage"] for row in CLAIMS if row["label"] != "supported")
    assert set(true) == set(false)
    assert all(abs(true[passage] - false[passage]) <= 1 for passage in true)


def test_length_does_not_reveal_the_label():
    true = [len(row["claim"].split()) for row in CLAIMS if row["label"] == "supported"]
    false = [len(row["claim"].split()) for row in CLAIMS if row["label"] != "supported"]
    assert abs(sum(true) / len(true) - sum(false) / len(false)) < 2


def test_of_each_pair_of_questions_one_has_an_answer_and_both_are_as_long():
    pairs = defaultdict(list)
    for row in QUESTIONS:
        if "pair" in row:
            pairs[row["passage"], row["pair"]].append(row)
    assert {tuple(sorted(row["answer"] is None for row in pair)) for pair in pairs.values()} == {(False, True)}
    lengths = Counter()
    for row in chain(*pairs.values()):
        lengths[row["answer"] is None] += len(row["question"])
    assert abs(lengths[True] - lengths[False]) < 2 * len(pairs)


def test_every_twin_has_an_answered_original_of_the_same_passage_and_is_about_as_long():
    answered = {(row["passage"], row["question"]) for row in QUESTIONS if row["answer"] is not None}
    twins = [row for row in QUESTIONS if "twin_of" in row]
    assert all(row["answer"] is None and (row["passage"], row["twin_of"]) in answered for row in twins)
    assert len({(row["passage"], row["twin_of"]) for row in twins}) == len(twins)
    longer = [len(row["question"]) - len(row["twin_of"]) for row in twins]
    assert abs(sum(longer) / len(longer)) < 2


def test_near_misses_without_a_twin_are_not_trained_on(texts):
    near = {row.question for row in written_questions(settings.DATA_DIR, 1) if row.kind == "near miss"}
    assert near == {row["question"] for row in QUESTIONS if row["answer"] is None and row.keys() & {"pair", "twin_of"}}


def test_passages_exist_and_contain_their_answers(texts):
    assert {row["passage"] for row in (*CLAIMS, *QUESTIONS)} <= set(texts)
    assert all(row["answer"] in texts[row["passage"]].text for row in QUESTIONS if row["answer"])


def test_evaluation_passages_have_no_written_rows(texts):
    golden = list(read_json_lines(settings.DATA_DIR / "golden" / "claims_dev.jsonl"))
    planted = list(read_json_lines(settings.BASE_DIR / "evaluation" / "escape" / "paraphrases.jsonl"))
    measuring = {sha_of(row["evidence"]) for row in golden} | {row["sha"] for row in planted}
    trained = {sha_of(texts[row["passage"]].text) for row in (*CLAIMS, *QUESTIONS)}
    assert not measuring & trained, json.dumps(sorted(measuring & trained))
