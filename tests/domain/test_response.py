"""The one response model: it reads what it wrote, also what an earlier version wrote."""

from uuid import uuid4

from chat.answering.domain.answer import AnswerCitation, AnswerSentence, AnswerWarning, Claim, NumberedCitation
from chat.answering.domain.response import OUTCOMES, TurnResponse
from chat.models import Turn

CLAIM = Claim("It is so.", "supported", 0.9, "It is so.")
SENTENCE = AnswerSentence("It is so.", "factual", "supported", 0.9, (1,), False, 0, (CLAIM,), block="- ")
PLACE = {"kind": "lecture", "address": "first:1", "title": "First", "quote": "It is so.", "url": "/lectures/1/"}
CITED = AnswerCitation(**PLACE, n=1, verdict="supported", chunk_id=uuid4(), chunk_hash="a1", char_start=0, char_end=9)


def a_response(**changed):
    values = {"id": uuid4(), "question": "Is it?", "sentences": (SENTENCE,), "citations": (CITED,)}
    return TurnResponse(**values | {"references": (CITED.reference,)} | changed)


def test_a_response_is_read_back_from_what_is_stored_of_it():
    written = a_response(
        warnings=(AnswerWarning("DEGRADED", "Mind.", {"mode": "auto"}),), validation={"a": 1, "b": 0.5}
    )
    read = TurnResponse.model_validate(written.as_dict())
    assert read.as_dict() == written.as_dict()
    assert read.sentences == written.sentences


def test_a_citation_leaves_without_the_passage_that_it_was_taken_from_and_the_reference_has_it():
    [cited], [reference] = (a_response().as_dict()[name] for name in ("citations", "references"))
    assert set(cited) == set(NumberedCitation.__dataclass_fields__)
    assert (reference["chunk"], reference["content_hash"]) == (str(CITED.chunk_id), "a1")


def test_a_row_of_an_earlier_version_is_read_and_what_it_lacks_is_empty():
    sentence = {"text": "So.", "kind": "factual", "verdict": "partial", "support": 0.7, "citations": [1]}
    row = {
        "id": str(uuid4()),
        "question": "Is it?",
        "outcome": "grounded",
        "reason": None,
        "sentences": [sentence | {"quoted": False, "paragraph": 0}],
        "citations": [{"n": 1, "quote": "So.", "address": "first:1", "verdict": "partial"}],
        "warnings": [{"type": "DEGRADED", "message": "Mind."}],
        "withheld": [{"reason": "uncited", "verdict": "unsupported"}],
        "forgotten": "a field that is gone",
    }
    read = TurnResponse.model_validate(row)
    assert (read.sentences[0].proof, read.citations[0].language, read.references, read.noted) == ("", "", (), False)


def test_its_outcomes_are_those_of_a_turn():
    assert list(OUTCOMES) == Turn.Outcome.values
