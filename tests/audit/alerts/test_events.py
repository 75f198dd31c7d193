"""Events for the webhook: stored with what they tell of, delivered like alerts, and without a reader's words."""

import json
from datetime import timedelta

import pytest
from django.conf import settings as configured
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from django_q.models import OrmQ

from audit.alerts.events import event_announce
from audit.alerts.services import deliveries_send, events_forget
from audit.clustering import gaps_cluster
from audit.domain.deliveries import WebhookEvent
from audit.models import AlertDelivery, GapCluster, KnowledgeGap
from corpus.models import Import
from corpus.services.report import ImportReport
from corpus.services.uploads import import_discard, import_record, imports_close_abandoned
from lectorium import settings as settings_module
from tests.audit.alerts.test_alerts import Receiver
from tests.audit.test_gaps import REFUSED, join
from tests.factories import a_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def receiver(monkeypatch, settings):
    settings.WEBHOOK_EVENTS = list(WebhookEvent)
    return Receiver(monkeypatch, settings)


def bodies(receiver):
    return [json.loads(body) for body, _ in receiver.got]


def an_import(**values):
    return Import.objects.create(collection=a_collection(), files=[["secret-name.vtt", 7]], **values)


def test_the_names_that_may_be_set_are_the_events():
    assert tuple(WebhookEvent) == settings_module._WEBHOOK_EVENTS
    assert configured.WEBHOOK_EVENTS == []


def test_an_event_that_nobody_asked_for_is_not_stored(receiver, settings):
    settings.WEBHOOK_EVENTS = ["gap.opened"]
    event_announce(WebhookEvent.IMPORT_FAILED, "An import failed.")
    assert not AlertDelivery.objects.exists()


def test_an_event_is_signed_and_has_the_same_notice_at_each_try(receiver):
    event_announce(WebhookEvent.GAP_OPENED, "There is a new knowledge gap.", gap="x")
    now = timezone.now()
    deliveries_send(now=now)
    receiver.status = 204
    deliveries_send(now=now + timedelta(minutes=6))
    first, second = bodies(receiver)
    assert first == second
    assert (first["kind"], first["data"]) == ("gap.opened", {"gap": "x"})
    assert all(headers["X-Lectorium-Signature"].startswith("sha256=") for _, headers in receiver.got)
    assert AlertDelivery.objects.get().state == "done"


def test_a_receiver_that_is_down_for_almost_three_days_loses_nothing_and_is_not_flooded(receiver):
    for number in range(40):
        event_announce(WebhookEvent.ANSWER_REFUSED, "x", number=number)
    now = begin = timezone.now()
    while now - begin < timedelta(days=2, hours=23):
        tries = len(receiver.got)
        deliveries_send(now=now)
        assert len(receiver.got) - tries <= 3, "a run gives up on a receiver that is down"
        now += timedelta(hours=1)
    assert not AlertDelivery.objects.exclude(state="due").exists()
    receiver.status = 200
    for _ in range(8):
        deliveries_send(now=now)
        now += timedelta(hours=1)
    arrived = [body["data"]["number"] for body in bodies(receiver)[-40:]]
    assert sorted(arrived) == list(range(40))


def test_an_event_is_undone_with_what_it_tells_of(receiver):
    with transaction.atomic():
        event_announce(WebhookEvent.GAP_OPENED, "x")
        transaction.set_rollback(True)
    assert not AlertDelivery.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_event_queues_its_delivery_once_it_is_committed(receiver):
    with transaction.atomic():
        event_announce(WebhookEvent.GAP_OPENED, "x")
        assert not OrmQ.objects.exists()
    assert OrmQ.objects.count() == 1


def test_the_end_of_an_import_is_told_without_names_of_files(receiver):
    done = import_record(paths=[], collection=a_collection(), report=ImportReport([]))
    late = timezone.now() - timedelta(hours=5)
    failed = an_import(state=Import.State.CONFIRMED, touched_at=late)
    discarded = an_import(state=Import.State.PREVIEWED)
    assert imports_close_abandoned() == 1
    import_discard(import_id=discarded.pk)
    receiver.status = 200
    deliveries_send()
    told = {body["data"]["import"]: body for body in bodies(receiver)}
    assert {key: body["kind"] for key, body in told.items()} == {
        str(done.pk): "import.finished", str(failed.pk): "import.failed",
    }  # fmt: skip
    assert told[str(failed.pk)]["data"]["files"] == 1
    assert "secret-name" not in str(told)


def test_a_gap_is_told_of_when_it_opens_and_when_it_opens_again(receiver):
    call_command("index", verbosity=0)
    join()
    gaps_cluster()
    join()
    gaps_cluster()
    cluster = GapCluster.objects.get()
    GapCluster.objects.update(state="answered")
    KnowledgeGap.objects.update(state="closed")
    join()
    gaps_cluster()
    receiver.status = 200
    deliveries_send()
    told = [body["data"] for body in bodies(receiver)]
    assert [(data["gap"], data["again"]) for data in told] == [(str(cluster.pk), False), (str(cluster.pk), True)]
    assert REFUSED.question not in str(bodies(receiver))


def test_an_event_is_deleted_after_thirty_days_unless_it_still_waits(receiver):
    event_announce(WebhookEvent.GAP_OPENED, "waits")
    event_announce(WebhookEvent.GAP_OPENED, "arrived")
    AlertDelivery.objects.filter(text="arrived").update(state="done")
    AlertDelivery.objects.create(
        channel="webhook", text="an alert", state="done", made_at=timezone.now(), due_at=timezone.now()
    )
    assert events_forget() == 0
    assert events_forget(now=timezone.now() + timedelta(days=31)) == 1
    assert set(AlertDelivery.objects.values_list("text", flat=True)) == {"waits", "an alert"}
