import pytest

from audit.domain.feedback import ANSWER, Target, claim_at, clip_of, kinds_for, target_of

CITED = {"n": 2, "kind": "lecture", "address": "A:1", "title": "A", "quote": "He rose.", "start": 1.5, "end": 2.0,
         "url": "/a/", "verdict": "supported", "speaker": "Ann"}  # fmt: skip
REFERENCE = {"n": 2, "chunk": "c", "content_hash": "h", "char_start": 3, "char_end": 11}
RESPONSE = {
    "outcome": "grounded",
    "sentences": [
        {"text": "He rose.", "citations": [1], "verdict": "supported"},
        {"text": "He rose.", "citations": [1, 2], "verdict": "partial"},
    ],
    "citations": [{**CITED, "n": 1, "quote": "Other."}, CITED],
    "references": [{**REFERENCE, "n": 1}, REFERENCE],
}


@pytest.mark.parametrize(
    ("citation", "claim", "target"),
    [
        (0, "", ANSWER),
        (1, "He rose.", Target(1, 1)),
        (2, "He rose.", Target(2, 2)),
        (3, "He rose.", None),
        (1, "He fell.", None),
        (1, "", None),
        (0, "He rose.", None),
    ],
)
def test_a_claim_is_known_by_its_words_and_its_citation(citation, claim, target):
    assert target_of(RESPONSE, citation, claim) == target


def test_what_may_be_said_depends_on_how_the_turn_ended():
    assert kinds_for("grounded", ANSWER) == ("helpful", "not_helpful")
    assert kinds_for("closest_passage", ANSWER) == ("helpful", "not_helpful", "in_sources")
    assert kinds_for("refused", ANSWER) == ("helpful", "in_sources")
    assert kinds_for("interrupted", ANSWER) == kinds_for("no_retrieval", ANSWER) == ()
    assert kinds_for("interrupted", Target(1, 1)) == ("not_said",)
    assert kinds_for("", ANSWER) == kinds_for("", Target(1, 1)) == ()


def test_the_clip_is_the_citation_as_shown_with_what_finds_it_again():
    clip = clip_of(RESPONSE, Target(2, 2))
    assert clip == {**{key: value for key, value in CITED.items() if key != "speaker"}, **REFERENCE}
    assert claim_at(RESPONSE, Target(2, 2))["verdict"] == "partial"


def test_a_whole_answer_has_no_clip_and_no_claim():
    assert clip_of(RESPONSE, ANSWER) == {}
    assert claim_at({}, ANSWER) == claim_at({}, Target(1, 1)) == claim_at(RESPONSE, Target(1, 3)) == {}
