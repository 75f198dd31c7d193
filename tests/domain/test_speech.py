"""Who speaks, and what is no speech."""

import pytest

from corpus.domain.speech import NOISE, lifted
from corpus.domain.text.traced import whole


def spoken(*paragraphs):
    return [(speaker, words.text) for speaker, words in lifted([whole(paragraph) for paragraph in paragraphs])]


def test_a_label_that_recurs_is_a_speaker_and_not_part_of_the_words():
    assert spoken("Dr. Rao: Yes.", "STUDENT: Why?", "Dr. Rao: So.", "More.", "STUDENT: Oh.") == [
        ("Dr. Rao", "Yes."), ("Student", "Why?"), ("Dr. Rao", "So."), ("", "More."), ("Student", "Oh."),
    ]  # fmt: skip


def test_what_leads_one_paragraph_only_stays_in_the_text():
    assert spoken("Note: this is prose.", "http://example.org is one", "and so: on") == [
        ("", "Note: this is prose."), ("", "http://example.org is one"), ("", "and so: on"),
    ]  # fmt: skip


@pytest.mark.parametrize("noise", ["[Applause]", "[loud laughter]", "(laughter)", "(audience laughs)", "♪ la la ♪"])
def test_a_noise_is_known(noise):
    assert NOISE.fullmatch(noise)


@pytest.mark.parametrize("words", ["(the silence within)", "(inner silence)", "[the self]", "music", "(see note)"])
def test_words_in_brackets_are_words(words):
    assert not NOISE.search(words)
