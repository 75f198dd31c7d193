"""The consistency scan acts on equal and outdated facts, leaves contradictions to people, and can be taken back."""

import threading
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from audit.models import GuardMetric
from corpus.models import Chunk
from corpus.selectors import passages
from curation.domain.facts.consistency import ConsistencyRules
from curation.facts import scan as scanning
from curation.facts.changes import ChangeRefused, change_undo
from curation.facts.scan import ConsistencyScan
from curation.facts.selectors import facts_as_of, open_contradictions, standing_facts
from curation.facts.tasks import COMPARING, compare_facts
from curation.models import Contradiction, Fact, FactChange, FactScan, SubjectReview
from lectorium.only_run import lock_of
from tests.curation.fact_rows import a_contradiction
from tests.curation.facts.readers import SupportingVerifier, model_for
from tests.factories import a_collection, a_lecture

pytestmark = pytest.mark.django_db

TEXTS = {
    "one": "Goodwin works at the press in Madras.",
    "two": "Goodwin works at the school in Belur.",
    "three": "Goodwin works at the library in Almora.",
}


def read(content, subject, predicate, object_, key, **more):
    values = {"author": "rules", "grounding": "supported", "confidence": 0.9} | more
    return Fact.objects.create(
        subject=subject, predicate=predicate, object=object_, content=content, evidence=content, address=f"{key}:1",
        **values,
    )  # fmt: skip


@pytest.fixture
def jobs():
    for key, text in TEXTS.items():
        a_lecture(text, key=key)
    days = {"one": date(2020, 1, 1), "two": date(2021, 1, 1), "three": date(2022, 1, 1)}
    return [
        read(text, "Goodwin", "works at", text.removeprefix("Goodwin works at "), key, valid_from=days[key])
        for key, text in TEXTS.items()
    ]


def again(*facts):
    for fact in facts:
        fact.refresh_from_db()


def guiding():
    return {fact.pk for fact, _ in standing_facts(passages(list(Chunk.objects.values_list("pk", flat=True))))}


def test_a_later_fact_supersedes_the_earlier_ones_chains_stay_flat_and_history_can_be_asked(jobs):
    assert compare_facts().startswith("3 of 3 facts compared")
    assert list(GuardMetric.objects.values_list("metric", "hits", "total")) == [("guard2_contradiction_count", 0, 3)]
    again(*jobs)
    assert [fact.superseded_by_id for fact in jobs] == [jobs[2].pk, jobs[2].pk, None]
    assert guiding() == {jobs[2].pk}
    assert [fact.pk for fact in facts_as_of(date(2020, 6, 1))] == [jobs[0].pk]
    assert [fact.pk for fact in facts_as_of(date(2023, 6, 1))] == [jobs[2].pk]
    assert set(FactChange.objects.values_list("verdict", flat=True)) == {"temporal_evolution"}
    assert Fact.objects.count() == 3


def test_every_act_is_audited_and_can_be_taken_back_and_is_not_repeated(jobs):
    compare_facts()
    for change in FactChange.objects.all():
        assert change_undo(change=change, by=None)
        assert not change_undo(change=change, by=None)
    again(*jobs)
    assert [(fact.superseded_by_id, fact.valid_to) for fact in jobs] == [(None, None)] * 3
    Fact.objects.update(compared_at=None)
    compare_facts()
    again(*jobs)
    assert not any(fact.superseded_by_id and change for fact in jobs for change in _repeated(jobs))


def test_taking_back_that_a_fact_was_replaced_opens_the_contradiction_that_it_settled(jobs):
    jobs[2].delete()
    linked = a_contradiction(*jobs[:2])
    compare_facts()
    assert Contradiction.objects.get(pk=linked.pk).resolved_at
    change_undo(change=FactChange.objects.get(), by=None)
    assert open_contradictions(jobs[:2]) == [linked]


def _repeated(jobs):
    undone = FactChange.objects.filter(undone_at__isnull=False).values_list("fact", "by")
    return [pair for pair in FactChange.objects.filter(undone_at=None).values_list("fact", "by") if pair in set(undone)]


