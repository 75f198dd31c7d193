"""No reference that this turn did not mint is ever shown, and no word is ever lost, however the stream is cut."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.stream.gauntlet import Gauntlet
from chat.answering.domain.stream.tokens import DropReason, Marker, MintedMarkers, Prose
from tests.domain.streams import MINTED, NOISE, PROSE, ROUGH, UNRESOLVABLE, cut, markers, shown, through, words

streams = st.lists(st.sampled_from([*PROSE, *NOISE, *ROUGH]), max_size=14).map("".join)


def written(tokens):
    """Return tokens as one text, markers in angle marks."""
    return "".join(token.text if isinstance(token, Prose) else f"‹{token.kind} {token.number}›" for token in tokens)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The soul is eternal [^1].", "The soul is eternal‹note 1›."),
        ("It lives [^1,2] and [^1][^1].", "It lives‹note 1›‹note 2›."),
        ("From [^1-3] on.", "From‹note 1›‹note 2›‹note 3› on."),
        ("A [1], b 【2】, c [3].", "A‹note 1›, b‹note 2›, c‹note 3›."),
        ("A soul¹ and souls²,³.", "A soul‹note 1› and souls‹note 2›‹note 3›."),
        ("It never dies (1). It lives (2), he says.", "It never dies‹note 1›. It lives‹note 2›, he says."),
        ("Plato taught this (9). Kant denied it (2, 8).", "Plato taught this. Kant denied it‹note 2›."),
        ("He denied it (8) (9).", "He denied it."),
        ("He denied it (9)(see notes 8 and 9)", "He denied it"),
        ("He denied it (9) ([8], [9])", "He denied it"),
        ("He denied it (8) [^1].", "He denied it‹note 1›."),
        ("Both [^1] and [^2] agree.", "Both‹note 1›‹note 2› agree."),
        ("As note 3 says, it lives.", "As the note‹note 3› says, it lives."),
        ("It lives (see notes 1 and 2).", "It lives‹note 1›‹note 2›."),
        ("It lives [1](https://x.example/y).", "It lives‹note 1›."),
        ("See [Karma Yoga](https://x.example/y).", "See Karma Yoga."),
        ("It lives<sup>1</sup>. <b>Truly</b>.", "It lives‹note 1›. Truly."),
        ("It lives $^{2}$.", "It lives‹note 2›."),
        ("It says [verse:2] and [chapter:3].", "It says‹verse 2›‹chapter 3›."),
        ("Opening it [action:1].", "Opening it."),
        ("soul.[^1]The next", "soul.‹note 1› The next"),
        ("It lives `[^1]`.", "It lives‹note 1›."),
        ("<think>Shall I? [^1]</think>Yes [^2].", "Yes‹note 2›."),
        ("```text\nIt lives [^1].\n```", "\nIt lives‹note 1›.\n"),
        ("It lives [^1].\n\n**Sources:**\n[1] Karma Yoga\n- Another\n", "It lives‹note 1›.\n\n"),
        ("It lives.\n[^1]: Karma Yoga, page 3\nIt does.", "It lives.\nIt does."),
        ("¹² sons", "‹note 1›‹note 2› sons"),
        ("[[1]] and [[Krishna]]", "‹note 1› and [Krishna]"),
    ],
)
def test_what_the_habits_of_models_become(text, expected):
    assert written(through([text])[0]) == expected


@pytest.mark.parametrize("text", PROSE)
def test_a_number_that_may_be_prose_is_prose(text):
    assert shown(through([text])[0]) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a [^9]", DropReason.NEVER_MINTED),
        ("a [17]", DropReason.NEVER_MINTED),
        ("a (17).", DropReason.NEVER_MINTED),
        ("a [verse:1]", DropReason.UNKNOWN_CARD),
        ("a [chapter:2]", DropReason.UNKNOWN_CARD),
        ("a [action:4]", DropReason.UNFIRED_ACTION),
        ("a [^1", DropReason.MALFORMED),
        ("a [verse:x]", DropReason.MALFORMED),
        ("a [Source: Karma Yoga]", DropReason.MALFORMED),
        ("a [^1][^1]", DropReason.REPEATED),
        ("a INSUFFICIENT_EVIDENCE", DropReason.LEAKED),
        ("a 123e4567-e89b-12d3-a456-426614174000", DropReason.LEAKED),
        ("a <|im_end|>", DropReason.LEAKED),
        ("a https://x.example", DropReason.LINK),
        ("a <br>", DropReason.HTML),
        ("a ```", DropReason.FENCE),
        ("a\n[^1]: Karma Yoga", DropReason.FOOTNOTE_LIST),
    ],
)
def test_every_drop_is_logged_with_its_reason(text, reason):
    tokens, gauntlet = through([text])
    assert [dropped.reason for dropped in gauntlet.dropped] == [reason]
    assert words(shown(tokens)) == ["a"]


@pytest.mark.parametrize("text", ["It lives [^1", "It lives [", "It lives [ver", "It lives [12", "It lives 【1"])
def test_half_a_marker_is_never_shown(text):
    gauntlet = Gauntlet(MINTED)
    assert "".join(token.text for token in gauntlet.feed(text)).strip() in ("It", "It lives")
    assert shown(through([text])[0]).strip() == "It lives"


@given(streams, st.data())
def test_any_split_of_the_stream_gives_the_same_output(text, data):
    whole, at_once = through([text])
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8))
    for pieces in (cut(text, cuts), list(text)):
        tokens, piecewise = through(pieces)
        assert tokens == whole
        assert Counter(piecewise.dropped) == Counter(at_once.dropped)


def test_white_space_around_what_is_dropped_does_not_depend_on_the_cut():
    text = "It [of the Gītā]】 INSUFFICIENT_ naïve 6 【 3¹] <br> \\6 "
    assert through(list(text))[0] == through([text])[0]


@given(streams)
def test_nothing_unresolvable_is_shown(text):
    tokens, _ = through([text])
    assert not UNRESOLVABLE.search(shown(tokens))
    assert all(MINTED.holds(marker.kind, marker.number) for marker in markers(tokens))


@given(st.lists(st.sampled_from([*PROSE, *NOISE]), max_size=16))
def test_no_word_is_lost(atoms):
    kept = [atom for atom in atoms if atom in PROSE]
    assert words(shown(through([" ".join(atoms)])[0])) == words(" ".join(kept))


@pytest.mark.parametrize("text", ["He lived (1893).", "He taught (1) first, (2) second.", "As in (2.47).", "1. (2) So"])
def test_years_and_enumerations_in_round_brackets_stay_where_nothing_was_minted(text):
    assert shown(through([text], MintedMarkers(notes=()))[0]) == text


def test_a_note_cited_again_in_the_next_sentence_is_no_repetition():
    tokens, gauntlet = through(["It lives [^1]. It never dies [^1]."])
    assert markers(tokens) == [Marker("note", 1), Marker("note", 1)]
    assert not gauntlet.dropped
