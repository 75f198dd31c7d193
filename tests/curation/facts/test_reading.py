"""Facts are read from sources, checked beside them, and stored only as far as their source says so."""

import json
from contextlib import nullcontext

import pytest
from django.db import connection

from audit.models import GuardMetric
from corpus.models import Chunk, Lecture
from corpus.selectors import passages
from corpus.services.publishing import source_withdraw
from curation.facts import reading
from curation.facts.keys import subject_key
from curation.facts.reading import due_chunks, facts_read, settle_queued
from curation.facts.selectors import fact_progress, grounding_counts, standing_facts
from curation.facts.services import review_close, review_open_if_due
from curation.facts.tasks import READING, read_facts
from curation.models import Fact, FactCheck, FactReading, SubjectReview
from curation.services import fact_supersede
from lectorium.providers import registry
from tests.curation.fact_rows import a_fact
from tests.curation.facts.readers import SupportingVerifier, UnreachableVerifier, model_for
from tests.factories import a_lecture, a_note, a_timed_lecture

pytestmark = pytest.mark.django_db

YOGA = "Yoga is the restraint of the modifications of the mind."
GITA = "The Gita has eighteen chapters."


def line(**changed):
    values = {
        "subject": "The Gita", "predicate": "has", "object": "eighteen chapters", "content": GITA, "type": "fact",
        "evidence": GITA, "confidence": 0.8,
    }  # fmt: skip
    return json.dumps(values | changed)


def test_plain_sentences_become_facts_with_their_words_and_moment():
    a_timed_lecture((YOGA, 0, 4), ("Is it so?", 4, 6), (GITA, 6, 9), key="talk")
    assert read_facts() == "1 sources read, 2 facts stored, 0 blocked"
    metrics = dict(GuardMetric.objects.values_list("metric", "total"))
    assert metrics == {"guard1_block_rate": 2, "guard1_partial_rate": 2}
    gita = Fact.objects.get(subject="the Gita")
    assert (gita.evidence, gita.author, gita.grounding, gita.kind) == (GITA, "rules", "supported", "fact")
    found = standing_facts(passages(list(Chunk.objects.values_list("pk", flat=True))))
    assert {fact.subject for fact, _ in found} == {"Yoga", "the Gita"}
    assert grounding_counts() == {"supported": 2, "rejected": 0}


def test_only_what_changed_is_read_again_and_progress_is_counted():
    a_lecture(YOGA, key="one")
    a_lecture(GITA, key="two")
    assert next(iter(list(facts_read(budget=1))[-1:])).read == 1
    progress = fact_progress(due_chunks())
    assert (progress.passages, progress.passages_in_all, progress.sources, progress.sources_in_all) == (1, 2, 1, 2)
    assert read_facts().startswith("1 sources read")
    assert read_facts() == "0 sources read, 0 facts stored, 0 blocked"
    a_lecture(GITA.replace("eighteen", "nineteen"), key="two")
    assert read_facts() == "1 sources read, 1 facts stored, 0 blocked"
    assert Fact.objects.count() == 3  # what the source said before is ignored, not deleted


def test_a_killed_run_goes_on_where_it_stopped(monkeypatch):
    monkeypatch.setattr(reading, "AT_ONCE", 1)
    for number, text in enumerate((YOGA, GITA)):
        a_lecture(text, key=f"talk{number}")
    run = facts_read(budget=10)
    next(run), next(run)
    run.close()  # killed after the first source
    assert Fact.objects.count() == 1
    assert read_facts() == "1 sources read, 1 facts stored, 0 blocked"


def test_two_runs_at_once_read_once(monkeypatch):
    monkeypatch.setattr("curation.facts.tasks.only_run", lambda job: nullcontext(False))
    assert read_facts() == READING


@pytest.mark.django_db(transaction=True)
def test_a_models_invention_is_blocked_and_counted():
    a_lecture(GITA, key="talk")
    invented = line(content="The Gita was printed by Google.", object="Google")
    other_number = line(content="The Gita has twenty chapters.", object="twenty chapters")
    with model_for("extract_facts", "\n".join([line(), invented, other_number])):
        assert read_facts() == "1 sources read, 1 facts stored, 2 blocked"
    assert [fact.content for fact in Fact.objects.all()] == [GITA]
    assert grounding_counts() == {"supported": 1, "not_supported": 1, "contradicted": 1, "rejected": 0}


@pytest.mark.django_db(transaction=True)
def test_prose_and_unknown_spans_of_a_model_are_counted_and_store_nothing():
    a_lecture(GITA, key="talk")
    with model_for("extract_facts", f"I found these facts:\n{line(evidence='The Gita has many chapters.')}"):
        assert read_facts() == "1 sources read, 0 facts stored, 0 blocked"
    assert grounding_counts()["rejected"] == 2
    assert not Fact.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_model_that_does_not_answer_leaves_its_passages_for_the_next_run():
    for number in range(5):
        a_lecture(f"{GITA} It is number {number}.", key=f"talk{number}", title=f"Talk {number}")
    with model_for("extract_facts", ""):
        assert "times in a row the model did not answer" in read_facts()
    assert not FactReading.objects.exists()
    assert read_facts().startswith("5 sources read")


