"""What other programs are told of a shared conversation: its title, while it is shared."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.models import Conversation, Turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    client = Client()
    client.force_login(User.objects.create_user("alice"))
    return client


@pytest.fixture
def conversation(owner):
    conversation = Conversation.objects.create(owner=User.objects.get(), title='What is "work"?')
    ended = {"outcome": "no_retrieval", "response": {"message": "Hello."}, "finished_at": timezone.now()}
    Turn.objects.create(conversation=conversation, question="What is work?", **ended)
    return conversation


@pytest.fixture
def shared_url(owner, conversation):
    return owner.post(reverse("share", args=[conversation.pk])).json()["url"]


def described(url, **more):
    return Client().get(reverse("oembed"), {"url": url, **more})


def test_a_shared_page_leads_to_its_description(shared_url):
    page = Client().get(shared_url).content.decode()
    link = unescape(re.search(r'type="application/json\+oembed" href="([^"]+)"', page).group(1))
    response = Client().get(link)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.json() == {
        "version": "1.0",
        "type": "link",
        "title": 'What is "work"?',
        "cache_age": 3600,
        "provider_name": "Lectorium",
        "provider_url": "http://testserver/",
    }


def test_a_revoked_link_is_described_no_more(owner, conversation, shared_url):
    owner.post(reverse("unshare", args=[conversation.pk]))
    assert described(shared_url).status_code == 404


@pytest.mark.parametrize(
    "url", ["", "s/abc/", "/s/abc/", "javascript:alert(1)", "http://", "http://[::1/s/a/", "http://a:99999/s/b/",
            "http://testserver/s/" + "a" * 2000 + "/"],
)  # fmt: skip
def test_a_malformed_address_is_refused_with_a_sentence(url):
    response = described(url)
    assert response.status_code == 400
    assert "url" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "url", ["http://testserver/s/absent/", "http://testserver/", "http://testserver/nowhere/", "https://evil.example/s/a/",
            "http://testserver@evil.example/s/a/"],
)  # fmt: skip
def test_what_is_not_shared_here_is_not_found(url):
    assert described(url).status_code == 404


def test_the_address_of_another_host_is_not_ours_even_with_a_live_token(shared_url):
    assert described(shared_url.replace("testserver", "evil.example")).status_code == 404


def test_other_formats_are_not_offered(shared_url):
    assert described(shared_url, format="json").status_code == 200
    assert described(shared_url, format="xml").status_code == 501


def test_where_readers_must_sign_in_nothing_is_described(shared_url, settings):
    settings.ANONYMOUS_CHAT = False
    assert described(shared_url).status_code == 401
