import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.lexicon import names_in
from training.perturb import (
    add_detail,
    change_number,
    exchange,
    exchange_nouns,
    exchange_pronouns,
    negate,
    oppose,
    strengthen,
    swap_name,
    swap_peer,
)
from training.restate import restate
from training.text import as_speech, crop_around, detokenize, join_with_spans


class FewNames:
    """A lexicon of one name, which loads no model."""

    kin: dict[str, list[str]] = {}

    def other_name(self, name, near, rng):
        return "Nobody"


@pytest.fixture
def rng():
    return random.Random(1)


def test_a_name_inside_a_sentence_is_swapped(rng):
    change = swap_name("The lecture at Boston drew Margaret Noble.", "", FewNames(), rng)
    assert "Nobody" in change.text
    assert change.label == "contradicted"


def test_a_changed_number_differs(rng):
    for _ in range(50):
        change = change_number("He came in 1893 with 12 trunks.", "1894 and 13", FewNames(), rng)
        assert change.text != "He came in 1893 with 12 trunks."


def test_negations_are_added_and_removed(rng):
    assert negate("It is not so.", "", FewNames(), rng).text == "It is so."
    assert "not" in negate("It is so.", "", FewNames(), rng).text.replace("never", "not")


def test_opposites_and_peers_keep_the_capital(rng):
    assert oppose("Before noon.", "", FewNames(), rng).text == "After noon."
    assert swap_peer("Monday came.", "", FewNames(), rng).text.split()[0].istitle()


def test_some_becomes_all(rng):
    change = strengthen("Some men see it.", "", FewNames(), rng)
    assert change.text == "All men see it."
    assert change.label == "not_mentioned"


def test_a_detail_stays_before_the_full_stop(rng):
    change = add_detail("He went home.", "", FewNames(), rng)
    assert change.text.endswith(".")
    assert len(change.text) > len("He went home.")


def test_joined_names_are_not_exchanged(rng):
    assert exchange("It was Anna and Boris who came.", "", FewNames(), rng) is None


@given(st.text(max_size=200), st.integers(0, 99))
def test_restating_keeps_text_nonempty(text, seed):
    assert isinstance(restate(text, random.Random(seed)), str)


@given(st.text(max_size=200), st.integers(0, 99))
def test_speech_has_no_capitals_and_no_full_stops(text, seed):
    spoken = as_speech(text, random.Random(seed))
    assert spoken == spoken.lower()
    assert "." not in spoken


def test_a_sentences_first_word_is_only_a_name_if_it_recurs():
    assert names_in("Rain fell on Calcutta.") == ["Calcutta"]


def test_spans_of_joined_parts_match_the_text():
    text, spans = join_with_spans(["a b", "c", "d e"], {0, 2})
    assert [text[a:b] for a, b in spans] == ["a b", "d e"]


def test_a_crop_contains_its_span(rng):
    text = " ".join(f"Sentence number {n} stands here." for n in range(60))
    start = text.index("number 30")
    cropped, offset = crop_around(text, (start, start + 9), 20, rng)
    assert cropped[start - offset : start - offset + 9] == "number 30"
    assert len(cropped.split()) <= 30


def test_treebank_spacing_is_undone():
    assert detokenize("He said , `` no '' .") == 'He said, "no".'


def test_nouns_of_a_clause_are_exchanged(rng):
    change = exchange_nouns("The teacher gives the pupil a book.", "", None, rng)
    assert change.text == "The pupil gives the teacher a book."


def test_nouns_joined_by_and_are_not_exchanged(rng):
    assert exchange_nouns("The teacher and the pupil went home.", "", None, rng) is None


def test_subject_and_object_pronouns_are_exchanged(rng):
    change = exchange_pronouns("He told them to go home.", "", None, rng)
    assert change.text == "They told him to go home."


def test_restating_never_leaves_a_sentence_empty():
    for seed in range(50):
        assert restate("— said the man with the old hat —", random.Random(seed)).strip()
