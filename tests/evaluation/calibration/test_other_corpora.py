import json

import pytest

from evaluation.calibration.other_corpora import WRONG, PublicQuestion, on_other_corpora, read_hotpotqa, read_squad2
from lectorium.providers.stand_ins.hashing import HashingEmbedder


def lines(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_hotpotqa_gold_is_the_named_paragraphs_without_the_test_part(tmp_path):
    context = [{"title": "A", "sentences": ["One.", "Two."]}, {"title": "B", "sentences": ["Three."]}]
    row = {"question": "Which?", "context": context, "supporting_facts": [["A", 1]], "origin_split": "dev"}
    path = lines(tmp_path / "dev.jsonl", [row, row | {"question": "Tested?", "origin_split": "test"}])
    assert read_hotpotqa(path, 10) == [PublicQuestion("Which?", ("One. Two.",), ("Three.",))]


def test_squad2_gives_answerable_questions_with_other_passages_of_the_article(tmp_path):
    texts = [{"passage_id": f"a{n}", "title": "A", "text": f"Text {n}."} for n in range(WRONG + 3)]
    texts.append({"passage_id": "b0", "title": "B", "text": "Elsewhere."})
    row = {"question": "Which?", "title": "A", "passage_id": "a1", "is_impossible": False}
    questions = lines(tmp_path / "questions.jsonl", [row, row | {"question": "None?", "is_impossible": True}])
    (asked,) = read_squad2(questions, lines(tmp_path / "passages.jsonl", texts), 10)
    assert asked.gold == ("Text 1.",)
    assert asked.wrong == ("Text 0.", *(f"Text {n}." for n in range(2, WRONG + 1)))


def test_questions_are_spaced_evenly_up_to_the_limit(tmp_path):
    rows = [{"question": str(n), "context": [], "supporting_facts": [], "origin_split": "train"} for n in range(25)]
    drawn = read_hotpotqa(lines(tmp_path / "dev.jsonl", rows), 5)
    assert [question.question for question in drawn] == ["0", "5", "10", "15", "20"]


def test_shares_above_each_point_are_counted_for_gold_and_wrong_passages():
    asked = [
        PublicQuestion("the banyan tree", ("the banyan tree",), ("a silver compass", "work and its fruit")),
        PublicQuestion("the silver compass", ("nothing of it",), ("the silver compass",)),
    ]
    points = ((-1.0, 0.0), (0.9, 0.5), (1.0, 1.0))
    found = on_other_corpora(HashingEmbedder(), {"public": asked}, points)["public"]
    assert (found["questions"], found["gold"], found["wrong"]) == (2, 2, 3)
    assert found["at 0.50"] == {"gold_above": 0.5, "wrong_above": pytest.approx(1 / 3, abs=1e-3)}
    assert 0 <= found["auroc"] <= 1
