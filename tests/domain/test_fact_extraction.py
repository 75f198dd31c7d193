from datetime import date

import pytest

from curation.domain.facts.candidate import SourceFacts
from curation.domain.facts.extraction import facts_in
from curation.domain.facts.model_lines import INCOMPLETE, PROSE, UNKNOWN_SPAN, parse_facts

TODAY = date(2026, 11, 25)
SOURCE = SourceFacts("Swami Vivekananda", date(1896, 1, 5), TODAY)


def fact(text):
    (found,) = facts_in(text, SOURCE)
    return found


@pytest.mark.parametrize(
    ("sentence", "kind", "subject", "predicate", "object_"),
    [
        ("Yoga is the restraint of the modifications of the mind.", "fact", "Yoga", "is the restraint of",
         "the modifications of the mind"),
        ("Dharma means that which upholds the world.", "fact", "Dharma", "means", "that which upholds the world"),
        ("The banyan is a tree of India.", "fact", "the banyan", "is", "a tree of India"),
        ("Ramakrishna was born in 1836.", "event", "Ramakrishna", "was born in", "1836"),
        ("But the Ramayana was composed by Valmiki.", "event", "the Ramayana", "was composed by", "Valmiki"),
        ("Valmiki composed the Ramayana.", "event", "Valmiki", "composed", "the Ramayana"),
        ("The Mahabharata has eighteen books.", "fact", "the Mahabharata", "has", "eighteen books"),
        ("The last book is called the book of heaven.", "fact", None, None, None),
        ("Kapila says that nature is three qualities in balance.", "opinion", "Kapila", "says that",
         "nature is three qualities in balance"),
        ("According to Kapila, nature is three qualities in balance.", "opinion", "Kapila", "according to",
         "nature is three qualities in balance"),
        ("I believe that religion is realization.", "opinion", "Swami Vivekananda", "believe that",
         "religion is realization"),
    ],
)  # fmt: skip
def test_plain_sentences_give_facts(sentence, kind, subject, predicate, object_):
    if subject is None:  # “the last” depends on another sentence
        assert list(facts_in(sentence, SOURCE)) == []
        return
    found = fact(sentence)
    assert (found.kind, found.subject, found.predicate, found.object) == (kind, subject, predicate, object_)
    assert found.evidence == (0, len(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "Is yoga the restraint of the mind?",
        "Perhaps yoga is a restraint of the mind.",
        "It is a tree of India.",
        "He was born in 1836.",
        "This teacher composed the book.",
        "You should know that yoga is a path.",
        "If the mind is a lake, thoughts are the waves.",
        "“Yoga is a path,” said the king.",
        "Let us say that yoga is a path.",
        "My teacher is a saint.",
    ],
)
def test_what_asks_hedges_or_depends_on_another_sentence_gives_nothing(sentence):
    assert list(facts_in(sentence, SOURCE)) == []


def test_the_span_is_that_of_the_sentence_and_an_opinion_has_its_holder():
    text = "Listen to me. Kapila says that nature is eternal. Is it so?"
    found = fact(text)
    assert text[slice(*found.evidence)] == "Kapila says that nature is eternal."
    assert found.holder == "Kapila"


def test_a_fact_begins_on_its_date_or_where_it_may_change_on_the_day_it_was_said():
    assert fact("Narendra was born on 12 January 1863.").valid_from == date(1863, 1, 12)
    assert fact("In 1893, Narendra visited the city of Chicago.").valid_from == date(1893, 1, 1)
    assert fact("Goodwin works at the press in Madras.").valid_from == SOURCE.day
    assert fact("Dharma means that which upholds the world.").valid_from is None


def test_a_date_in_the_future_is_no_beginning():
    assert fact("The temple was built in 2350.").valid_from is None


LINE = (
    '{"subject": "Kapila", "predicate": "taught", "object": "Sankhya", "content": "Kapila taught Sankhya.", '
    '"type": "event", "evidence": "Kapila taught the Sankhya", "valid_from": "%s", "confidence": 0.9}'
)
TEXT = "Long ago Kapila taught the Sankhya to Asuri."


def test_a_models_lines_are_facts_with_their_span():
    read = parse_facts(LINE % "0500-01-01", TEXT, TODAY)
    (found,) = read.candidates
    assert TEXT[slice(*found.evidence)] == "Kapila taught the Sankhya"
    assert (found.kind, found.confidence, found.valid_from) == ("event", 0.9, date(500, 1, 1))
    assert read.rejected == {}


def test_prose_unknown_spans_and_missing_fields_are_rejected_and_counted():
    prose = "Here are the facts I found:"
    unknown = (LINE % "").replace("Kapila taught the Sankhya", "Kapila founded the Sankhya")
    without_holder = (LINE % "").replace('"event"', '"opinion"')
    read = parse_facts("\n".join([prose, unknown, without_holder, LINE % "2999-01-01", "[1]"]), TEXT, TODAY)
    assert read.rejected == {PROSE: 2, UNKNOWN_SPAN: 1, INCOMPLETE: 1}
    assert [found.valid_from for found in read.candidates] == [None]  # it has not begun
