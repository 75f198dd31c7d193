"""Scoring answers to questions in a reader's own words."""

from evaluation.natural import HALVES, history_of, natural_section, read_half, served, shares

ROW = {
    "id": "a1",
    "source": "sample-01",
    "kind": "why",
    "answerable": True,
    "answers": ["He left.", "It rained."],
    "also": ["Rain drove him away."],
}
NEAR = {"id": "a2", "source": "real-x", "kind": "near", "answerable": False}


def response(outcome, *texts, lead=0):
    sentences = [{"text": text, "lead": place == lead} for place, text in enumerate(texts)]
    return {"outcome": outcome, "sentences": sentences}


def test_an_answer_contains_all_that_is_wanted_or_what_answers_by_itself():
    assert served(ROW, response("grounded", "First.", "He left.", "It  rained.")).contains
    assert served(ROW, response("grounded", "Rain drove him away.")).contains
    assert not served(ROW, response("grounded", "He left.")).contains
    assert not served(ROW, response("refused")).contains


def test_an_answer_leads_with_its_first_sentence_or_the_lead_of_its_first_clip():
    assert served(ROW, response("grounded", "He left.", "And then.")).leads
    assert served(ROW, response("grounded", "Before.", "He left.", lead=1)).leads
    assert not served(ROW, response("grounded", "Before.", "And then.", "He left.")).leads


def test_shares_count_closest_passages_apart_from_answers():
    found = [
        served(ROW, response("grounded", "He left.", "It rained.")),
        served(ROW, response("closest_passage", "Rain drove him away.")),
        served(NEAR, response("closest_passage", "He left.")),
        served(NEAR, response("refused")),
    ]
    told = {name: (share.hits, share.total) for name, share in shares(found).items()}
    assert told["answered"] == (1, 2)
    assert told["answer or closest passage contains them"] == (2, 2)
    assert told["unanswerable answered"] == (0, 2)
    assert told["unanswerable met by a closest passage"] == (1, 2)
    assert "| why | 1 | 1 | 2 | 2 |" in natural_section({"dev": found}, "auto", "a corpus")


def test_every_row_of_both_halves_is_whole_and_the_halves_share_no_lecture():
    lectures = []
    for half in HALVES:
        rows = read_half(half)
        assert all(bool(row.get("answers")) is row["answerable"] for row in rows)
        assert all(role in ("user", "assistant") for row in rows for role, _ in history_of(row))
        lectures.append({row["source"] for row in rows})
    assert lectures[0].isdisjoint(lectures[1])
