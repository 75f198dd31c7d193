import pytest
from django.core.management.base import CommandError

from chat.answering.domain.refusals import CLOSEST, LIKELY
from evaluation.natural import (
    HALVES,
    LATER,
    history_of,
    read_half,
    run_natural,
    score_response,
    shares,
    useful_against_wrong,
)
from evaluation.natural.report import natural_part
from evaluation.suites import natural

ROW = {
    "id": "a1",
    "source": "sample-01",
    "kind": "why",
    "answerable": True,
    "answers": ["He left.", "It rained."],
    "also": ["Rain drove him away."],
}
NEAR = {"id": "a2", "source": "real-x", "kind": "near", "answerable": False}


def response(outcome, *texts, lead=0, chance=0.5, message=""):
    sentences = [{"text": text, "lead": place == lead} for place, text in enumerate(texts)]
    return {"outcome": outcome, "message": message, "sentences": sentences, "confidence": chance, "warnings": []}


def test_an_answer_must_contain_all_answering_sentences_or_a_sufficient_one():
    assert score_response(ROW, response("grounded", "First.", "He left.", "It  rained.")).contains
    assert score_response(ROW, response("grounded", "Rain drove him away.")).contains
    assert not score_response(ROW, response("grounded", "He left.")).contains
    assert not score_response(ROW, response("refused")).contains


def test_an_answer_is_disputed_where_its_sources_are_said_to_disagree():
    said = response("grounded", "He left.") | {"warnings": [{"type": "CONFLICTING_SOURCES"}]}
    assert score_response(ROW, said).disputed
    assert not score_response(ROW, response("grounded", "He left.")).disputed


def test_an_answer_leads_with_its_first_sentence_or_the_lead_of_its_first_clip():
    assert score_response(ROW, response("grounded", "He left.", "And then.")).leads
    assert score_response(ROW, response("grounded", "Before.", "He left.", lead=1)).leads
    assert not score_response(ROW, response("grounded", "Before.", "And then.", "He left.")).leads


def test_closest_passages_are_not_counted_as_answers():
    found = [
        score_response(ROW, response("grounded", "He left.", "It rained.")),
        score_response(ROW, response("closest_passage", "Rain drove him away.")),
        score_response(NEAR, response("closest_passage", "He left.")),
        score_response(NEAR, response("refused")),
    ]
    told = {name: (share.hits, share.total) for name, share in shares(found).items()}
    assert told["answered"] == (1, 2)
    assert told["answer or closest passage contains them"] == (2, 2)
    assert told["unanswerable answered"] == (0, 2)
    assert told["unanswerable met by a closest passage"] == (1, 2)
    assert "| why | 1 | 1 | 2 | 2 |" in "\n".join(natural_part({"dev": found}, "auto", "a corpus", "curve"))


def test_closest_passages_that_are_said_to_answer_probably_are_counted_by_whether_they_do():
    found = [
        score_response(ROW, response("closest_passage", "Rain drove him away.", message=LIKELY)),
        score_response(ROW, response("closest_passage", "Rain drove him away.", message=CLOSEST)),
        score_response(NEAR, response("closest_passage", "He left.", message=LIKELY)),
        score_response(NEAR, response("refused")),
    ]
    told = {name: (share.hits, share.total) for name, share in shares(found).items()}
    assert told["closest passages said to answer probably that do"] == (1, 2)
    assert told["unanswerable, a closest passage said to answer probably"] == (1, 2)


def test_follow_ups_and_pairs_have_shares_of_their_own():
    asked = [
        (ROW | {"pair": 1}, "closest_passage", 0.4),
        (NEAR | {"pair": 1}, "refused", 0.1),
        (ROW | {"pair": 2}, "refused", 0.2),
        (NEAR | {"pair": 2}, "grounded", 0.9),
        (ROW | {"id": "b1", "pair": 2}, "grounded", 0.8),
        (NEAR | {"id": "b2", "pair": 2}, "refused", 0.3),
        (ROW | {"history": [{"question": "Who left?"}]}, "grounded", 0.8),
    ]
    found = [
        score_response(row, response(outcome, "Rain drove him away.", chance=chance)) for row, outcome, chance in asked
    ]
    told = {name: (share.hits, share.total) for name, share in shares(found).items()}
    assert told["follow-ups, the same"] == (1, 1)
    assert told["pairs whose answerable question is the likelier"] == (2, 3)


def test_the_part_of_several_sets_has_them_together_beside_the_goals():
    found = {"ninth": [score_response(ROW, response("refused"))], "tenth": [score_response(ROW, response("grounded"))]}
    lines = natural_part(found, "auto", "a corpus", "curve")
    assert "|  | ninth | tenth | together | goal |" in lines
    assert any(line.startswith("| unanswerable") for line in lines) is False
    assert any(line.startswith("| answer or closest passage") and line.endswith("| 0.90 |") for line in lines)


def test_questions_are_read_by_their_lectures():
    every, samples, real = (read_half("tenth_dev", lectures) for lectures in ("all", "samples", "real"))
    assert len(every) == len(samples) + len(real)
    assert {row["source"].split("-")[0] for row in samples} == {"sample"}
    assert {row["source"].split("-")[0] for row in real} == {"real"}


def test_a_set_without_questions_about_these_lectures_is_an_error_that_says_so():
    with pytest.raises(CommandError, match="No question of eleventh is about real lectures"):
        natural({"half": "eleventh", "lectures": "real", "mode": "auto"})


def test_a_higher_bar_shows_less_that_is_useful_and_less_that_is_wrong():
    found = [
        score_response(ROW, response("grounded", "Rain drove him away.", chance=0.95)),
        score_response(ROW, response("closest_passage", "Rain drove him away.", chance=0.55)),
        score_response(ROW, response("closest_passage", "Nothing.", chance=0.15)),
        score_response(NEAR, response("closest_passage", "He left.", chance=0.35)),
        score_response(NEAR, response("refused", chance=0.99)),
    ]
    told = {bar: (wrong, round(useful, 2)) for bar, wrong, useful in useful_against_wrong(found)}
    assert told[0.9] == (0, 0.33)
    assert told[0.5] == (0, 0.67)
    assert told[0.3] == (0.2, 0.67)
    assert told[0.0] == (0.4, 0.67)


async def test_the_earlier_turns_of_a_follow_up_are_asked_before_it_or_given_as_text(monkeypatch):
    asked = []

    async def ask(text, **more):
        asked.append((text, more.get("asked_before"), more.get("history")))
        return response("refused")

    monkeypatch.setattr("evaluation.natural.ask", ask)
    row = ROW | {"question": "Why?", "history": [{"question": "Who left?", "answer": "He did."}, {"question": "When?"}]}
    await run_natural([row], "auto", lambda: None)
    await run_natural([row], "auto", lambda: None, as_text=True)
    said = (("user", "Who left?"), ("assistant", "He did."), ("user", "When?"))
    assert asked == [("Why?", ("Who left?", "When?"), None), ("Why?", None, said)]


def test_rows_are_complete_and_the_halves_share_no_lecture():
    lectures = []
    for half in (*HALVES, *LATER):
        rows = read_half(half)
        assert all(bool(row.get("answers")) is row["answerable"] for row in rows)
        assert all(role in ("user", "assistant") for row in rows for role, _ in history_of(row))
        lectures.append({row["source"] for row in rows})
    assert lectures[0].isdisjoint(lectures[1])
