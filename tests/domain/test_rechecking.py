"""How a citation made earlier stands today."""

from dataclasses import replace
from uuid import UUID

from chat.conversations.domain.rechecking import CitationStatus, CurrentPassage, Reference, recheck_citation

TEXT = "All is one. The soul is never born."
CITED = Reference(1, UUID(int=1), "hash", 12, 35, "The soul is never born.", "talk:2")
HERE = CurrentPassage(UUID(int=1), "hash", "talk:2", TEXT)


def standing(*passages, address_exists=True, cited=CITED):
    found = recheck_citation(cited, passages, address_exists=address_exists)
    return found.standing, found.now_at


def test_the_same_passage_with_the_same_words_is_unchanged():
    assert standing(HERE) == (CitationStatus.UNCHANGED, "")


def test_the_same_words_in_another_passage_have_moved():
    assert standing(replace(HERE, chunk_id=UUID(int=2))) == (CitationStatus.MOVED, "talk:2")
    assert standing(CurrentPassage(UUID(int=3), "x", "talk:7", f"First. {TEXT}")) == (CitationStatus.MOVED, "talk:7")


def test_of_several_that_have_the_words_the_one_at_its_address_is_named():
    elsewhere = CurrentPassage(UUID(int=3), "x", "other:1", TEXT)
    assert standing(elsewhere, replace(HERE, chunk_id=UUID(int=2))) == (CitationStatus.MOVED, "talk:2")


def test_other_words_at_its_address_are_a_change():
    assert standing(replace(HERE, content_hash="y", text="The soul is born.")) == (CitationStatus.CHANGED, "")


def test_neither_words_nor_address_is_withdrawn():
    assert standing(address_exists=False) == (CitationStatus.WITHDRAWN, "")


def test_a_span_that_does_not_hold_the_quote_is_not_trusted():
    assert standing(HERE, cited=replace(CITED, start=0, end=5)) == (CitationStatus.MOVED, "talk:2")
    assert standing(HERE, cited=replace(CITED, quote="The soul is born.")) == (CitationStatus.CHANGED, "")