def test_a_source_withdrawn_between_reading_and_storing_stores_nothing(monkeypatch):
    a_lecture(GITA, key="talk")
    check = reading.asking.check_claims

    def withdrawing(*args, **options):
        source_withdraw(source=Lecture.objects.get(key="talk"))
        return check(*args, **options)

    monkeypatch.setattr(reading.asking, "check_claims", withdrawing)
    assert read_facts() == "0 sources read, 0 facts stored, 0 blocked"
    assert not Fact.objects.exists()
    assert not FactCheck.objects.exists()


@pytest.mark.parametrize(("policy", "facts", "guides"), [("block", 0, 0), ("tag", 1, 1), ("queue", 1, 0)])
def test_without_a_verifier_facts_are_blocked_tagged_or_queued(settings, policy, facts, guides):
    settings.FACTS_UNVERIFIED = policy
    a_lecture(GITA, key="talk")
    registry.replace_model("verifier", UnreachableVerifier())
    said = read_facts()
    assert ("no verifier" in said) == (policy == "block")
    found = standing_facts(passages(list(Chunk.objects.values_list("pk", flat=True))))
    assert (Fact.objects.count(), len(found)) == (facts, guides)
    registry.replace_model("verifier", SupportingVerifier())
    read_facts()  # blocked ones are read again, the others are checked now
    assert [fact.grounding for fact in Fact.objects.all()] == ["supported"]


@pytest.mark.parametrize("support", [0.95, 0.0], ids=["supported", "not supported"])
def test_what_an_editor_corrects_while_a_verifier_reads_it_stays_and_is_checked_later(monkeypatch, support):
    a_lecture(GITA, key="talk")
    registry.replace_model("verifier", SupportingVerifier(support))
    waiting = a_fact("The Gita has many chapters.", "talk:1", GITA, grounding="queued", author="rules")
    check = reading.asking.check_claims

    def correcting(*args, **options):
        corrected = Fact.objects.get(pk=waiting.pk)
        corrected.content = GITA
        corrected.save()
        return check(*args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(reading.asking, "check_claims", correcting)
        assert settle_queued(10) == 0
    waiting.refresh_from_db()
    assert (waiting.content, waiting.grounding) == (GITA, "queued")
    assert not FactCheck.objects.exists()
    assert settle_queued(10) == 1


def test_what_an_unverified_fact_replaced_is_in_force_again_once_its_source_denies_it():
    a_lecture(GITA, key="talk")
    before = a_fact(GITA, "talk:1", GITA)
    unverified = a_fact("The Gita has twenty chapters.", "talk:1", GITA, grounding="unverified", author="rules")
    fact_supersede(fact=before, by=unverified)
    registry.replace_model("verifier", SupportingVerifier(support=0.0))
    assert settle_queued(10) == 1
    (left,) = Fact.objects.all()
    assert (left, left.superseded_by, left.superseded_because) == (before, None, "")


def test_facts_whose_source_is_gone_keep_no_others_waiting():
    a_lecture(GITA, key="talk")
    a_fact("It rained.", "talk:1", "It rained.", grounding="queued", author="rules")
    waiting = a_fact(GITA, "talk:1", GITA, grounding="queued", author="rules")
    registry.replace_model("verifier", SupportingVerifier())
    assert settle_queued(1) == 1
    waiting.refresh_from_db()
    assert waiting.grounding == "supported"


@pytest.mark.django_db(transaction=True)
def test_three_partials_in_a_row_on_one_subject_open_one_review():
    for verdict in ("partial", "partial"):
        FactCheck.objects.create(
            subject_key=subject_key("The Gita"), content="x", address="a:1", verdict=verdict, confidence=0.5
        )
    review_open_if_due(subject="The Gita")
    assert not SubjectReview.objects.exists()
    a_lecture(GITA, key="talk")
    registry.replace_model("verifier", SupportingVerifier(support=0.7))
    with model_for("extract_facts", line(content="The Gita has its chapters in books.")):
        read_facts()
    review = SubjectReview.objects.get()
    assert review.subject == "The Gita"
    assert review_close(review=review, by=None)
    review_open_if_due(subject="The Gita")  # only what came after it was closed counts
    assert SubjectReview.objects.filter(closed_at=None).count() == 0


def test_what_a_note_says_is_stored_where_its_reference_says_it():
    a_lecture(GITA, key="talk")
    FactReading.objects.create(
        chunk=Chunk.objects.get().pk, content_hash=Chunk.objects.get().content_hash, author="rules"
    )
    a_note("The Gita", body=f"{GITA} The Gita is a poem of Google.", references=["talk:1"])
    assert read_facts() == "1 sources read, 1 facts stored, 1 blocked"
    fact = Fact.objects.get()
    assert (fact.address, fact.evidence) == ("talk:1", GITA)


def test_the_budget_of_zero_turns_reading_off(settings):
    settings.FACTS_AN_HOUR = 0
    a_lecture(GITA, key="talk")
    with connection.execute_wrapper(lambda *call: pytest.fail("no query is needed")):
        assert "nothing is read" in read_facts()
