"""A link shows one conversation, as far as it went, to whoever has it: what its owner and they may see, and no name."""

import asyncio
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.conversations import sharing
from chat.conversations.domain.masking import SAYS
from chat.conversations.retention import turns_expire
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, SharedLink, Turn
from corpus.models import Collection, Lecture
from corpus.services import source_withdraw
from tests.chat.turns import run_recorded

HIDDEN = "Where did the gardener bury the silver compass?"
OPEN = "Who refused to bow to the newly made man?"
NEAR = "Which silver gardener discovered penicillin in London?"


@pytest.fixture
def gardeners(corpus, people):
    group = Group.objects.create(name="gardeners")
    Collection.objects.get(key="garden").groups.add(group)
    people["alice"].groups.add(group)
    return group


@pytest.fixture
def address(client, people, gardeners):
    """Alice's link to an answer from the open library, one from the hidden garden, and a refusal near to it."""
    viewer = viewer_of(people["alice"], None)
    first = asyncio.run(run_recorded(OPEN, viewer))[0]
    for question in (HIDDEN, NEAR):
        asyncio.run(run_recorded(question, viewer, conversation=first.conversation_id))
    client.force_login(people["alice"])
    return shared(client, Conversation.objects.get()).json()["url"]


@pytest.fixture
def alice(db):
    return User.objects.create_user("alice")


def shared(client, conversation, name="share"):
    return client.post(reverse(name, args=[conversation.pk]))


def text_at(address, user=None):
    reader = Client()
    if user:
        reader.force_login(user)
    response = reader.get(address)
    assert response.status_code == 200
    return response.content.decode()


def is_gone(address):
    return Client().get(address).status_code == 404


def a_conversation(owner, *questions, **kept):
    conversation = Conversation.objects.create(owner=owner, title="Kept", **kept)
    for question in questions:
        ended = {"outcome": "no_retrieval", "response": {"message": "Hello."}, "finished_at": timezone.now()}
        Turn.objects.create(conversation=conversation, question=question, **ended)
    return conversation


def test_the_owner_and_a_reader_of_the_same_collections_see_it_whole(address, people, gardeners):
    people["bob"].groups.add(gardeners)
    for user in (people["alice"], people["bob"]):
        text = text_at(address, user)
        assert "Only Iblis refused to bow" in text
        assert "almond" in text
        assert SAYS not in text
        assert "Searched: 2 lectures" in text


@pytest.mark.parametrize("name", [None, "bob"])
def test_a_visitor_without_the_group_sees_what_is_open_and_no_trace_of_the_rest(address, people, name):
    text = text_at(address, people.get(name))
    assert "Only Iblis refused to bow" in text
    assert SAYS in text
    for hidden in ("almond", "Hidden Garden", "Searched", "garden:", str(Lecture.objects.get(key="garden").pk)):
        assert hidden not in text


def test_words_that_a_visitor_finds_elsewhere_do_not_name_a_source_that_they_may_not_open(address, people):
    turn = Turn.objects.get(question=HIDDEN)
    for cited in turn.response["citations"]:
        cited["quote"] = "Only Iblis refused to bow to the newly made man."
    turn.save()
    assert "Hidden Garden" not in text_at(address, people["bob"])


def leave_group():
    User.objects.get(username="alice").groups.clear()


def withdraw():
    source_withdraw(source=Lecture.objects.get(title="The Hidden Garden"))


@pytest.mark.parametrize("ends", [leave_group, withdraw])
def test_what_its_owner_may_no_longer_see_is_shown_to_nobody(address, people, ends):
    assert "almond" in text_at(address, people["carol"])
    ends()
    assert "almond" not in text_at(address, people["carol"])


def test_a_visitor_gets_no_name_no_menu_and_no_way_to_ask_on(address):
    text = text_at(address)
    for word in ("alice", "Save", "Share", "Feedback", "<script", "<textarea"):
        assert word not in text
    assert text.count("<form") == text.count('<form method="post" action="/language/">') == 1
    response = Client().get(address)
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert '<meta name="robots" content="noindex">' in text
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert {"private", "no-store"} <= set(response.headers["Cache-Control"].split(", "))


def test_later_questions_and_those_that_were_still_running_are_not_in_it(client, alice):
    conversation = a_conversation(alice, "Before?")
    running = Turn.objects.create(conversation=conversation, question="Running?")
    client.force_login(alice)
    address = shared(client, conversation).json()["url"]
    Turn.objects.filter(pk=running.pk).update(outcome="no_retrieval", finished_at=timezone.now())
    Turn.objects.create(conversation=conversation, question="After?", outcome="failed", finished_at=timezone.now())
    text = text_at(address)
    assert "Before?" in text
    assert "Running?" not in text
    assert "After?" not in text


