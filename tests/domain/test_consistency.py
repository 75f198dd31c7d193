"""Guard 2. The worked examples are those of shared/seeds 002."""

import uuid
from datetime import date

import pytest

from curation.domain.facts.consistency import PairReading, StoredFact, judge_by_reading, judge_by_words, signals_of
from curation.domain.facts.model_verdict import parse_verdict
from curation.facts.keys import words_key

SILENT = PairReading(0.0, 0.0)


def fact(subject, predicate, object_, day=None, **more):
    content = f"{subject} {predicate} {object_}"
    keys = (words_key(subject), words_key(predicate), words_key(object_))
    when = date.fromisoformat(day) if day else None
    return StoredFact(uuid.uuid4(), *keys, predicate, content, words_key(content), day=when, **more)


def judged(one, other, reading=SILENT):
    return judge_by_words(one, other) or judge_by_reading(one, other, reading)


def test_a_changed_employer_is_temporal_evolution_and_the_later_stays():
    old, new = fact("User", "works at", "Datakynd", "2025-06-10"), fact("User", "works at", "Arrive", "2026-04-05")
    assert signals_of(old, new, 0.0) == {"structural", "temporal"}
    found = judged(new, old)
    assert (found.verdict, found.kept) == ("temporal_evolution", new.id)


def test_two_databases_a_day_apart_are_a_contradiction():
    one, other = fact("Inbox3", "uses", "Supabase", "2026-04-01"), fact("Inbox3", "uses", "Neon", "2026-04-02")
    assert signals_of(one, other, 0.0) == {"structural"}
    assert judged(one, other).verdict == "contradiction"


def test_another_wording_that_the_verifier_supports_both_ways_is_equivalent():
    one = fact("The user", "prefers", "TypeScript", confidence=0.7)
    other = fact("The user", "likes to use", "TypeScript for new projects", confidence=0.9)
    found = judged(one, other, PairReading(0.9, 0.0))
    assert (found.verdict, found.kept) == ("equivalent", other.id)


def test_sarah_who_manages_a_team_and_her_workload_is_distinct():
    one, other = fact("Sarah", "manages", "the platform team"), fact("Sarah", "is managing", "her workload well")
    assert judged(one, other).verdict == "distinct"


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        (("Narendra", "was born in", "1863"), ("Narendra", "was born in", "1864"), "contradiction"),
        (("Narendra", "was born in", "1863"), ("Narendra", "was born in", "Calcutta"), "distinct"),
        (("Narendra", "was born in", "Calcutta"), ("Narendra", "was born in", "Calcutta in Bengal"), "distinct"),
        (("Valmiki", "composed", "the Ramayana"), ("The Ramayana", "was composed by", "Valmiki"), "equivalent"),
        (("Rama", "visited", "Lanka"), ("Lanka", "visited", "Rama"), "distinct"),
        (("The king", "has", "four sons"), ("The king", "has", "five sons"), "contradiction"),
        (("The king", "has", "four sons"), ("The king", "has", "two arms"), "distinct"),
        (("The soul", "is", "a traveller"), ("The soul", "is not", "a traveller"), "contradiction"),
        (("Kapila", "wrote", "the Sankhya"), ("Kapila", "wrote", "a letter"), "distinct"),
    ],
)
def test_words_decide_what_they_can(one, other, verdict):
    assert judged(fact(*one), fact(*other)).verdict == verdict


def test_what_is_true_for_good_never_evolves():
    one = fact("Narendra", "was born in", "Madras", "1896-01-01")
    assert judged(one, fact("Narendra", "was born in", "Calcutta", "1899-01-01")).verdict == "contradiction"


def test_an_editors_fact_is_kept_and_never_replaced_by_one_that_was_read():
    by_editor = fact("The head", "lives in", "Belur", "2020-01-01", is_editors=True, confidence=0.5)
    read = fact("The head", "lives in", "Almora", "2024-01-01")
    assert judged(by_editor, read).verdict == "contradiction"
    same = fact("The head", "lives in", "Belur", "2020-01-01")
    assert judged(same, by_editor).kept == by_editor.id


def test_opinions_of_two_people_do_not_contradict():
    one = fact("Kapila", "says that", "nature is eternal", kind="opinion", holder="Kapila")
    assert judged(one, fact("Vyasa", "says that", "nature is not eternal", kind="opinion", holder="Vyasa")).verdict == (
        "distinct"
    )


def test_other_numbers_are_never_equivalent_whatever_a_verifier_says():
    one, other = fact("The Gita", "is", "a book of 18 parts"), fact("The Gita", "is", "a work of 17 parts")
    assert judged(one, other, PairReading(1.0, 0.0)).verdict != "equivalent"


def test_people_who_share_a_name_are_not_one_and_a_title_makes_no_other():
    same = PairReading(1.0, 0.0)
    one = fact("Arun Gaya", "admires", "the old temple")
    assert judged(one, fact("Arun Belur", "admires", "the temple"), same).verdict == "distinct"
    assert judged(one, fact("Swami Arun Gaya", "admires", "the temple"), same).verdict == "equivalent"


def test_a_verifier_is_not_believed_where_a_predicate_may_have_several_values():
    contrary = PairReading(0.0, 0.99)
    assert judged(fact("Rani", "manages", "the press"), fact("Rani", "manages", "the school"), contrary).verdict == (
        "distinct"
    )
    assert judged(fact("The banyan", "is", "a tree"), fact("The banyan", "is", "a bush"), contrary).verdict == (
        "contradiction"
    )


def test_a_model_may_not_call_close_facts_evolved_and_prose_is_no_verdict():
    one, other = fact("Inbox3", "uses", "Supabase", "2026-04-01"), fact("Inbox3", "uses", "Neon", "2026-04-02")
    said = '{"verdict": "temporal_evolution", "because": "It moved."}'
    assert parse_verdict(said, one, other).verdict == "contradiction"
    assert parse_verdict("They disagree.", one, other) is None
    later = fact("Inbox3", "uses", "Neon", "2026-09-02")
    assert parse_verdict(said, one, later).kept == later.id