def test_an_act_on_a_fact_that_an_editor_brought_back_cannot_be_taken_back(jobs):
    compare_facts()
    change = FactChange.objects.first()
    Fact.objects.filter(pk=change.fact_id).update(superseded_by=None)
    with pytest.raises(ChangeRefused, match="in force again already"):
        change_undo(change=change, by=None)


@pytest.fixture
def same():
    """One statement in two talks, and another that contradicts it."""
    for key in ("a", "b"):
        a_lecture("Narendra was born in Calcutta.", "It was hot." * 3, key=key, title=f"Talk {key}")
    a_lecture("Narendra was born in Madras.", key="c")
    known = ("Narendra was born in Calcutta.", "Narendra", "was born in", "Calcutta")
    kept, merged = read(*known, "a", confidence=0.95), read(*known, "b")
    return kept, merged, read("Narendra was born in Madras.", "Narendra", "was born in", "Madras", "c")


def test_equal_facts_are_merged_and_stand_in_both_sources_and_a_contradiction_waits_for_a_person(same):
    kept, merged, rival = same
    a_contradiction(merged, rival, note="Where?")
    compare_facts()
    again(kept, merged)
    assert (merged.superseded_by, merged.superseded_because, merged.valid_to) == (kept, "equivalent", None)
    links = {frozenset((row.one_id, row.other_id)) for row in Contradiction.objects.filter(resolved_at=None)}
    assert frozenset((kept.pk, rival.pk)) in links
    ((fact, held),) = standing_facts(
        passages(list(Chunk.objects.filter(lecture__key="b").values_list("pk", flat=True)))
    )
    assert (fact.pk, held[0].address) == (kept.pk, "b:1")


def test_facts_of_other_readers_are_never_merged():
    secret = a_collection("secret", "members")
    a_lecture("Narendra was born in Calcutta.", key="a")
    a_lecture("Narendra was born in Calcutta.", key="b", collection=secret)
    for key in ("a", "b"):
        read("Narendra was born in Calcutta.", "Narendra", "was born in", "Calcutta", key)
    compare_facts()
    assert not FactChange.objects.exists()
    assert FactScan.objects.get().counts == {"other readers": 1}


def test_a_fact_that_has_not_begun_supersedes_nothing(jobs):
    Fact.objects.filter(pk__in=[jobs[1].pk, jobs[2].pk]).update(valid_from=timezone.localdate() + timedelta(days=400))
    compare_facts()
    assert not FactChange.objects.exists()
    assert guiding() == {jobs[0].pk}


def test_a_fact_whose_words_are_gone_supersedes_nothing(jobs):
    a_lecture("It rained.", key="two")
    a_lecture("It rained.", key="three")
    compare_facts()
    assert not FactChange.objects.exists()


def test_a_killed_scan_goes_on_where_it_stopped(jobs, monkeypatch):
    monkeypatch.setattr(scanning, "BATCH", 1)
    run = ConsistencyScan().run()
    next(run)
    run.close()
    assert Fact.objects.filter(compared_at=None).count() == 2
    assert FactScan.objects.get().finished_at is None
    compare_facts()
    again(*jobs)
    assert [fact.superseded_by_id for fact in jobs] == [jobs[2].pk, jobs[2].pk, None]


def test_a_scan_that_failed_in_a_batch_stores_nothing_of_it(jobs, monkeypatch):
    def fail(**given):
        raise RuntimeError("killed")

    monkeypatch.setattr(scanning, "change_apply", fail)
    with pytest.raises(RuntimeError):
        compare_facts()
    assert Fact.objects.filter(compared_at=None).count() == 3
    assert not FactChange.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_scans_at_once_act_once(jobs):
    held, release = threading.Event(), threading.Event()

    def other():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [lock_of("fact consistency")])
        held.set()
        release.wait(20)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [lock_of("fact consistency")])
        connection.close()

    thread = threading.Thread(target=other)
    thread.start()
    held.wait(20)
    assert compare_facts() == COMPARING
    release.set()
    thread.join(20)
    compare_facts()
    assert FactChange.objects.count() == 2


