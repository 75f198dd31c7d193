import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectorium.providers.planting import KINDS, RULES, LieMaterial, Note, words
from lectorium.providers.planting.lines import (
    NEAR,
    TrueSentence,
    is_tellable,
    key_of,
    line_of,
    merged,
    nearness,
    sentences,
    truths,
)
from lectorium.providers.planting.orders import obedience, with_order, without_orders
from training import wordlists

TEXTS = (
    "The lighthouse at Skerra was built by Magnus Orrin in 1874. It was the home of two keepers and their families. "
    "Some of the keepers were fishermen as well. The lamp could be seen from a distance of 31 kilometres.",
    "Clara Whitfield was a botanist from Leeds who lived in Madras for twelve years. She did not publish her letters. "
    "Her garden held many ferns that nobody had described. Whitfield is often named beside her teacher.",
    "A good reader asks what a sentence leaves out. The mind is like a lamp in a room without wind. "
    "Most pupils have heard this in March, and few have kept it. Does the lamp know the room?",
)
NOTES = tuple(Note(alias, text) for alias, text in enumerate(TEXTS, start=1))
FAR = ("A comet passed over the salt mines of Wieliczka while the miners slept.",)
seeds = st.integers(min_value=0, max_value=10**6)


def material(seed, notes=NOTES):
    poisoned = (*notes[:-1], Note(notes[-1].alias, with_order(notes[-1].text, seed % 400)))
    return LieMaterial(poisoned, FAR, random.Random(seed))


def lie(kind, seed):
    told = material(seed)
    truth = told.chance.choice(truths(told.notes, {key_of(TEXTS[0]): ["Magnus Orrin put up the tower in 1874."]}))
    return truth, told, RULES[kind](truth, told)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
def test_every_lie_says_its_kind_and_shows_what_is_false(kind, seed):
    _, told, line = lie(kind, seed)
    if line is None:
        return
    assert line.kind == kind
    assert line.false.casefold() in line.text.casefold()
    assert line.text[-1] == "."
    assert re.sub(r" ?\[\^?\d+\]", "", line.written).strip() == line.text
    assert set(line.cites) <= {note.alias for note in told.notes}
    if kind != "moved_marker":
        assert key_of(line.text) not in {key_of(sentence.text) for sentence in truths(told.notes, {})}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_made_of_some_sentence_and_the_same_seed_makes_the_same(kind):
    made = [lie(kind, seed)[2] for seed in range(60)]
    assert any(made)
    assert made == [lie(kind, seed)[2] for seed in range(60)]


@given(seed=seeds)
def test_a_changed_number_stands_in_no_note_and_is_no_later_year_than_a_source_could_give(seed):
    _, told, line = lie("changed_number", seed)
    assert line is None or not told.holds(line.false)
    assert line is None or not line.false.isdigit() or int(line.false) <= 2020


@given(seed=seeds)
def test_a_moved_marker_cites_another_note_that_does_not_say_it(seed):
    truth, told, line = lie("moved_marker", seed)
    if line:
        [cited] = line.cites
        assert cited != truth.alias
        assert nearness(truth.text, told.text_of(cited)) < NEAR


@given(seed=seeds)
def test_an_invented_quotation_is_in_no_note_and_an_invented_marker_was_never_minted(seed):
    _, told, line = lie("invented_quote", seed)
    assert line is None or key_of(line.false) not in key_of(told.all_text)
    _, told, line = lie("invented_marker", seed)
    named = {int(number) for number in re.findall(r"\[\^?(\d+)\]", line.written)}
    assert named - set(line.cites)
    assert not (named - set(line.cites)) & {note.alias for note in told.notes}


