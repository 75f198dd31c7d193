"""Opened citations are counted by source and day, and by nobody."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from audit.models import CitationClicks
from chat.conversations import clicks
from tests.audit.feedback_rows import a_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice(django_user_model, client):
    user = django_user_model.objects.create_user("alice")
    client.force_login(user)
    return user


def opened(client, turn, citation=1):
    return client.post(reverse("citation_opened"), {"turn": str(turn), "citation": citation}).status_code


def test_opened_citations_of_a_lecture_are_counted_together(client, alice):
    turn = a_turn(alice)
    assert [opened(client, turn.pk), opened(client, turn.pk)] == [204, 204]
    row = CitationClicks.objects.get()
    assert (row.source, row.clicks) == ("first-steps", 2)
    assert {field.name for field in CitationClicks._meta.fields} == {"id", "day", "source", "clicks"}


def test_turns_of_others_missing_citations_and_malformed_bodies_count_nothing(client, alice, django_user_model):
    turn = a_turn(django_user_model.objects.create_user("bob"))
    tried = [(turn.pk, 1), (uuid.uuid4(), 1), (a_turn(alice).pk, 2), ("x", 1), (turn.pk, "x"), (turn.pk, 0)]
    assert {opened(client, turn, citation) for turn, citation in tried} == {204}
    assert client.get(reverse("citation_opened")).status_code == 405
    assert not CitationClicks.objects.exists()


def test_clicks_without_end_are_no_longer_counted(client, alice, monkeypatch):
    monkeypatch.setattr(clicks, "MOST", 2)
    turn = a_turn(alice)
    assert [opened(client, turn.pk) for _ in range(3)] == [204, 204, 204]
    assert CitationClicks.objects.get().clicks == 2


def test_without_a_cache_every_click_is_counted(client, alice, monkeypatch):
    monkeypatch.setattr("django.core.cache.backends.locmem.LocMemCache.add", lambda *args: 1 / 0)
    assert opened(client, a_turn(alice).pk) == 204
    assert CitationClicks.objects.get().clicks == 1


def test_a_click_needs_the_token_against_forgery(alice):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    assert opened(strict, a_turn(alice).pk) == 403
