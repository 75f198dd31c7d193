"""The way from a refusal to an answer, with real turns over a small corpus."""

import asyncio

import pytest
from django_q.models import OrmQ

from audit.clustering import gaps_cluster
from audit.models import GapCluster, KnowledgeGap, RegressionCase
from curation.entries import EntryLists, entry_store
from curation.gaps.asking_again import cluster_ask_again
from curation.gaps.pinning import cluster_pin
from curation.services import entry_publish, entry_withdraw
from lectorium import asking

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Which spirit was excessively haughty?"
OTHER = "Which haughty spirit was excessively haughty?"


def ask(question):
    return asyncio.run(asking.ask(question, record=True))


@pytest.fixture
def refused(corpus):
    for question in (QUESTION, QUESTION, OTHER):
        assert ask(question)["outcome"] == "refused"
    gaps_cluster()
    return GapCluster.objects.described().get()


def publish(cluster, someone, references=("first-steps:1",)):
    reviewer = someone("reviewer")
    pin = cluster_pin(cluster=cluster, by=reviewer)
    entry_store(pin, EntryLists(references), by=reviewer, reason="Changed")
    entry_publish(entry=pin, by=reviewer)
    return pin


def test_a_refusal_becomes_an_answer_and_a_regression_case(refused, someone):
    assert (refused.label, refused.times, refused.questions) == (QUESTION, 3, 2)
    pin = publish(refused, someone)
    assert GapCluster.objects.get().is_asking
    assert any("ask_gap_again" in str(job.task) for job in OrmQ.objects.all())
    assert cluster_ask_again(cluster_id=refused.pk) == "2 of 2 questions are answered now"
    cluster = GapCluster.objects.get()
    assert (cluster.state, cluster.is_asking) == ("answered", False)
    for gap in KnowledgeGap.objects.all():
        assert (gap.state, gap.after["cites_pin"]) == ("closed", True)
        assert "Iblis" in gap.after["answer"]
    cases = RegressionCase.objects.all()
    assert {case.question for case in cases} == {QUESTION, OTHER}
    assert {(case.pin, tuple(case.references)) for case in cases} == {(pin, ("first-steps:1",))}
    assert ask(QUESTION)["outcome"] == "grounded"


def test_what_is_still_refused_stays_open_and_a_second_run_changes_nothing(refused, someone):
    pin = publish(refused, someone)
    entry_withdraw(entry=pin, by=someone("reviewer"))
    assert cluster_ask_again(cluster_id=refused.pk) == "0 of 2 questions are answered now"
    assert cluster_ask_again(cluster_id=refused.pk) == "0 of 2 questions are answered now"
    assert GapCluster.objects.get().state == "open"
    assert not RegressionCase.objects.exists()


def test_a_gap_that_is_gone_is_no_error(corpus):
    assert cluster_ask_again(cluster_id="00000000-0000-0000-0000-000000000000") == "the gap is gone"
