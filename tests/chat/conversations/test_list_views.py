"""Alice finds, renames, deletes and restores her conversations; Bob can do none of it to them."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.conversations import retention
from chat.conversations.retention import UNDO_TIME
from chat.conversations.scopes import ScopeChoice, ScopeGroup, contents_line, scope_groups
from chat.conversations.selectors import stored_turns
from chat.conversations.services import event_store
from chat.conversations.sharing import link_make, shared_by
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, Turn
from chat.tasks import tidy_conversations
from tests.factories import a_collection, a_lecture, a_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice(client):
    alice = User.objects.create_user("alice")
    client.force_login(alice)
    return alice


@pytest.fixture
def dharma(alice):
    conversation = Conversation.objects.create(owner=alice, title="A pillar")
    response = {"message": "Nothing here."}
    Turn.objects.create(
        conversation=conversation, question="What is dharma?", outcome="refused", response=response,
        finished_at=timezone.now(),
    )  # fmt: skip
    return conversation


def post(client, name, conversation, **values):
    return client.post(reverse(name, args=[conversation.pk]), values)


def listed(client, words=""):
    return client.get(reverse("conversations"), {"find": words}).content.decode()


def test_a_conversation_is_found_by_its_name_and_by_its_questions(client, dharma):
    for words in ("", "PILLAR", "dharma what", "pillar dharma"):
        assert "A pillar" in listed(client, words)
    assert "A pillar" not in listed(client, "pillar roof")
    assert "A pillar" not in listed(Client(), "pillar")


def test_a_name_is_changed_as_text_and_cannot_be_empty_or_too_long(client, dharma):
    assert post(client, "rename", dharma, title=" <b>Roof</b> ").status_code == 204
    assert "&lt;b&gt;Roof&lt;/b&gt;" in listed(client)
    assert post(client, "rename", dharma, title="  ").json() == {"message": "Write a name."}
    assert post(client, "rename", dharma, title="x" * 201).status_code == 400


def test_a_deleted_conversation_is_hidden_everywhere_until_it_is_restored(client, alice, dharma):
    viewer = viewer_of(alice, None)
    token, _ = link_make(viewer=viewer, conversation_id=dharma.pk)
    page = reverse("conversation", args=[dharma.pk])
    assert post(client, "delete", dharma).status_code == 204
    assert client.get(page).status_code == 404
    assert "A pillar" not in listed(client)
    assert shared_by(token, viewer) is None
    assert post(client, "delete", dharma).status_code == 404
    assert post(client, "rename", dharma, title="Roof").status_code == 404
    tidy_conversations()  # within the time for undoing
    assert post(client, "restore", dharma).status_code == 204
    assert client.get(page).status_code == 200
    assert post(client, "restore", dharma).status_code == 404


def test_a_deleted_conversation_is_removed_once_the_time_for_undoing_is_over(client, dharma):
    post(client, "delete", dharma)
    Conversation.objects.update(deleted_at=timezone.now() - UNDO_TIME - timedelta(seconds=1))
    assert "1 deleted conversations removed" in tidy_conversations()
    assert not Conversation.objects.exists()
    assert not Turn.objects.exists()
    assert post(client, "restore", dharma).status_code == 404


def test_a_conversation_that_is_restored_while_others_are_removed_stays(client, alice, dharma, monkeypatch):
    Conversation.objects.create(owner=alice)
    Conversation.objects.update(deleted_at=timezone.now() - UNDO_TIME - timedelta(seconds=1))
    forget = retention.conversation_forget

    def restore_others_first(*, conversation_id, **more):
        for other in Conversation.objects.exclude(pk=conversation_id):
            assert post(client, "restore", other).status_code == 204
        return forget(conversation_id=conversation_id, **more)

    monkeypatch.setattr(retention, "conversation_forget", restore_others_first)
    assert "1 deleted conversations removed" in tidy_conversations()
    assert Conversation.objects.get().deleted_at is None


@pytest.mark.parametrize("name", ["rename", "delete", "restore"])
def test_another_reader_changes_nothing(client, dharma, name):
    client.force_login(User.objects.create_user("bob"))
    assert post(client, name, dharma, title="Mine").json() == {"message": "This conversation is not there any more."}
    dharma.refresh_from_db()
    assert (dharma.title, dharma.deleted_at) == ("A pillar", None)


def test_where_anonymous_chat_is_off_strangers_are_told_to_sign_in(dharma, settings):
    settings.ANONYMOUS_CHAT = False
    stranger = Client()
    assert stranger.get(reverse("conversations")).status_code == 403
    assert post(stranger, "delete", dharma).json() == {"message": "Sign in first."}


def test_suggested_questions_are_kept_with_their_turn(alice, dharma):
    turn = dharma.turns.get()
    payload = {"type": "suggestions", "items": ["And the roof?"]}
    event_store(conversation_id=dharma.pk, turn_id=turn.pk, seq=9, payload=payload)
    [stored] = stored_turns(dharma.pk, viewer_of(alice, None))
    assert stored["suggestions"] == ["And the roof?"]


def test_a_question_can_be_narrowed_to_what_its_reader_may_see(settings):
    series, hidden = "Dawn, noon and dusk", "Behind the door"
    a_lecture(key="dawn", series=series)
    a_work({"Job 1:1": "There was a man."}, key="bible", title="Bible")
    a_lecture(key="door", series=hidden, collection=a_collection("members", "members"))
    groups = scope_groups(viewer_of(AnonymousUser(), "reader"))
    shown = {group.name: [(choice.value, choice.title) for choice in group.choices] for group in groups}
    assert shown == {"Series": [("series:Dawn%2C noon and dusk", series)], "Works": [("work:bible", "Bible")]}
    assert contents_line(groups) == f"{series} · Bible"
    assert {choice.language for group in groups for choice in group.choices} == {"en"}
    chosen = viewer_of(AnonymousUser(), "reader", "series:Dawn%2C noon and dusk,work:bible")
    assert len(chosen.sources) == 2
    assert viewer_of(AnonymousUser(), "reader", f"series:{hidden}").collections == ()


def test_a_title_in_the_scope_picker_names_its_language_where_it_has_one():
    a_lecture("Das erste.", key="eins", title="Eins", series="Abende", language="de")
    a_lecture("The second.", key="two", title="Two", series="Evenings", language="en")
    a_lecture("Das dritte.", key="drei", title="Drei", series="Evenings", language="de")
    [group] = scope_groups(viewer_of(AnonymousUser(), "reader"))
    assert {choice.title: choice.language for choice in group.choices} == {"Abende": "de", "Evenings": ""}
    text = Client().get(reverse("chat")).content.decode()
    assert '<option value="series:Abende" lang="de">Abende</option>' in text
    assert '<option value="series:Evenings">Evenings</option>' in text


def test_a_large_corpus_is_named_by_its_first_titles_and_how_many_more_there_are():
    group = ScopeGroup("Works", tuple(ScopeChoice(f"work:{n}", f"Book {n}") for n in range(1, 1206)))
    assert contents_line((group,)) == "Book 1 · Book 2 · Book 3 · Book 4 · and 1,201 more"
