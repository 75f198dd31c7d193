"""The question box in other sites' frames: who may show it, and that it knows nobody."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from chat.models import Conversation, Turn
from corpus.models import Collection

HOST = "https://lectures.example.org"
ASKED = "Who refused to bow to the newly made man?"
SENTENCE = "This site is not allowed to show Lectorium."


@pytest.fixture
def allowed(corpus, settings):
    settings.EMBED_ORIGINS = [HOST]


def address(origin=HOST, **more):
    return reverse("embed", query={"origin": origin, **more})


def ask(question=ASKED, client=None, **fields):
    return (client or Client()).post(address(), {"question": question, **fields})


def ancestors(response):
    return re.search(r"frame-ancestors ([^;]*)", response.headers["Content-Security-Policy"]).group(1)


def fields_of(response):
    """The hidden fields of the form, as its next question sends them."""
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', response.content.decode()))


def test_only_the_allowed_sites_may_frame_the_page_and_no_site_any_other_page(allowed, client):
    response = client.get(address())
    assert response.status_code == 200
    assert ancestors(response) == HOST
    assert "X-Frame-Options" not in response.headers
    for page in ("chat", "search", "lectures"):
        other = client.get(reverse(page))
        assert ancestors(other) == "'none'"
        assert other.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("origin", ["https://other.example.org", HOST.replace("https", "http"), f"{HOST}:8443"])
def test_a_site_that_is_not_allowed_shows_one_sentence_and_nothing_else(allowed, client, origin):
    response = client.get(address(origin))
    text = response.content.decode()
    assert response.status_code == 403
    assert ancestors(response) == origin
    assert SENTENCE in text
    assert not re.search(r"<(form|input|a|script|button)\b", text)


@pytest.mark.parametrize("origin", ["", "null", "*", f"{HOST}/path", "https://a.org https://b.org", "https://a.org;x"])
def test_what_is_no_origin_gets_the_sentence_and_may_not_frame_it(allowed, client, origin):
    response = client.get(address(origin))
    assert (response.status_code, ancestors(response)) == (403, "'none'")
    assert SENTENCE in response.content.decode()


@pytest.mark.django_db
def test_by_default_no_site_may_show_it(client):
    assert client.get(address()).status_code == 403
    assert client.post(address(), {"question": ASKED}).status_code == 403


def test_where_anonymous_chat_is_off_the_sentence_says_so(allowed, client, settings):
    settings.ANONYMOUS_CHAT = False
    response = client.get(address())
    assert response.status_code == 403
    assert "signed in" in response.content.decode()


def test_a_question_is_answered_without_any_cookie(allowed):
    client = Client(enforce_csrf_checks=True)
    response = ask(client=client)
    text = response.content.decode()
    assert response.status_code == 200
    assert not client.cookies
    assert "Only Iblis refused to bow" in text
    assert 'data-lecture="first-steps"' in text
    assert 'target="_blank"' in text


@pytest.mark.parametrize("sender", [HOST, "https://other.example.org", "null"])
def test_no_other_page_asks_in_the_name_of_its_visitors(allowed, sender):
    response = Client(headers={"origin": sender}).post(address(), {"question": ASKED})
    assert response.status_code == 403
    assert not Turn.objects.exists()
    assert Client(headers={"origin": "http://testserver"}).post(address(), {"question": ASKED}).status_code == 200


@pytest.mark.parametrize("question", ["", ASKED])
def test_the_frame_speaks_the_language_of_the_browser(allowed, question):
    client = Client(headers={"accept-language": "de"})
    for response in (client.get(address()), client.post(address(), {"question": question})):
        text = response.content.decode()
        assert '<html lang="de"' in text
        assert "Stellen Sie eine Frage…" in text
        assert "Accept-Language" in response.headers["Vary"]
    assert ("Geben Sie zuerst eine Frage ein." if not question else "Im Wortlaut:") in text
    assert "Diese Website darf" in client.get(address("https://other.example.org")).content.decode()


def test_a_frame_goes_on_with_its_own_conversation_and_with_no_other(allowed):
    first = fields_of(ask())
    second = ask("Who was he?", **first)
    assert second.status_code == 200
    assert second.content.decode().count('class="question"') == 2
    stranger = ask("And then?", conversation=first["conversation"])
    assert stranger.status_code == 404
    assert "Iblis" not in stranger.content.decode()
    assert Turn.objects.count() == 2


def test_a_key_that_was_not_signed_here_begins_a_new_conversation(allowed):
    response = ask(reader="forged")
    assert response.status_code == 200
    assert Conversation.objects.get().visitor


def test_an_account_of_this_site_counts_for_nothing_in_a_frame(allowed, people):
    client = Client()
    client.force_login(people["carol"])
    response = ask("Where did the gardener bury the silver compass?", client=client)
    assert "almond" not in response.content.decode()
    assert Conversation.objects.get().owner is None


def test_a_question_within_a_scope_that_nobody_may_see_is_refused(allowed):
    Collection.objects.filter(key="library").update(visibility="members")
    assert "Iblis refused" not in ask().content.decode()


@pytest.mark.parametrize("question", ["", "x" * 2001])
def test_an_invalid_question_is_explained_and_stays_in_the_box(allowed, question):
    response = ask(question)
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()
    assert f'value="{question}"' in response.content.decode()
    assert not Turn.objects.exists()


@pytest.mark.parametrize(("theme", "shown"), [("dark", ' data-theme="dark"'), ('"><b>', ""), ("", "")])
def test_the_other_site_may_choose_the_colours(allowed, client, theme, shown):
    assert f'dir="ltr"{shown}>' in client.get(address(theme=theme)).content.decode()


def test_markup_in_a_question_is_shown_as_text(allowed):
    text = ask("<script>alert(1)</script> who refused to bow?").content.decode()
    assert "<script>alert" not in text


def test_anonymous_limits_apply(allowed, settings):
    settings.QUESTIONS_OF_AN_ADDRESS = 1
    assert ask().status_code == 200
    refused = ask()
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
