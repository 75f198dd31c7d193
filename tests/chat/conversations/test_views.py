import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.conversations.selectors import events_after, turn_of
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, Turn, TurnEvent
from corpus.models import Collection, Lecture

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice():
    return User.objects.create_user("alice", password="apple-tree-17")


@pytest.fixture
def bob():
    return User.objects.create_user("bob", password="brook-stone-23")


@pytest.fixture
def alices(alice):
    conversation = Conversation.objects.create(owner=alice, title="What is dharma?")
    Turn.objects.create(
        conversation=conversation,
        question="What is </script><b>dharma</b>?",
        outcome="refused",
        response={"message": "Nothing here."},
    )
    return conversation


def page(conversation):
    return reverse("conversation", args=[conversation.pk])


def turns_in(response):
    text = response.content.decode()
    start = text.index('<script id="turns" type="application/json">') + len(
        '<script id="turns" type="application/json">'
    )
    return json.loads(text[start : text.index("</script>", start)])


def test_a_reader_without_an_account_gets_a_session_to_hang_conversations_on(client):
    response = client.get(reverse("chat"))
    assert response.status_code == 200
    assert client.cookies["sessionid"].value
    assert 'data-socket="/ws/chat/"' in response.content.decode()


def test_where_anonymous_chat_is_off_a_reader_is_sent_to_sign_in(client, settings):
    settings.ANONYMOUS_CHAT = False
    assert client.get(reverse("chat")).headers["Location"] == f"{reverse('login')}?next=/"


def test_an_owner_sees_the_stored_turns_of_a_conversation_and_nothing_breaks_out_of_the_data(client, alice, alices):
    client.force_login(alice)
    response = client.get(page(alices))
    assert "<b>dharma" not in response.content.decode()
    (turn,) = turns_in(response)
    assert turn["question"] == "What is </script><b>dharma</b>?"
    assert turn["outcome"] == "refused"
    assert turn["response"] == {"message": "Nothing here."}


def test_a_conversation_of_another_is_as_good_as_none(client, bob, alices):
    assert client.get(page(alices)).status_code == 404
    client.force_login(bob)
    assert client.get(page(alices)).status_code == 404
    assert "What is dharma?" not in client.get(reverse("chat")).content.decode()


def test_an_anonymous_conversation_belongs_to_one_browser(client):
    client.get(reverse("chat"))
    viewer = viewer_of(AnonymousUser(), client.session.session_key)
    conversation = Conversation.objects.create(visitor=viewer.visitor, title="Mine")
    assert client.get(page(conversation)).status_code == 200
    other = Client()
    other.get(reverse("chat"))
    assert other.get(page(conversation)).status_code == 404


def test_titles_are_shown_as_text(client, alice):
    Conversation.objects.create(owner=alice, title="<img src=x onerror=alert(1)>")
    client.force_login(alice)
    text = client.get(reverse("chat")).content.decode()
    assert "<img" not in text
    assert "&lt;img src=x" in text


def test_an_empty_corpus_says_so_and_offers_no_examples(client):
    text = client.get(reverse("chat")).content.decode()
    assert "Nothing has been imported yet" in text
    assert "data-question" not in text


def test_examples_are_offered_to_those_who_see_a_sample_lecture(client, settings, tmp_path):
    settings.SAMPLES_DIR = tmp_path
    questions = {
        "answerable": [{"question": f"Question {n}?", "expect": ["first-evening"]} for n in range(8)]
        + [{"question": "Of a lecture that is not here?", "expect": ["second-evening"]}],
        "refused": [{"question": "Who won the cup?"}, {"question": "Who lost it?"}],
    }
    (tmp_path / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    collection = Collection.objects.create(key="library", title="Library")
    Lecture.objects.create(collection=collection, key="first-evening", title="First evening", source_hash="1")
    text = client.get(reverse("chat")).content.decode()
    assert text.count('data-question="Question') == 4
    assert text.count("see how it declines") == 1
    assert "not here?" not in text
    Collection.objects.update(visibility="restricted")
    assert "data-question" not in client.get(reverse("chat")).content.decode()


def test_the_scope_is_offered_only_where_there_is_a_choice_and_names_no_hidden_collection(client):
    Collection.objects.create(key="library", title="Library")
    Collection.objects.create(key="vault", title="Vault", visibility="restricted")
    assert 'id="scope"' not in client.get(reverse("chat")).content.decode()
    Collection.objects.create(key="letters", title="Letters")
    text = client.get(reverse("chat")).content.decode()
    assert 'value="letters"' in text
    assert "Vault" not in text


def test_more_conversations_cost_no_more_queries(client, alice, django_assert_max_num_queries):
    client.force_login(alice)
    for number in range(30):
        Conversation.objects.create(owner=alice, title=f"Question {number}")
    with django_assert_max_num_queries(14):
        client.get(reverse("chat"))


def test_only_an_owner_may_take_up_a_turn_and_gets_what_was_missed(alice, bob, alices):
    turn = Turn.objects.get()
    for seq in (3, 1, 2):
        TurnEvent.objects.create(conversation=alices, turn=turn, seq=seq, payload={"seq": seq})
    assert turn_of(turn.pk, viewer_of(alice, None)) == turn
    assert turn_of(turn.pk, viewer_of(bob, None)) is None
    assert events_after(turn, 1) == [{"seq": 2}, {"seq": 3}]


def test_every_page_forbids_inline_script_and_style(client):
    for url in ("/", "/search/", "/lectures/", reverse("login"), "/nothing/"):
        response = client.get(url)
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "style=" not in response.content.decode()


def test_old_conversations_come_after_new_ones(client, alice):
    for title, days in (("older", 2), ("newer", 1)):
        conversation = Conversation.objects.create(owner=alice, title=title)
        Conversation.objects.filter(pk=conversation.pk).update(updated_at=timezone.now() - timedelta(days=days))
    client.force_login(alice)
    text = client.get(reverse("chat")).content.decode()
    assert text.index(">newer<") < text.index(">older<")
