"""Sentences come one by one, whole, with their citations, and the same however the stream is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.stream.assembler import HOLD, Assembler
from chat.answering.domain.stream.gauntlet import Gauntlet
from tests.domain.streams import MINTED, NOISE, PROSE, cut, words


def sentences(pieces):
    """Return what a stream becomes: block, text and cited notes of each sentence."""
    gauntlet, assembler, drafted = Gauntlet(MINTED), Assembler(), []
    for piece in pieces:
        drafted += assembler.feed(gauntlet.feed(piece))
    drafted += assembler.feed(gauntlet.flush()) + assembler.flush()
    return drafted


def told(text):
    return [(sentence.block + sentence.text, sentence.numbers("note")) for sentence in sentences([text])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It lives [^1]. It never dies [^2].", [("It lives.", (1,)), ("It never dies.", (2,))]),
        ("It lives. [^1] It never dies.", [("It lives.", (1,)), ("It never dies.", ())]),
        ("[^2] says that it lives. So it is.", [("says that it lives.", (2,)), ("So it is.", ())]),
        ("Dr. Jones met J. S. Mill [^1]. He left.", [("Dr. Jones met J. S. Mill.", (1,)), ("He left.", ())]),
        ('"Is it so?" Arjuna asked him [^1].', [('"Is it so?" Arjuna asked him.', (1,))]),
        ("He paused … and went [^1]. Then…", [("He paused … and went.", (1,)), ("Then…", ())]),
        ("यदा यदा हि धर्मस्य ॥ ४.७ ॥ [^1] दृष्ट्वा तु", [("यदा यदा हि धर्मस्य ॥ ४.७ ॥", (1,)), ("दृष्ट्वा तु", ())]),
        ("一つ。[^1]二つ。[^2]", [("一つ。", (1,)), ("二つ。", (2,))]),
        ("It lives (so he said. Twice.) and dies not [^1].", [("It lives (so he said. Twice.) and dies not.", (1,))]),
        ("It **never** dies *at all* [^1].", [("It never dies at all.", (1,))]),
        ("It [^1] lives [^2], lives [^1].", [("It lives, lives.", (1, 2))]),
    ],
)
def test_where_sentences_end_and_what_they_cite(text, expected):
    assert told(text) == expected


def test_blocks_of_markdown_are_kept():
    text = (
        "## The soul\nIt lives [^1].\nIt is\none.\n\n- First [^2]\n- Second\n\n1. Work\n2. Rest\n\n> Said.\n\n---\nEnd."
    )
    assert told(text) == [
        ("## The soul", ()),
        ("It lives.", (1,)),
        ("It is one.", ()),
        ("- First", (2,)),
        ("- Second", ()),
        ("1. Work", ()),
        ("2. Rest", ()),
        ("> Said.", ()),
        ("End.", ()),
    ]
    assert [sentence.paragraph for sentence in sentences([text])] == [0, 1, 1, 2, 3, 4, 5, 6, 8]


def test_a_marker_that_stands_alone_is_no_citation_of_the_next_paragraph():
    assert told("It lives.\n\n[^1]\n\nIt never dies.") == [("It lives.", ()), ("It never dies.", ())]


@pytest.mark.parametrize(
    ("text", "inherited"),
    [
        ("It lives. It never dies [^1].", [(1,), ()]),
        ("It lives. It never dies. It is one. [^1] [^2]", [(1, 2), (1, 2), ()]),
        ("It lives [^1]. It never dies. It is one [^2].", [(), (2,), ()]),
        ("It lives [^1]. It never dies.", [(), ()]),
        ("It lives.\n\nIt never dies [^1].", [(), ()]),
        ("- It lives.\n- It never dies [^1].", [(), ()]),
        ("## It lives\nIt never dies [^1].", [(), ()]),
        ("It lives [action:1]. It never dies [verse:2].", [(2,), ()]),
    ],
)
def test_a_citation_covers_the_sentences_before_it_in_its_paragraph(text, inherited):
    assert [sentence.inherited for sentence in sentences([text])] == inherited


def test_only_so_many_sentences_wait_for_a_citation():
    gauntlet, assembler = Gauntlet(MINTED), Assembler()
    handed_on = assembler.feed(gauntlet.feed("It lives on and on. " * (HOLD + 3)))
    rest = assembler.feed(gauntlet.feed("[^1]")) + assembler.feed(gauntlet.flush()) + assembler.flush()
    assert [sentence.inherited for sentence in handed_on] == [(), ()]
    assert [sentence.inherited for sentence in rest] == [*[(1,)] * HOLD, ()]


def test_where_nothing_can_be_cited_no_sentence_waits():
    said = Assembler(hold=0).feed(
        Gauntlet(MINTED).feed("It lives on and on. It never dies, as he said so often there.")
    )
    assert [sentence.text for sentence in said] == ["It lives on and on."]


def test_a_sentence_is_handed_on_a_few_words_into_the_next():
    gauntlet, assembler = Gauntlet(MINTED), Assembler()
    text = "The soul is never born [^1]. It is never slain when the body"
    assert [sentence.text for sentence in assembler.feed(gauntlet.feed(text))] == ["The soul is never born."]


def test_a_marker_at_the_start_of_a_line_cites_it_however_the_stream_is_cut():
    text = "\n [1, 2] The soul lives on."
    assert sentences([text]) == sentences(list(text))
    assert [sentence.numbers("note") for sentence in sentences([text])] == [(1, 2)]


atoms = st.sampled_from(
    [*PROSE, *NOISE, ". ", "? ", "\n", "\n\n", "\n- ", "\n## ", "\n2. ", "( ", ") ", "॥ १ ॥ ", "Then he said"]
)
streams = st.lists(atoms, max_size=16).map(" ".join)


@given(streams, st.data())
def test_any_split_of_the_stream_gives_the_same_sentences(text, data):
    whole = sentences([text])
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8))
    assert sentences(cut(text, cuts)) == whole
    assert sentences(list(text)) == whole


@given(
    st.lists(
        st.sampled_from(["It lives.", "Dr. Jones [^1]", "so (he", "said).", "\n\n", "- item", "**bold**", "“Go.”"])
    )
)
def test_no_word_is_lost(parts):
    kept = words(" ".join(part.replace("[^1]", "") for part in parts))
    assert [word for sentence in sentences([" ".join(parts)]) for word in words(sentence.block + sentence.text)] == kept