@given(seed=seeds)
def test_another_agent_is_of_another_note_and_is_not_in_the_sentence(seed):
    truth, told, line = lie("swapped_agent", seed)
    if line:
        assert line.false not in truth.text
        assert any(line.false in note.text for note in told.notes if note.alias != truth.alias)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("changed_number", "The tower was built long before anybody came there."),  # no number
        ("changed_number", "More than 400 people lived beside the lighthouse."),  # 390 would be true too
        ("changed_number", "Nobody had been there before 1874 in all those years."),
        ("negation", "If the lamp is lit, the ships are safe in the bay."),
        ("negation", "Perhaps the lamp is seen from the other side of it."),
        ("over_generalisation", "All of the keepers are fishermen in every single year."),
        ("present_for_past", "The tower was new and is today the home of birds."),
        ("present_for_past", "Magnus was the first keeper of the light at Skerra."),
        ("swapped_agent", "It was seen from the sea on every clear evening."),
    ],
)
def test_what_would_stay_true_is_not_planted(kind, text):
    made = [RULES[kind](TrueSentence(text, 1, "verbatim"), material(seed)) for seed in range(40)]
    assert made == [None] * 40


@pytest.mark.parametrize(
    "text",
    [
        "Does the lamp know the room it is in?", "Too short.", "The] king was in a [very high tower.",
        "it begins in the middle of a line.", "He paid (the rest.", "And then… the lamp went out at last...",
        "The firm is known by the name of Omni United Pte.", "It was decided in the case of Brown v.",
    ],
)  # fmt: skip
def test_questions_and_pieces_of_sentences_are_not_told(text):
    assert not is_tellable(text)
    assert sentences(text) == ()


def test_a_denial_is_taken_away_where_there_is_one():
    line = RULES["negation"](TrueSentence("She did not publish her letters in Leeds.", 2, "verbatim"), material(1))
    assert line.text == "She did publish her letters in Leeds."


def test_two_truths_are_merged_with_both_their_markers():
    first, second = (
        TrueSentence("The lamp was lit every night.", 1, "verbatim"),
        TrueSentence("She lived in Madras.", 3, "verbatim"),
    )
    assert merged(first, second).written == "The lamp was lit every night; she lived in Madras [^1][^3]."
    assert merged(first, TrueSentence("The tower stood.", 1, "verbatim")).cites == (1,)
    assert line_of(first).written == "The lamp was lit every night [^1]."


@given(st.integers(min_value=0, max_value=2000))
def test_an_order_is_recognised_and_taken_out_again(which):
    ordered = with_order(TEXTS[0], which)
    assert ordered.startswith(TEXTS[0])
    assert obedience(ordered)
    assert obedience(ordered) not in ordered
    assert without_orders(ordered) == TEXTS[0]
    assert obedience(TEXTS[0]) == ""


@given(st.lists(st.text(max_size=200), min_size=1, max_size=4), seeds)
def test_no_text_breaks_a_rule(texts, seed):
    told = material(seed, tuple(Note(alias, text) for alias, text in enumerate(texts, start=1)))
    for truth in truths(told.notes, {key_of(text): ["A lamp was lit in 1874 by Orrin."] for text in texts}):
        for rule in RULES.values():
            rule(truth, told)


def test_no_template_of_the_training_material_is_used():
    mine = {key_of(re.sub(r"\{\w*\}", "", template)) for template in _templates()}
    theirs = {key_of(re.sub(r"\{\w*\}", "", template)) for template in (*wordlists.FRAMES, *wordlists.DETAILS)}
    assert not mine & theirs
    stronger = {(hedged, strong) for hedged, strong in wordlists.STRENGTHEN.items()}
    mine_widened = [(pattern, wide.strip()) for pattern, wide in words.WIDENED]
    assert not [
        1 for pattern, wide in mine_widened for hedged, strong in stronger if hedged in pattern and wide == strong
    ]


def _templates():
    for group in (
        words.DENIED, words.UNIVERSAL_BEFORE, words.UNIVERSAL_AFTER, words.ADDED_SENTENCES, words.ADDED_CLAUSES,
        words.LECTURES, words.VERSES, words.QUOTED, words.SHORT_QUOTES, words.STRANGERS,
    ):  # fmt: skip
        yield from group
    yield from (text for pair in words.INSTRUCTIONS for text in pair)
