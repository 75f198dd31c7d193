"""A model sees integers; only they come back."""

import json
from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.footnotes import compact, mint, minted
from chat.answering.domain.outline import Outline, OutlineFault, Thesis, parse_outline, ranked_outline
from corpus.domain.passage import Passage

PASSAGE = Passage(uuid4(), uuid4(), "lecture", "CW1:first_steps:9", "The First Steps", "It lives.", "hash", 0)
NOTES = mint([PASSAGE, replace(PASSAGE, kind="verse", text="Never born."), replace(PASSAGE, kind="library")])


def test_notes_are_numbered_from_one_and_anew_for_those_used():
    assert [note.alias for note in NOTES] == [1, 2, 3]
    kept = compact(NOTES, [3, 2, 3, 9])
    assert [(note.alias, note.passage.kind) for note in kept] == [(1, "library"), (2, "verse")]


def test_cards_stand_on_the_notes_they_can_show():
    known = minted(NOTES)
    assert (set(known.notes), set(known.verses), set(known.chapters)) == ({1, 2, 3}, {2}, {2, 3})


def test_an_outline_is_read_and_its_invented_notes_are_counted():
    text = '{"points": [{"thesis": "It  lives", "notes": [2, 7]}, {"thesis": "It sings", "notes": [8]}]}'
    assert parse_outline(text, {1, 2, 3}) == Outline((Thesis("It lives", (2,)),), invented=2)


def test_an_empty_outline_is_an_outline():
    assert parse_outline('{"points": []}', {1}).used == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Here you are: {}",
        "[]",
        "{}",
        '{"points": {}}',
        '{"points": [], "answer": "It lives"}',
        '{"points": [{"thesis": "a"}]}',
        '{"points": [{"thesis": "", "notes": [1]}]}',
        '{"points": [{"thesis": "a", "notes": ["1"]}]}',
        '{"points": [{"thesis": "a", "notes": [true]}]}',
        '{"points": [{"thesis": "a", "notes": [1], "more": 1}]}',
        "[" * 100_000,
    ],
)
def test_what_is_no_outline_is_said_to_be_none(text):
    with pytest.raises(OutlineFault):
        parse_outline(text, {1, 2})


@given(st.lists(st.lists(st.integers(-3, 9), max_size=4), max_size=9))
def test_an_outline_uses_only_what_was_minted(points):
    text = json.dumps({"points": [{"thesis": "a", "notes": notes} for notes in points]})
    assert set(parse_outline(text, {1, 2, 3}).used) <= {1, 2, 3}


def test_the_notes_of_the_theses_are_numbered_as_the_notes_kept_are():
    outline = Outline((Thesis("It lives", (3, 1)), Thesis("", (2,)), Thesis("It never dies", (2, 3))))
    kept = {note.alias: note.passage for note in compact(NOTES, outline.used)}
    first, second = outline.renumbered()
    assert (first.notes, second.notes) == ((1, 2), (3, 1))
    assert kept[1] == NOTES[2].passage


def test_without_a_model_every_note_is_used_as_ranked():
    assert ranked_outline(NOTES).used == (1, 2, 3)
