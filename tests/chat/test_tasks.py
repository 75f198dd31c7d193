from datetime import timedelta

import pytest
from django.utils import timezone

from chat.models import Conversation, Turn, TurnEvent
from chat.tasks import tidy_conversations

pytestmark = pytest.mark.django_db


@pytest.fixture
def turns():
    """A turn that ended, one that was abandoned two hours ago, and one that is running."""
    conversation = Conversation.objects.create()
    made = {
        name: Turn.objects.create(conversation=conversation, question=name, outcome=outcome)
        for name, outcome in (("ended", "grounded"), ("abandoned", ""), ("running", ""))
    }
    Turn.objects.exclude(question="running").update(started_at=timezone.now() - timedelta(hours=2))
    for turn in made.values():
        TurnEvent.objects.create(conversation=conversation, turn=turn, seq=1, payload={"type": "status"})
    TurnEvent.objects.exclude(turn=made["running"]).update(created_at=timezone.now() - timedelta(hours=2))
    return made


def test_events_are_forgotten_after_an_hour_and_abandoned_turns_closed(turns):
    assert (
        tidy_conversations()
        == "1 abandoned turns closed, 2 old events forgotten, 0 deleted conversations removed, 0 keys expired"
    )
    outcomes = dict(Turn.objects.values_list("question", "outcome"))
    assert outcomes == {"ended": "grounded", "abandoned": "interrupted", "running": ""}
    left = {(event.turn.question, event.seq, event.payload["type"]) for event in TurnEvent.objects.all()}
    assert left == {("running", 1, "status"), ("abandoned", 2, "done")}  # who runs it after all, stops at that one


def test_running_it_twice_changes_nothing_more(turns):
    tidy_conversations()
    assert (
        tidy_conversations()
        == "0 abandoned turns closed, 0 old events forgotten, 0 deleted conversations removed, 0 keys expired"
    )
