"""Clocks that ran ahead and were set right again: nothing is put off until the date they showed."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from rest_framework.exceptions import Throttled

from chat.api.throttling import AccountThrottle, count_call
from chat.models import Conversation, Turn, TurnEvent
from chat.tasks import tidy_conversations
from corpus.indexing import embedding, leases
from corpus.indexing.embedding import IndexPace
from corpus.models import ChunkVector, Import, IndexClaim
from corpus.services.uploads import imports_close_abandoned
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.schedules import JOBS, PREFIX, repair_due_times
from operations import diagnosis
from tests.factories import a_collection, a_work

pytestmark = pytest.mark.django_db(transaction=True)
YEAR = timedelta(days=365)


def test_jobs_that_were_put_off_a_year_are_due_when_a_worker_starts():
    ours = Schedule.objects.filter(name__startswith=PREFIX)
    ours.update(next_run=timezone.now() + YEAR)
    own = Schedule.objects.create(name="an operator's", func="a.job", next_run=timezone.now() + YEAR)
    ok, says = diagnosis.CHECKS["jobs"]()
    assert not ok
    assert "wrong clock: restart manage.py qcluster" in says
    repair_due_times()
    assert ours.filter(next_run__lte=timezone.now()).count() == len(JOBS)
    assert diagnosis.CHECKS["jobs"]()[0]
    own.refresh_from_db()
    assert own.next_run > timezone.now()


def test_a_task_that_was_locked_while_the_clock_ran_ahead_is_delivered_again_and_one_under_way_is_not():
    ahead, under_way = (
        OrmQ.objects.create(key="lectorium", payload="x", lock=timezone.now() + lock)
        for lock in (YEAR, timedelta(seconds=3900))
    )
    repair_due_times()
    ahead.refresh_from_db()
    under_way.refresh_from_db()
    assert ahead.lock <= timezone.now() < under_way.lock


def test_shares_claimed_while_the_databases_clock_ran_ahead_are_indexed():
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 9)})
    space = embedding.space_ensure(HashingEmbedder())
    leases.claim(leases.run_begin(space=space, total=8), leases.SHARES, IndexPace().lease, ())
    assert embedding.embed_changed().left == 8
    IndexClaim.objects.update(until=timezone.now() + YEAR)
    assert embedding.embed_changed().embedded == ChunkVector.objects.count() == 8


def test_turns_and_imports_left_behind_in_the_future_are_closed():
    Turn.objects.create(conversation=Conversation.objects.create(), question="Who?")
    Turn.objects.update(started_at=timezone.now() + YEAR)
    assert tidy_conversations().startswith("1 abandoned turns closed")
    Import.objects.create(collection=a_collection(), state=Import.State.CONFIRMED)
    Import.objects.update(touched_at=timezone.now() + YEAR)
    assert imports_close_abandoned() == 1


def test_an_account_at_its_limit_goes_on_once_a_clock_that_ran_ahead_is_set_right(settings, monkeypatch):
    settings.API_PER_MINUTE = 2
    cache.clear()
    user = get_user_model().objects.create_user("program")
    clock = timezone.now().timestamp() + 3600
    monkeypatch.setattr(AccountThrottle, "timer", staticmethod(lambda: clock))
    for _ in range(2):
        count_call(user)
        count_call(user)
        with pytest.raises(Throttled):
            count_call(user)
        clock -= 3600


def test_a_worker_whose_clock_is_hours_ahead_leaves_turns_and_imports_that_run(monkeypatch):
    turn = Turn.objects.create(conversation=Conversation.objects.create(), question="Who?")
    TurnEvent.objects.create(conversation=turn.conversation, turn=turn, seq=1, payload={})
    Import.objects.create(collection=a_collection(), state=Import.State.CONFIRMED)
    now = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(hours=5))
    assert imports_close_abandoned() == 0
    assert tidy_conversations().startswith("0 abandoned turns closed")
    assert TurnEvent.objects.exists()
    Turn.objects.update(started_at=now() - timedelta(hours=2))
    assert tidy_conversations().startswith("1 abandoned turns closed")
