"""Guard 1. The worked examples are those of shared/seeds 002."""

import pytest

from curation.domain.facts.candidate import FactCandidate
from curation.domain.facts.grounding import ClaimObjection, SourceCheck, ground, opens_review

OFFICE = "Let's schedule the meeting for next Tuesday. I'll be joining from my home office in Bangalore."
MVP = "I think I should be done with the MVP by end of April, pretty confident."


def candidate(content, text, *, confidence=0.72, predicate="is", object_="x"):
    return FactCandidate("User", predicate, object_, content, (0, len(text)), confidence=confidence)


def check(text, verdict, *objections, label="not_mentioned", shared=0.0, has_numbers=False, **verifier):
    found = tuple(ClaimObjection(*said) for said in objections)
    verifier = {"support": 1.0 if verdict == "supported" else 0.0, **verifier}
    return SourceCheck(verdict, (0, len(text)), found, label, shared, has_numbers, **verifier)


def test_an_invented_employer_is_not_supported_and_dropped():
    said = check(OFFICE, "unsupported", ("terms", "name", "Google"), ("verifier", "not_mentioned"))
    found = ground(candidate("User works as a software developer at Google", OFFICE), OFFICE, said)
    assert (found.verdict, found.kept) == ("not_supported", False)
    assert "Google" in found.because


def test_an_invented_quantity_is_partial_and_rewritten_to_the_source():
    said = check(MVP, "contradicted", ("terms", "number", "95"), ("verifier", "contradicted"), shared=0.6)
    wrong = candidate("User will deliver the MVP by April 30 with 95% confidence", MVP, object_="April 30, 95%")
    found = ground(wrong, MVP, said)
    assert (found.verdict, found.kept, found.candidate.confidence) == ("partial", True, 0.52)
    assert found.candidate.content == MVP
    assert "95" not in f"{found.candidate.predicate} {found.candidate.object}"


def test_another_quantity_than_the_sources_is_contradicted():
    text = "The Gita has eighteen chapters."
    said = check(text, "contradicted", ("terms", "number", "twenty"), shared=1.0, has_numbers=True)
    assert ground(candidate("The Gita has twenty chapters.", text), text, said).verdict == "contradicted"


def test_a_past_habit_is_not_supported_as_a_present_fact():
    text = "I used to work at Volkswagen."
    said = check(text, "contradicted", ("wording", "tense", "works"), label="supported", shared=1.0)
    assert ground(candidate("User works at Volkswagen", text), text, said).verdict == "not_supported"
    assert ground(candidate("User worked at Volkswagen", text), text, check(text, "supported")).verdict == "supported"


def test_an_inferred_role_is_partial_until_the_source_says_it():
    text = "I met with Jordan and the VP today."
    said = check(text, "unsupported", ("verifier", "not_mentioned"), shared=1.0)
    assert ground(candidate("Jordan is the VP", text), text, said).verdict == "partial"
    stated = "Later the VP, Jordan, approved the budget."
    assert ground(candidate("Jordan is the VP", stated), stated, check(stated, "supported")).verdict == "supported"


@pytest.mark.parametrize(("confidence", "kept"), [(0.50, True), (0.49, False)])
def test_below_the_floor_a_partial_fact_is_dropped(confidence, kept):
    said = check(MVP, "unsupported", ("verifier", "not_mentioned"), shared=0.9)
    found = ground(candidate("User has an MVP", MVP, confidence=confidence), MVP, said)
    assert (found.verdict, found.kept) == ("partial", kept)


def test_a_hesitating_verifier_costs_less_confidence_than_an_objection():
    assert ground(candidate("User has an MVP", MVP), MVP, check(MVP, "partial")).candidate.confidence == 0.62


def test_evidence_beside_what_decides_is_replaced_by_it():
    text = "It rained. Kapila taught the Sankhya."
    wrong = FactCandidate("Kapila", "taught", "the Sankhya", "Kapila taught the Sankhya.", (0, 10))
    found = ground(wrong, text, SourceCheck("supported", (11, len(text)), (), "supported", 1.0, support=0.95))
    assert text[slice(*found.candidate.evidence)] == "Kapila taught the Sankhya."


def test_three_partials_in_a_row_open_a_review():
    assert opens_review(["partial"] * 3)
    assert not opens_review(["partial", "partial"])
    assert not opens_review(["partial", "supported", "partial", "partial"])


DOUBT = ("verifier", "not_mentioned")


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (check(MVP, "supported", support=0.9), "partial"),
        (check(MVP, "inferred", shared=0.1), "partial"),
        (check(MVP, "unsupported", DOUBT, label="supported", shared=0.1), "partial"),
        (check(MVP, "unsupported", DOUBT, shared=0.39), "not_supported"),
        (check(MVP, "unsupported", DOUBT, label="contradicted", shared=0.9, contradiction=0.79), "partial"),
        (check(MVP, "unsupported", DOUBT, label="contradicted", shared=0.9, contradiction=0.8), "contradicted"),
        (check(MVP, "unsupported", ("terms", "name", "Google"), shared=0.9, support=0.7), "partial"),
        (check(MVP, "unsupported", ("terms", "name", "Google"), shared=0.9, support=0.69), "not_supported"),
        (check(MVP, "contradicted", ("wording", "negation", "not"), shared=0.9, support=0.9), "contradicted"),
        (check(MVP, "contradicted", ("wording", "swapped", "a, b"), shared=0.9, support=0.9), "contradicted"),
    ],
    ids=[
        "not sure",
        "inferred",
        "hesitates",
        "other words",
        "contrary below",
        "contrary",
        "a name",
        "unborne",
        "denied",
        "swapped",
    ],
)
def test_what_is_doubted_is_stored_only_in_its_sources_words(said, verdict):
    found = ground(candidate("User has an MVP.", MVP), MVP, said)
    assert found.verdict == verdict
    assert not found.kept or found.candidate.content == MVP
