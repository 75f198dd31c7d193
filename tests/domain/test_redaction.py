"""What an audit may keep of a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.domain.redaction import REDACTED, Redaction, redacted, redacted_trace, redacted_warnings

ALL, DETAILS, NOTHING = Redaction.ALL, Redaction.DETAILS, Redaction.NOTHING


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Write to ann.lee+x@example.org about karma", "Write to [e-mail] about karma"),
        ("See https://example.org/a?b=c and www.example.org now", "See [link] and [link] now"),
        ("Call +1 (555) 010-9999 please", "Call [number] please"),
        ("My card 4111-1111-1111-1111", "My card [number]"),
        ("I was born 1970-01-31", "I was born [number]"),
        ("What did @ann_lee ask?", "What did [name] ask?"),
    ],
)
def test_what_a_pattern_can_tell_to_be_private_is_left_out(text, kept):
    assert redacted(text, DETAILS) == kept


@pytest.mark.parametrize(
    "text", ["What does BG 2.13-15 say?", "John 11:35", "CW1 secret of work 3", "Was it 1893 or 1894?", "SB 10.14.8"]
)
def test_addresses_and_years_stay(text):
    assert redacted(text, DETAILS) == text


@given(st.text())
def test_all_keeps_nothing_and_nothing_keeps_all(text):
    assert redacted(text, ALL) == REDACTED
    assert redacted(text, NOTHING) == text


@given(st.text())
def test_what_is_redacted_twice_is_redacted_once(text):
    assert redacted(redacted(text, DETAILS), DETAILS) == redacted(text, DETAILS)


def trace(*texts):
    wordings = [{"text": text, "kind": "standalone"} for text in texts]
    return {"plan": {"wordings": wordings, "words": ["karma"], "addresses": ["bg 2 47"]}, "n": 1}


@pytest.mark.parametrize("how", [DETAILS, ALL])
def test_the_wordings_in_a_trace_are_redacted_and_their_words_go(how):
    kept = redacted_trace(trace("ann@example.org on karma", "karma"), how)
    assert "ann" not in str(kept)
    assert (kept["plan"]["words"], kept["plan"]["addresses"]) == ([], [])
    assert kept["n"] == 1


def test_an_earlier_look_is_redacted_like_the_last_and_what_means_its_words_goes_too():
    look = trace("ann@example.org on karma")
    look["plan"]["alternatives"] = {"karma": [["action"]]}
    kept = redacted_trace({**look, "looks": [look]}, DETAILS)
    assert "ann@" not in str(kept)
    assert [look["plan"]["alternatives"] for look in (kept, *kept["looks"])] == [{}, {}]


def test_a_trace_without_anything_private_stays_as_it_is():
    assert redacted_trace(trace("What is karma?"), DETAILS) == trace("What is karma?")
    assert redacted_trace({"lost": True}, ALL) == {"lost": True}


def test_text_under_a_name_that_nobody_vouches_for_is_redacted_at_any_depth():
    told = {
        "text": "ann",
        "kind": "factual",
        "claims": [{"evidence_span": "ann", "support": 0.5, "verdict": "partial"}],
    }
    kept = redacted_trace({"writing": [{"verifier": "overlap", "sentences": [told], "one_day": {"x": ["ann"]}}]}, ALL)
    assert "ann" not in str(kept)
    (sentence,) = kept["writing"][0]["sentences"]
    assert (sentence["kind"], sentence["claims"][0]["verdict"], sentence["claims"][0]["support"]) == (
        "factual",
        "partial",
        0.5,
    )


def test_a_warning_keeps_its_type_and_not_the_words_it_warns_of():
    warning = {"type": "UNVERIFIED_TERMS", "message": "The sources do not have ann.", "details": {"terms": ["ann"]}}
    assert redacted_warnings([warning], NOTHING) == [warning]
    (kept,) = redacted_warnings([warning], ALL)
    assert kept == {"type": "UNVERIFIED_TERMS", "message": REDACTED, "details": {"terms": [REDACTED]}}