def test_many_facts_on_one_subject_open_a_review_instead_of_thousands_of_contradictions():
    a_lecture("x", key="talk")
    Fact.objects.bulk_create(
        Fact(
            subject="The king", predicate="has", object=f"{number} sons", content=f"The king has {number} sons.",
            address="talk:1", address_key="talk 1", evidence="x", author="rules",
        )
        for number in range(10, 310)
    )  # fmt: skip
    rules = ConsistencyRules()
    *_, scan = ConsistencyScan(rules).run()
    assert Contradiction.objects.count() == rules.contradictions
    assert SubjectReview.objects.get().subject == "The king"
    assert sum(scan.counts.values()) <= 300 * (rules.group + rules.neighbours)


def a_subjects_facts(number, **values):
    a_lecture("x", key="talk")
    common = {"subject": "Goodwin", "address": "talk:1", "address_key": "talk 1", "evidence": "x", "author": "rules"}
    return Fact.objects.bulk_create(
        Fact(**common, **{name: value(at) if callable(value) else value for name, value in values.items()})
        for at in range(number)
    )


def test_each_of_many_earlier_facts_is_superseded_by_the_latest_in_one_act():
    facts = a_subjects_facts(
        40, predicate="lives in", object=lambda at: f"house {at}", content=lambda at: f"Goodwin lives in house {at}.",
        valid_from=lambda at: date(1900 + at, 1, 1),
    )  # fmt: skip
    list(ConsistencyScan(ConsistencyRules(group=4)).run())
    assert set(Fact.objects.exclude(pk=facts[-1].pk).values_list("superseded_by", flat=True)) == {facts[-1].pk}
    assert [len(before) for before in FactChange.objects.values_list("before", flat=True)] == [1] * 39


def test_many_facts_that_say_the_same_are_merged_into_one_with_one_act_each():
    facts = a_subjects_facts(40, predicate="lives in", object="Belur", content="Goodwin lives in Belur.")
    list(ConsistencyScan(ConsistencyRules(group=4)).run())
    kept = min(facts, key=lambda fact: fact.pk)
    assert list(Fact.objects.filter(superseded_by=None)) == [kept]
    assert [len(before) for before in FactChange.objects.values_list("before", flat=True)] == [1] * 39


@pytest.mark.django_db(transaction=True)
def test_a_model_judges_what_words_leave_open_and_prose_is_left_to_the_verifier(jobs):
    Fact.objects.update(predicate="enjoys", superseded_by=None, valid_from=None)
    verdict = '{"verdict": "contradiction", "because": "One place at a time."}'
    with model_for("consistency", verdict) as model:
        compare_facts()
    assert model.asked == 3
    assert set(FactChange.objects.values_list("judge", "because")) == {(model.name, "One place at a time.")}
    Contradiction.objects.all().delete()
    Fact.objects.update(compared_at=None)
    reader = SupportingVerifier()
    with model_for("consistency", "They disagree."):
        list(ConsistencyScan(reader=reader).run())
    assert reader.pairs


def test_editors_start_a_scan_and_take_back_what_it_did(client, jobs):
    client.force_login(User.objects.create_superuser("boss"))
    assert client.get(reverse("admin:facts_compare")).status_code == 405
    assert client.post(reverse("admin:facts_compare")).status_code == 302
    page = client.get(reverse("admin:curation_fact_changelist"))
    assert b"Compare now" in page.content
    compare_facts()
    chosen = {"action": "undo", "_selected_action": list(FactChange.objects.values_list("pk", flat=True))}
    client.post(reverse("admin:curation_factchange_changelist"), chosen)
    assert not FactChange.objects.filter(undone_at=None).exists()
    for name in ("factcheck", "factscan", "subjectreview", "factchange"):
        assert client.get(reverse(f"admin:curation_{name}_changelist")).status_code == 200
    change = FactChange.objects.first()
    assert client.get(reverse("admin:curation_factchange_change", args=[change.pk])).status_code == 200
