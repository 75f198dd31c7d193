"""What an answer that shows one side of a disagreement owes its reader, on plain values."""

import uuid
from dataclasses import replace

from chat.answering.answer_stream import make_citation
from chat.answering.domain.answer import AnswerSentence, markdown
from chat.answering.domain.evidence.conflicts import (
    Conflict,
    FactRules,
    KnownFact,
    KnownFacts,
    conflict_warnings,
    is_conflicting,
    left_out,
    with_both_sides,
    with_other_sides,
)
from chat.answering.domain.footnotes import mint
from corpus.domain.passage import Passage

NAMES = uuid.UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")


def passage(text, address="talk:1"):
    return Passage(uuid.uuid5(NAMES, text), uuid.uuid5(NAMES, address), "lecture", address, "A talk", text, "", 0)


def fact(content, evidence, *passages):
    return KnownFact(uuid.uuid5(NAMES, content), content, evidence, passages)


TALL = passage("Many trees stand here. The banyan is ninety feet tall. It is old.", "tall:1")
LOW = passage("The banyan is thirty feet tall. So it was measured.", "low:1")
ELSE = passage("Nobody came to the river.", "river:1")
HIGH = fact("The banyan is ninety feet tall.", "ninety feet", TALL)
SHORT = fact("The banyan is thirty feet tall.", "thirty feet tall", LOW)
HEIGHT = Conflict(uuid.uuid4(), "the banyan", (HIGH, SHORT), "Two measurements.")


def cited(one, words, n=1):
    start = one.text.index(words)
    return make_citation(one, (start, start + len(words)), n=n, verdict="supported")


def test_a_side_is_quoted_in_whole_sentences():
    (sentence,) = HIGH.quote.sentences
    assert sentence.text == "The banyan is ninety feet tall."
    assert TALL.text[slice(*HIGH.quote.span)] == sentence.text


def test_only_words_that_overlap_the_evidence_are_in_conflict():
    there, beside = cited(TALL, "The banyan is ninety feet tall."), cited(TALL, "It is old.")
    assert is_conflicting([HEIGHT], there.chunk_id, (there.char_start, there.char_end))
    assert not is_conflicting([HEIGHT], beside.chunk_id, (beside.char_start, beside.char_end))
    assert not is_conflicting([HEIGHT], ELSE.chunk_id, (there.char_start, there.char_end))
    assert not is_conflicting([], there.chunk_id, (there.char_start, there.char_end))


def test_evidence_in_two_overlapping_passages_is_known_in_both():
    again = passage("Before that. " + TALL.text, "tall:1")
    both = replace(HEIGHT, sides=(replace(HIGH, passages=(TALL, again)), SHORT))
    there = cited(again, "ninety feet")
    assert is_conflicting([both], there.chunk_id, (there.char_start, there.char_end))
    assert left_out([both], [there]) == [SHORT]


def test_one_side_cited_leaves_the_other_out_and_both_or_none_leave_nothing_out():
    one, other = cited(TALL, "ninety feet"), cited(LOW, "thirty feet tall", 2)
    assert left_out([HEIGHT], [one]) == [SHORT]
    assert left_out([HEIGHT], [other]) == [HIGH]
    assert left_out([HEIGHT], [one, other]) == []
    assert left_out([HEIGHT], [cited(ELSE, "Nobody")]) == []


def test_the_warning_names_the_citations_of_both_sides():
    (warning,) = conflict_warnings([HEIGHT], [cited(TALL, "ninety feet"), cited(LOW, "thirty feet tall", 2)])
    assert warning.type == "CONFLICTING_SOURCES"
    assert warning.message == "The sources disagree about the banyan: see [1] and [2]. Two measurements."
    assert warning.details == {"subject": "the banyan", "citations": [[1], [2]], "note": "Two measurements."}
    assert conflict_warnings([HEIGHT], [cited(ELSE, "Nobody")]) == []


def test_both_sides_become_notes_and_the_use_of_one_brings_the_other():
    notes = mint(with_both_sides([TALL, ELSE], [HEIGHT]))
    assert [note.passage for note in notes] == [TALL, ELSE, LOW]
    assert with_other_sides((1,), notes, [HEIGHT]) == (1, 3)
    assert with_other_sides((3, 2), notes, [HEIGHT]) == (3, 2, 1)
    assert with_other_sides((2,), notes, [HEIGHT]) == (2,)
    assert with_other_sides((), notes, [HEIGHT]) == ()


def test_background_has_the_surest_facts_and_no_side_of_a_conflict_without_the_other():
    facts = [fact(f"Fact {n}.", "Nobody", ELSE) for n in range(7)]
    told = KnownFacts((HIGH, *facts), (HEIGHT,)).background(FactRules(facts=2))
    assert told == (
        "Fact 0.",
        "Fact 1.",
        "Sources disagree: The banyan is ninety feet tall. / The banyan is thirty feet tall. Two measurements.",
    )


def test_markdown_says_which_sentences_are_in_conflict():
    plain = AnswerSentence("It is tall.", "factual", "supported", 1.0, (1,), True, 0)
    assert markdown([plain, replace(plain, conflicting=True)]) == (
        "It is tall. [1] It is tall. [1] (conflicting sources)"
    )
