"""Titles of lectures in citations, passages found and moments near: in the reader's language, beside the original."""

import json

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from chat.answering.payloads import source_item
from chat.conversations.local_titles import with_translated_titles
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, Turn, TurnEvent
from corpus.models import Chunk
from corpus.selectors import passages
from curation.models import Translation
from curation.translations.services import translation_review, translation_store, translations_sync
from lectorium.threads import in_thread
from tests.chat.sockets import session_for, socket, until_done
from tests.factories import a_collection, a_lecture

pytestmark = pytest.mark.django_db(transaction=True)
TITLE, GERMAN = "The First Steps", "Die ersten Schritte"
QUESTION = "Who refused to bow to the newly made man?"
PLACE = {"kind": "lecture", "title": TITLE, "language": "en", "url": "/lectures/1/", "address": "a:1"}
MACHINE = {"text": GERMAN, "language": "de", "origin": "machine"}


@pytest.fixture(autouse=True)
def german(settings):
    settings.LOCALES = ["de"]


def translate(state="machine"):
    translations_sync(locales=["de"])
    for row in Translation.objects.filter(part="lecture_title", source=TITLE):
        translation_store(row=row, text=GERMAN, author="test")
        Translation.objects.filter(pk=row.pk).update(checks=[])  # it takes “Steps” for a name
        if state == "reviewed":
            translation_review(row=Translation.objects.get(pk=row.pk), text=GERMAN, by=None, despite=True)


@pytest.mark.parametrize("state", ["machine", "reviewed"])
def test_every_place_of_a_lecture_has_its_title_in_the_readers_language(state):
    a_lecture(title=TITLE)
    translate(state)
    sent = with_translated_titles({"sentences": [{"citations": [PLACE]}], "nearest": (PLACE,)}, ("de-at", "en"))
    shown = {**PLACE, "translated_title": {**MACHINE, "origin": state}}
    assert sent == {"sentences": [{"citations": [shown]}], "nearest": [shown]}


@pytest.mark.parametrize("languages", [(), ("en", "de"), ("fr",), ("*",)])
def test_other_readers_get_the_title_alone(languages):
    a_lecture(title=TITLE)
    translate()
    assert with_translated_titles([PLACE], languages) == [PLACE]


@pytest.mark.parametrize("place", [{**PLACE, "kind": "verse"}, {**PLACE, "title": "Another"}, {"title": TITLE}, {}])
def test_nothing_else_gets_a_title(place):
    a_lecture(title=TITLE)
    translate()
    assert with_translated_titles([place], ("de",)) == [place]


def test_what_a_check_objects_to_is_not_shown_and_a_reviewed_title_goes_before_a_machines():
    for key in ("one", "two"):
        a_lecture(title=TITLE, key=key, collection=a_collection(key))
    translate()
    first, second = Translation.objects.filter(part="lecture_title").order_by("pk")
    translation_review(row=first, text="Die ersten Stufen", by=None, despite=True)
    (place,) = with_translated_titles([PLACE], ("de",))
    assert place["translated_title"] == {"text": "Die ersten Stufen", "language": "de", "origin": "reviewed"}
    Translation.objects.filter(pk=first.pk).delete()
    Translation.objects.filter(pk=second.pk).update(checks=[["numbers", "It has 3."]])
    assert with_translated_titles([PLACE], ("de",)) == [PLACE]


async def test_over_the_socket_a_citation_has_it_and_what_is_stored_does_not(corpus):
    await in_thread(translate)
    communicator = socket(await sync_to_async(session_for)(), languages="de,en;q=0.5")
    assert (await communicator.connect())[0]
    await communicator.send_json_to({"type": "ask", "question": QUESTION, "mode": "instant"})
    events = await until_done(communicator)
    cited = [citation for event in events for citation in event.get("citations", ())]
    assert cited
    assert {citation["title"]: citation["translated_title"] for citation in cited} == {TITLE: MACHINE}
    await communicator.disconnect()
    turn = await Turn.objects.aget()
    kept = json.dumps([turn.response, [event.payload async for event in TurnEvent.objects.all()]])
    assert TITLE in kept
    assert GERMAN not in kept


def test_the_page_of_a_conversation_and_the_search_page_have_it(corpus):
    translate()
    client = Client()
    client.get(reverse("chat"))
    own = Conversation.objects.create(visitor=viewer_of(AnonymousUser(), client.session.session_key).visitor)
    Turn.objects.create(conversation=own, question=QUESTION, outcome="refused", response={"nearest": [moment()]})
    page = reverse("conversation", args=[own.pk])
    assert GERMAN in client.get(page, headers={"accept-language": "de"}).content.decode()
    assert GERMAN not in client.get(page).content.decode()
    search = client.get(reverse("search"), {"q": "banyan tree"}, headers={"accept-language": "de"})
    assert "Accept-Language" in search["Vary"]
    assert f'<span lang="de" dir="auto">{GERMAN}</span>' in search.content.decode()
    assert f'Maschinelle Übersetzung von <cite lang="en">{TITLE}</cite>' in search.content.decode()
    assert GERMAN not in client.get(reverse("search"), {"q": "banyan tree"}).content.decode()


@pytest.mark.parametrize("ending", ["md", "html", "json"])
def test_a_saved_file_has_it_beside_the_original_title(corpus, ending):
    translate()
    client = Client()
    client.get(reverse("chat"))
    own = Conversation.objects.create(visitor=viewer_of(AnonymousUser(), client.session.session_key).visitor)
    Turn.objects.create(conversation=own, question=QUESTION, outcome="refused", response={"nearest": [moment()]})
    path = reverse("export", args=[own.pk, ending])
    german = client.get(path, headers={"accept-language": "de"}).content.decode()
    assert GERMAN in german
    assert TITLE in german
    assert GERMAN not in client.get(path).content.decode()


def moment():
    """A nearest moment of a refusal, as it is stored."""
    chunk = Chunk.objects.get(text__contains="banyan tree")
    (passage,) = passages([chunk.pk])
    span = (0, len(passage.text))
    return {**source_item(passage, span), "quote": passage.text}