def test_a_link_is_kept_as_a_hash_and_made_anew_ends_the_one_before(client, alice):
    conversation = a_conversation(alice, "Who?")
    client.force_login(alice)
    first, second = (shared(client, conversation).json()["url"] for _ in range(2))
    link = SharedLink.objects.get()
    token = second.rstrip("/").rpartition("/")[2]
    assert len(token) * 6 >= 128
    assert token not in str(vars(link))
    assert is_gone(first)
    assert "Who?" in text_at(second)


def test_a_revoked_link_is_as_good_as_one_that_never_was(client, alice):
    conversation = a_conversation(alice, "Who?")
    client.force_login(alice)
    address = shared(client, conversation).json()["url"]
    assert "Shared since" in client.get(reverse("conversation", args=[conversation.pk])).content.decode()
    assert shared(client, conversation, "unshare").status_code == 200
    revoked, never = (Client().get(url) for url in (address, reverse("shared", args=["A" * 43])))
    assert (revoked.status_code, revoked.content) == (never.status_code, never.content)
    assert revoked.status_code == 404
    assert "Shared since" not in client.get(reverse("conversation", args=[conversation.pk])).content.decode()


@pytest.mark.parametrize("name", ["share", "unshare"])
def test_only_its_owner_makes_or_revokes_a_link_by_post_with_a_token(client, alice, name):
    conversation = a_conversation(alice, "Who?")
    sharing.link_make(viewer=viewer_of(alice, None), conversation_id=conversation.pk)
    kept = SharedLink.objects.get().token_hash
    for user in (None, User.objects.create_user("bob"), User.objects.create_superuser("carol")):
        if user:
            client.force_login(user)
        assert shared(client, conversation, name).status_code == 404
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    assert shared(strict, conversation, name).status_code == 403
    assert strict.get(reverse(name, args=[conversation.pk])).status_code == 405
    assert SharedLink.objects.get().token_hash == kept


def test_a_reader_without_an_account_shares_from_their_own_browser(client, db):
    client.get(reverse("chat"))
    viewer = viewer_of(AnonymousUser(), client.session.session_key)
    conversation = a_conversation(None, "Who?", visitor=viewer.visitor)
    assert shared(Client(), conversation).status_code == 404
    assert "Who?" in text_at(shared(client, conversation).json()["url"])


def test_where_anonymous_chat_is_off_visitors_sign_in_whatever_the_address(client, alice, settings):
    client.force_login(alice)
    address = shared(client, a_conversation(alice, "Who?")).json()["url"]
    settings.ANONYMOUS_CHAT = False
    for url in (address, reverse("shared", args=["nothing"])):
        assert Client().get(url).headers["Location"].startswith(reverse("login"))
    assert "Who?" in text_at(address, User.objects.create_user("bob"))


def test_a_reader_is_told_when_they_share_too_much_or_nothing(client, alice, monkeypatch):
    monkeypatch.setattr(sharing, "LINKS_OF_A_READER", 1)
    first, second = (a_conversation(alice, "Who?") for _ in range(2))
    client.force_login(alice)
    empty = shared(client, a_conversation(alice))
    assert (empty.status_code, empty.json()["message"]) == (409, sharing.NOTHING)
    assert [shared(client, token).status_code for token in (first, first, second)] == [200, 200, 409]
    assert shared(client, second).json()["message"] == sharing.TOO_MANY % {"most": 1}


def test_a_link_goes_with_its_conversation_with_its_turns_and_with_its_reader(client, alice, settings):
    conversation = a_conversation(alice, "Who?")
    client.force_login(alice)
    address = shared(client, conversation).json()["url"]
    User.objects.update(is_active=False)
    assert is_gone(address)
    User.objects.update(is_active=True)
    Turn.objects.update(started_at=timezone.now() - timedelta(days=9))
    Turn.objects.create(conversation=conversation, question="New?")
    settings.RETENTION_DAYS = 5
    turns_expire()
    assert is_gone(address)
    assert not SharedLink.objects.exists()
    other = a_conversation(alice, "Who?")
    address = sharing.link_make(viewer=viewer_of(alice, None), conversation_id=other.pk)[0]
    call_command("forget_user", "--user", "alice", "--yes", stdout=StringIO())
    assert is_gone(reverse("shared", args=[address]))
    assert not SharedLink.objects.exists()
