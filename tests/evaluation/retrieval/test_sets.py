import pytest

from evaluation.retrieval.sets import SETS, SQUAD2_UNSEEN
from tests.evaluation.retrieval.written import write_data
from training.build.reading import SQUAD2_TEST


def test_the_articles_asked_about_are_those_that_training_held_back():
    assert SQUAD2_UNSEEN == SQUAD2_TEST


def test_a_two_hop_question_has_two_gold_passages_each_under_every_address_of_its_title(tmp_path):
    asked, *_ = SETS["hotpotqa"].questions(write_data(tmp_path))
    assert asked.gold == (frozenset({"hotpot-0", "2wiki-0"}), frozenset({"hotpot-1"}))


def test_two_kinds_of_question_have_no_answer_among_the_two_hop_passages(tmp_path):
    _, impossible, *false = SETS["hotpotqa"].questions(write_data(tmp_path))
    assert (impossible.gold, impossible.kind) == ((), "of another corpus")
    assert {(one.gold, one.kind) for one in false} == {((), "of a false premise")}
    assert len({one.text for one in false}) == len(false) >= 50


def test_only_questions_that_training_never_saw_are_asked(tmp_path):
    data = write_data(tmp_path)
    assert [question.text for question in SETS["squad2"].questions(data)] == [
        "Where did the gardener bury the silver compass?",
        "Which penicillin did Fleming discover in London?",
    ]
    [meeting] = SETS["qmsum"].questions(data)
    assert meeting.gold == (frozenset({"M1:1", "M1:2"}),)


def test_a_paragraph_that_several_questions_bring_is_searched_once(tmp_path):
    SETS["hotpotqa"].write(write_data(tmp_path), tmp_path / "out")
    assert len((tmp_path / "out" / "corpus.jsonl").read_text().splitlines()) == 5


def test_missing_data_says_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match="LECTORIUM_DATA"):
        SETS["squad2"].questions(tmp_path)
