"""Alice may see the hidden garden, asks about it, and then may not any more."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from chat.answering.domain.question import Mode, Question
from chat.conversations.domain.masking import SAYS
from chat.conversations.services import turn_start
from chat.conversations.viewers import viewer_of
from chat.models import Turn
from corpus.models import Collection, Lecture
from corpus.services import source_withdraw
from lectorium.threads import in_thread
from tests.chat.sockets import session_for, socket, until_done

pytestmark = pytest.mark.django_db(transaction=True)

HIDDEN = {"type": "ask", "question": "Where did the gardener bury the silver compass?", "mode": "instant"}
REFUSED = {**HIDDEN, "question": "Which silver gardener discovered penicillin in London?"}


async def said_to(user, message):
    communicator = socket(await in_thread(session_for, user))
    await communicator.connect()
    await communicator.send_json_to(message)
    events = await until_done(communicator)
    await communicator.disconnect()
    return events


@pytest.fixture
def alice(corpus, people):
    group = Group.objects.create(name="gardeners")
    Collection.objects.get(key="garden").groups.add(group)
    people["alice"].groups.add(group)
    return people["alice"]


def page_of(user, conversation):
    client = Client()
    client.force_login(user)
    return client.get(f"/c/{conversation}/").content.decode()


def history_of(user, conversation):
    viewer = viewer_of(user, None)
    _, question = turn_start(question=Question("And when?", viewer, Mode.INSTANT, "en"), conversation_id=conversation)
    return " ".join(message.content for message in question.history)


def leave_group(user):
    user.groups.clear()


def withdraw(user):
    source_withdraw(source=Lecture.objects.get(title="The Hidden Garden"))


@pytest.mark.parametrize("ends", [leave_group, withdraw])
async def test_what_a_reader_may_no_longer_see_is_gone_from_page_resume_and_history(alice, ends):
    asked = await said_to(alice, HIDDEN)
    conversation, turn = asked[0]["conversation"], asked[0]["turn"]
    resume = {"type": "resume", "turn": turn, "after": 0}
    assert "almond" in await in_thread(page_of, alice, conversation)
    assert await said_to(alice, resume) == asked
    await in_thread(ends, alice)
    page = await in_thread(page_of, alice, conversation)
    resumed = await said_to(alice, resume)
    history = await in_thread(history_of, alice, conversation)
    for shown in (page, str(resumed), history):
        assert "almond" not in shown
        assert "Hidden Garden" not in shown
        assert SAYS in shown
    assert resumed[-1]["outcome"] == "grounded"


async def test_a_follow_up_that_was_spelled_out_in_sight_of_what_is_gone_is_history_as_it_was_asked(alice):
    asked = await said_to(alice, HIDDEN)
    await said_to(alice, {**HIDDEN, "question": "And why?", "conversation": asked[0]["conversation"]})
    follow_up = await Turn.objects.exclude(pk=asked[0]["turn"]).aget()
    spelled = {"standalone_question": "Why under the almond?"}
    await Turn.objects.filter(pk=follow_up.pk).aupdate(response={**follow_up.response, **spelled}, **spelled)
    assert "almond?" in await in_thread(history_of, alice, asked[0]["conversation"])
    await in_thread(leave_group, alice)
    history = await in_thread(history_of, alice, asked[0]["conversation"])
    assert "almond" not in history
    assert "And why?" in history


async def test_events_of_a_turn_whose_record_was_lost_are_looked_up_by_their_words(alice):
    asked = await said_to(alice, HIDDEN)
    await Turn.objects.aupdate(response={})
    resume = {"type": "resume", "turn": asked[0]["turn"], "after": 0}
    assert await said_to(alice, resume) == asked
    await in_thread(leave_group, alice)
    assert "almond" not in str(await said_to(alice, resume))


async def test_a_refusals_nearest_moments_are_those_that_may_still_be_seen(alice):
    asked = await said_to(alice, REFUSED)
    assert "almond" in str(asked)
    await in_thread(leave_group, alice)
    assert "almond" not in await in_thread(page_of, alice, asked[0]["conversation"])
    resumed = await said_to(alice, {"type": "resume", "turn": asked[0]["turn"], "after": 0})
    assert "almond" not in str(resumed)
    assert SAYS not in str(resumed)


async def test_words_that_stand_in_another_passage_now_are_still_shown(alice):
    asked = await said_to(alice, HIDDEN)

    def moved():
        turn = Turn.objects.get(pk=asked[0]["turn"])
        for reference in turn.response["references"]:
            reference["chunk"] = str(turn.pk)  # no chunk's
        turn.save()
        return page_of(alice, asked[0]["conversation"])

    assert "almond" in await in_thread(moved)
