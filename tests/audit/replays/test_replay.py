"""A recorded turn asked again: through the real pipeline, over a small corpus."""

import asyncio
from uuid import UUID

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from django.utils import timezone

from audit.models import Replay, TurnAudit
from audit.replays.services import replay_run
from audit.services import turn_audits_forget
from chat.answering.ask import operator
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, Turn
from corpus.models import Chunk, Collection, Lecture
from lectorium.asking import ReplayOptions, answer_with
from lectorium.ladder.models import Rung
from tests.chat.authors import speaking
from tests.chat.turns import run_recorded

QUESTION = "Who refused to bow to the newly made man?"
WRITTEN = "Only Iblis refused to bow to the newly made man [^1]."


@pytest.fixture
def queued(monkeypatch):
    """What was put into the queue; no job runs by itself."""
    jobs = []
    monkeypatch.setattr("audit.replays.services.async_task", lambda *job: jobs.append(job))
    return jobs


def asked(viewer=None, **how):
    journal, _ = asyncio.run(run_recorded(QUESTION, viewer or operator(), **how))
    return TurnAudit.objects.get(turn_id=journal.turn_id)


def auditor(*codenames):
    user = User.objects.create_user("auditor", is_staff=True)
    wanted = codenames or ("view_turnaudit", "view_turn", "add_replay")
    user.user_permissions.set(Permission.objects.filter(codename__in=wanted))
    return user


def replayed(client, audit, queued, **asked_for):
    """Ask for a replay as an auditor would, run its job, and return its page."""
    form = {"mode": "instant", "row": "", "verifier": "", **asked_for}
    answer = client.post(reverse("audit_replay_ask", args=[audit.pk]), form)
    assert answer.status_code == 302
    [(task, key, collections)] = queued
    assert task == "audit.tasks.replay_turn"
    replay_run(replay_id=UUID(key), collections=[*map(UUID, collections)])
    return client.get(answer.url)


def test_a_replay_shows_both_runs_and_stays_with_the_turn(corpus, client, queued):
    audit = asked()
    client.force_login(auditor())
    page = replayed(client, audit, queued).content.decode()
    assert "Only Iblis refused to bow" in page
    assert "pair-same" in page
    replay = Replay.objects.get()
    assert (replay.state, replay.response["outcome"], bool(replay.trace["candidates"])) == ("done", "grounded", True)
    turn_page = client.get(reverse("audit_turn", args=[audit.pk])).content.decode()
    assert reverse("audit_replay", args=[replay.pk]) in turn_page
    assert Turn.objects.count() == 1, "nothing is recorded as a turn of the reader's"


def test_what_was_withdrawn_since_is_gone_from_the_replay_and_said_to_be(corpus, client, queued):
    audit = asked()
    client.force_login(auditor())
    Lecture.objects.filter(key="first-steps").update(state="draft")
    Chunk.objects.filter(lecture__key="first-steps").update(retrievable=False)
    Collection.objects.update(changed_at="2030-01-01T00:00:00Z")
    page = replayed(client, audit, queued).content.decode()
    assert "No longer said" in page
    assert "No longer in the corpus, or not open to you" in page


def test_another_model_of_the_ladder_and_another_verifier_take_part_in_this_replay_only(corpus, client, queued):
    audit = asked()
    row = Rung.objects.create(job="synthesize", model="scripted:synthesize", enabled=False, max_tokens=400)
    client.force_login(auditor())
    with speaking("synthesize", WRITTEN):
        page = replayed(client, audit, queued, mode="auto", row=str(row.pk), verifier="overlap").content.decode()
    replay = Replay.objects.get()
    assert replay.trace["writing"][0]["served"]["model"] == "scripted:synthesize"
    assert replay.trace["writing"][0]["verifier"].startswith("overlap")
    assert "synthesize by scripted:synthesize, checked by Word overlap" in page
    assert "writing" not in asked(mode="auto").trace, "the row stays switched off for readers"


def test_a_replay_finds_nothing_that_is_closed_to_the_reader_or_to_the_auditor(corpus, client, queued):
    reader = User.objects.create_user("reader")
    audit = asked(viewer_of(reader, None))
    client.force_login(auditor())
    Collection.objects.exclude(key="garden").update(visibility="restricted", changed_at="2030-01-01T00:00:00Z")
    page = replayed(client, audit, queued).content.decode()
    assert "No collection is open to both the reader and you any more." in page


def test_a_conversation_that_its_reader_deleted_fails_with_a_sentence(corpus, client, queued):
    audit = asked()
    client.force_login(auditor())
    Conversation.objects.update(deleted_at=timezone.now())
    page = replayed(client, audit, queued).content.decode()
    assert "The turn was deleted, so there is no question to ask again." in page


def test_replays_are_deleted_with_their_turn(corpus, client, queued):
    audit = asked()
    client.force_login(auditor())
    replayed(client, audit, queued)
    turn_audits_forget(conversation_id=audit.conversation_id, turn_ids=[audit.turn_id], ended=[])
    assert not Replay.objects.exists()


def test_a_question_that_is_not_kept_is_not_asked_again(corpus, client, queued, settings):
    settings.REDACT = "all"
    audit = asked()
    client.force_login(auditor())
    client.post(reverse("audit_replay_ask", args=[audit.pk]), {"mode": "instant"})
    assert not queued
    page = client.get(reverse("audit_turn", args=[audit.pk])).content.decode()
    assert "LECTORIUM_REDACT keeps no question" in page


@pytest.mark.parametrize("form", [{"mode": "fast"}, {"mode": "auto", "row": "gone"}, {"mode": "auto", "verifier": "x"}])
def test_what_cannot_be_tried_is_refused_with_a_sentence(corpus, client, queued, form):
    audit = asked()
    client.force_login(auditor())
    answer = client.post(reverse("audit_replay_ask", args=[audit.pk]), form, follow=True)
    assert not queued
    assert 'role="alert"' in answer.content.decode()


def test_asking_again_needs_its_own_permission_and_reading_it_that_of_turns(corpus, client, queued):
    audit = asked()
    client.force_login(auditor("view_turnaudit"))
    assert client.post(reverse("audit_replay_ask", args=[audit.pk]), {"mode": "instant"}).status_code == 403
    replay = Replay.objects.create(conversation_id=audit.conversation_id, audit=audit, mode="instant")
    assert client.get(reverse("audit_replay", args=[replay.pk])).status_code == 403
    assert "Ask again" not in client.get(reverse("audit_turn", args=[audit.pk])).content.decode()


def test_a_running_replay_looks_again_by_itself(corpus, client, queued):
    audit = asked()
    client.force_login(auditor())
    replay = Replay.objects.create(conversation_id=audit.conversation_id, audit=audit, mode="instant")
    assert client.get(reverse("audit_replay", args=[replay.pk]))["Refresh"] == "3"


def test_the_row_that_one_side_of_a_comparison_tries_ends_with_it(corpus):
    row = Rung.objects.create(job="synthesize", model="scripted:synthesize", enabled=False, max_tokens=400)

    async def both():
        sides = (ReplayOptions("auto", "synthesize", str(row.pk), "overlap"), ReplayOptions("auto"))
        return [await answer_with(QUESTION, (), side) for side in sides]

    with speaking("synthesize", WRITTEN):
        tried, usual = asyncio.run(both())
    assert tried["trace"]["writing"]
    assert "writing" not in usual["trace"]
