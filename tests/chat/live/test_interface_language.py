"""Over the socket our own sentences come in the reader's interface language; what is stored does not change."""

import pytest
from asgiref.sync import sync_to_async

from chat.answering.domain.refusals import CLOSEST, MESSAGES, SMALL_TALK
from chat.models import Turn, TurnEvent
from tests.chat.live.test_consumer import QUESTION, asked
from tests.chat.sockets import session_for, socket

pytestmark = pytest.mark.django_db(transaction=True)
OURS = {*MESSAGES.values(), CLOSEST}


async def connected(**how):
    communicator = socket(await sync_to_async(session_for)(), **how)
    assert (await communicator.connect())[0]
    return communicator


async def test_a_refusal_is_told_in_german_and_stored_in_english(corpus):
    reader = await connected(languages="de-AT,en;q=0.5")
    events = await asked(reader, {**QUESTION, "question": "Who discovered penicillin in London?"})
    refusal = next(event for event in events if event["type"] == "refusal")
    assert refusal["reason"] == "outside_corpus"
    assert refusal["message"] == "Dazu habe ich in diesen Quellen nichts gefunden, und raten will ich nicht."
    assert refusal["next_step"].startswith("Versuchen Sie es mit einem Thema")
    assert "Vortrag" in refusal["searched"]
    assert events[0]["detail"] == "Ihre Frage wird gelesen"
    stored = await Turn.objects.aget()
    assert stored.response["message"] == MESSAGES["outside_corpus"]
    assert (stored.outcome, stored.response["reason"]) == ("refused", "outside_corpus")
    kept = await TurnEvent.objects.aget(payload__type="refusal")
    assert kept.payload["message"] == MESSAGES["outside_corpus"]
    await reader.disconnect()


async def test_the_choice_in_the_cookie_comes_before_what_the_browser_asks_for(corpus):
    session = await sync_to_async(session_for)()
    reader = socket(session, languages="de", cookies="django_language=hi")
    assert (await reader.connect())[0]
    notice = next(
        event for event in await asked(reader, {**QUESTION, "question": "Hello!"}) if event["type"] == "notice"
    )
    assert notice["message"].startswith("नमस्ते")
    assert notice["language"] == "hi"
    assert (await Turn.objects.aget()).response["message"] == SMALL_TALK["greeting"]
    await reader.disconnect()


async def test_an_answer_that_was_cached_for_one_reader_serves_another_in_their_language(corpus):
    german, english = await connected(languages="de"), await connected(languages="en")
    ends = [(await asked(reader))[-1] for reader in (german, english)]
    assert "zitiert aus" in ends[0]["summary"]
    assert "quoted from" in ends[1]["summary"]
    assert {end["outcome"] for end in ends} == {"grounded"}
    for reader in (german, english):
        await reader.disconnect()
