"""Over the API our own sentences and the titles of lectures come in the language of the Accept-Language header."""

import pytest

from chat.answering.domain.refusals import MESSAGES
from chat.models import Turn
from curation.models import Translation
from curation.translations.services import translation_store, translations_sync
from lectorium.threads import in_thread
from tests.api.conftest import QUESTION

pytestmark = pytest.mark.django_db(transaction=True)
GERMAN = {"text": "Die ersten Schritte", "language": "de", "origin": "machine"}


def translate():
    translations_sync(locales=["de"])
    row = Translation.objects.get(part="lecture_title", source="The First Steps")
    translation_store(row=row, text=GERMAN["text"], author="test")
    Translation.objects.update(checks=[])  # it takes “Steps” for a name


async def test_a_citation_a_passage_and_a_stored_turn_have_the_translated_title(corpus, alice, settings):
    settings.LOCALES = ["de"]
    await in_thread(translate)
    asked = {"question": QUESTION, "mode": "instant"}
    answer = await alice.post("/api/v1/ask", asked, **{"Accept-Language": "de"})
    assert "Accept-Language" in answer["Vary"]
    body = answer.json()
    assert [citation["translated_title"] for citation in body["citations"]] == [GERMAN] * len(body["citations"])
    plain = (await alice.post("/api/v1/ask", asked)).json()
    assert plain["citations"]
    assert {citation["translated_title"] for citation in plain["citations"]} == {None}
    turn = await Turn.objects.order_by("started_at").afirst()
    stored = (f"conversations/{turn.conversation_id}", f"citations/{turn.pk}/1", "search?q=banyan")
    for path in (f"/api/v1/{end}" for end in stored):
        found = await alice.call("GET", path, **{"Accept-Language": "de"})
        assert GERMAN["text"] in found.content.decode(), path
        assert GERMAN["text"] not in (await alice.get(path)).content.decode(), path


async def test_our_own_sentences_come_in_the_language_that_is_asked_for(corpus, alice):
    asked = {"question": "Who discovered penicillin in London?", "mode": "instant"}
    german = (await alice.post("/api/v1/ask", asked, **{"Accept-Language": "de"})).json()
    english = (await alice.post("/api/v1/ask", asked)).json()
    assert (
        german["message"]
        == german["answer"]
        == ("Dazu habe ich in diesen Quellen nichts gefunden, und raten will ich nicht.")
    )
    assert english["message"] == MESSAGES["outside_corpus"]
    assert [body["reason"] for body in (german, english)] == ["outside_corpus"] * 2
    assert {turn.response["message"] async for turn in Turn.objects.all()} == {MESSAGES["outside_corpus"]}


async def test_an_error_and_a_completion_do_too(corpus, alice):
    empty = await alice.post("/api/v1/ask", {"question": " "}, **{"Accept-Language": "es"})
    assert empty.status_code == 400
    assert empty.json()["error"] == {"code": "bad_request", "message": "Primero hay que escribir una pregunta."}
    spoken = {"model": "lectorium-instant", "messages": [{"role": "user", "content": "Hello!"}]}
    answer = (await alice.post("/v1/chat/completions", spoken, **{"Accept-Language": "hi"})).json()
    assert answer["choices"][0]["message"]["content"].startswith("नमस्ते")
