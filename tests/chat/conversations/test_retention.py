"""On request, or when its time is over, a turn goes with all that belongs to it; only counts stay."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from audit.models import DeletedTurns, Feedback, TurnAudit
from chat.api.models import ToolCall
from chat.models import Citation, Conversation, Turn, TurnEvent
from chat.tasks import expire_turns

pytestmark = pytest.mark.django_db

MODELS = (Turn, TurnEvent, Citation, TurnAudit, Feedback)


def a_turn(conversation, *, days_ago=0, outcome="grounded"):
    """Store a turn with one of everything that belongs to it."""
    turn = Turn.objects.create(conversation=conversation, question="Who?", outcome=outcome)
    Turn.objects.filter(pk=turn.pk).update(started_at=timezone.now() - timedelta(days=days_ago))
    TurnEvent.objects.create(conversation=conversation, turn=turn, seq=1, payload={"type": "status"})
    Citation.objects.create(conversation=conversation, turn=turn, n=1, chunk_hash="h", char_start=0, char_end=1)
    TurnAudit.objects.create(
        conversation_id=conversation.pk, turn=turn, outcome=outcome, mode=turn.mode, confidence=1.0
    )
    Feedback.objects.create(conversation_id=conversation.pk, turn=turn, kind="helpful", given_at=timezone.now())
    return turn


@pytest.fixture
def alices(django_user_model):
    """Two conversations of Alice's, with three turns, and one of Bob's with one."""
    alice, bob = (django_user_model.objects.create_user(name) for name in ("alice", "bob"))
    first, second = (Conversation.objects.create(owner=alice) for _ in range(2))
    for conversation, outcome in ((first, "grounded"), (first, "refused"), (second, "grounded")):
        a_turn(conversation, outcome=outcome)
    a_turn(Conversation.objects.create(owner=bob))
    return first, second


def run(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def rows_left():
    return [model.objects.count() for model in MODELS]


def test_forgetting_a_reader_deletes_all_of_theirs_and_leaves_counts(alices):
    assert run("forget_user", "--user", "alice", "--yes") == "3 turns of 2 conversations deleted."
    assert rows_left() == [1] * len(MODELS)
    assert Conversation.objects.get().owner.username == "bob"
    counts = {row.outcome: row.turns for row in DeletedTurns.objects.all()}
    assert counts == {"grounded": 2, "refused": 1}
    assert {field.name for field in DeletedTurns._meta.fields} == {"id", "day", "mode", "outcome", "reason", "turns"}


def test_without_yes_it_only_says_what_it_would_do(alices):
    assert "3 turns of 2 conversations" in run("forget_user", "--user", "alice")
    assert rows_left() == [4] * len(MODELS)


def test_one_conversation_can_be_forgotten_by_its_id(alices):
    assert run("forget_user", "--conversation", str(alices[0].pk), "--yes") == "2 turns of 1 conversations deleted."
    assert rows_left() == [2] * len(MODELS)


def test_counts_of_a_day_add_up(alices):
    for conversation in alices:
        run("forget_user", "--conversation", str(conversation.pk), "--yes")
    assert DeletedTurns.objects.get(outcome="grounded").turns == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--user", "nobody"), "no account named 'nobody'"),
        (("--conversation", "x"), "'x' is not a conversation id"),
        (("--conversation", "00000000-0000-0000-0000-000000000000"), "no conversation 0000"),
        ((), "one of the arguments --user --conversation is required"),
    ],
)
def test_whoever_is_not_there_is_named(alices, arguments, message):
    with pytest.raises(CommandError, match=message):
        run("forget_user", *arguments, "--yes")
    assert rows_left() == [4] * len(MODELS)


def test_by_default_everything_is_kept(alices):
    Turn.objects.update(started_at=timezone.now() - timedelta(days=9999))
    assert expire_turns() == "0 expired turns and 0 tool calls deleted"
    assert rows_left() == [4] * len(MODELS)


def test_old_turns_go_and_a_conversation_goes_with_its_last(alices, settings):
    settings.RETENTION_DAYS = 30
    mixed, old = alices
    Turn.objects.filter(conversation=old).update(started_at=timezone.now() - timedelta(days=31))
    a_turn(mixed, days_ago=31)
    assert expire_turns() == "2 expired turns and 0 tool calls deleted"
    assert expire_turns() == "0 expired turns and 0 tool calls deleted"
    assert rows_left() == [3] * len(MODELS)
    assert not Conversation.objects.filter(pk=old.pk).exists()
    assert Conversation.objects.filter(pk=mixed.pk).exists()


def test_turns_of_readers_without_an_account_may_go_earlier(alices, settings):
    settings.VISITOR_RETENTION_DAYS = 14
    a_turn(alices[0], days_ago=15)
    for days in (13, 15):
        a_turn(Conversation.objects.create(visitor="v"), days_ago=days)
    assert expire_turns() == "1 expired turns and 0 tool calls deleted"
    assert Conversation.objects.filter(owner=None).count() == 1


def test_old_calls_of_tools_go_with_old_turns(db, settings):
    for days in (31, 29):
        call = ToolCall.objects.create(transport="http", tool="search", outcome="done", milliseconds=1)
        ToolCall.objects.filter(pk=call.pk).update(created_at=timezone.now() - timedelta(days=days))
    assert expire_turns() == "0 expired turns and 0 tool calls deleted"
    settings.RETENTION_DAYS = 30
    assert expire_turns() == "0 expired turns and 1 tool calls deleted"
    assert ToolCall.objects.count() == 1


def test_deleting_in_the_admin_leaves_counts_too(alices, client, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("boss"))
    page = reverse("admin:chat_conversation_delete", args=[alices[0].pk])
    assert client.post(page, {"post": "yes"}).status_code == 302
    assert rows_left() == [2] * len(MODELS)
    assert sum(DeletedTurns.objects.values_list("turns", flat=True)) == 2
