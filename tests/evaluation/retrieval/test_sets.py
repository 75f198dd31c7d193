import json

import pytest

from evaluation.retrieval.sets import SETS, SQUAD2_UNSEEN
from tests.evaluation.retrieval.written import write_data
from training.build.reading import SQUAD2_TEST


def test_squad2_articles_are_those_held_back_from_training():
    assert SQUAD2_UNSEEN == SQUAD2_TEST


def test_a_two_hop_question_has_two_gold_passages_with_all_addresses(tmp_path):
    asked, *_ = SETS["hotpotqa"].questions(write_data(tmp_path))
    assert asked.gold == (frozenset({"hotpot-0", "2wiki-0"}), frozenset({"hotpot-1"}))


def test_the_two_hop_set_has_two_unanswerable_kinds(tmp_path):
    _, impossible, *false = SETS["hotpotqa"].questions(write_data(tmp_path))
    assert (impossible.gold, impossible.kind) == ((), "of another corpus")
    assert {(question.gold, question.kind) for question in false} == {((), "of a false premise")}
    assert len({question.text for question in false}) == len(false) >= 50


def test_only_questions_unseen_in_training_are_asked(tmp_path):
    data = write_data(tmp_path)
    assert [question.text for question in SETS["squad2"].questions(data)] == [
        "Where did the gardener bury the silver compass?",
        "Which penicillin did Fleming discover in London?",
    ]
    [meeting] = SETS["qmsum"].questions(data)
    assert meeting.gold == (frozenset({"M1:1", "M1:2"}),)


def test_shared_paragraphs_are_imported_once(tmp_path):
    SETS["hotpotqa"].write(write_data(tmp_path), tmp_path / "out")
    assert len((tmp_path / "out" / "corpus.jsonl").read_text().splitlines()) == 5


def test_the_test_part_alone_has_only_its_questions_paragraphs(tmp_path):
    data = write_data(tmp_path)
    SETS["hotpotqa_test"].write(data, tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out" / "corpus.jsonl").read_text().splitlines()]
    named = {row["_id"] for row in rows}
    assert named == {"hotpot-0", "hotpot-1", "hotpot-2", "hotpot-3", "2wiki-0"}
    first, *_ = SETS["hotpotqa_test"].questions(data)
    assert all(named & gold for gold in first.gold)


def test_missing_data_is_reported_with_a_remedy(tmp_path):
    with pytest.raises(FileNotFoundError, match="LECTORIUM_DATA"):
        SETS["squad2"].questions(tmp_path)
