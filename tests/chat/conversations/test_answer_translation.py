"""An answer is translated on request: only for its reader, and once for each language."""

import asyncio

import pytest
from django.core.cache import cache
from django.urls import reverse

from lectorium.providers.stand_ins.scripted import Reply
from tests.audit.feedback_rows import QUOTE, a_turn
from tests.chat.authors import give, speaking
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db(transaction=True)
GERMAN = "Iblis wollte sich nicht verneigen."


@pytest.fixture
def turn(client, django_user_model):
    cache.clear()
    alice = django_user_model.objects.create_user("alice")
    client.force_login(alice)
    a_lecture(QUOTE, key="first-steps")
    asyncio.run(give("translate"))
    return a_turn(alice)


def translation(client, turn):
    answer = client.post(reverse("answer_translation"), {"turn": turn}, headers={"Accept-Language": "de"})
    return answer.status_code, answer.json()


def test_each_paragraph_is_translated_once_for_the_language_of_the_page(client, turn):
    with speaking("translate", GERMAN) as model:
        assert translation(client, turn.pk) == translation(client, turn.pk) == (200, {"paragraphs": [GERMAN]})
    [messages] = model.asked
    assert "into German" in messages[0].text
    assert "| Iblis would not bow." in messages[1].text


def test_another_readers_answer_and_no_answer_at_all_look_the_same(client, turn, django_user_model):
    client.force_login(django_user_model.objects.create_user("bob"))
    gone = (404, {"message": "Diese Antwort gibt es nicht mehr."})
    assert translation(client, turn.pk) == translation(client, "nonsense") == gone


def test_a_model_that_fails_is_said_in_a_sentence_and_the_page_offers_only_what_a_model_does(client, turn):
    with speaking("translate", Reply(fault="rate_limited")):
        status, body = translation(client, turn.pk)
    assert (status, "keine Übersetzung" in body["message"]) == (503, True)
    assert reverse("answer_translation") in client.get(reverse("chat")).text
