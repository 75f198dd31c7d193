"""What a reader is told over the socket without an answer: one reply each, no citation, no knowledge gap."""

import pytest
from asgiref.sync import sync_to_async

from audit.models import KnowledgeGap
from chat.answering.domain import refusals
from chat.answering.domain.messages import ONLY_ENGLISH
from chat.answering.domain.query.small_talk import SmallTalk
from chat.models import Turn
from tests.chat.authors import give, speaking
from tests.chat.live.test_consumer import asked, reader
from tests.chat.sockets import until_done

__all__ = ["reader"]

pytestmark = pytest.mark.django_db(transaction=True)

PARAGRAPH = " ".join(["When the first man was made, every angel bowed to him, and one of them did not bow."] * 4)


def question(text, **more):
    return {"type": "ask", "question": text, "mode": "instant", **more}


async def said(reader, text, **more):
    """Return the notice, or None, and the whole list of events."""
    events = await asked(reader, question(text, **more))
    return next((event for event in events if event["type"] == "notice"), None), events


@pytest.mark.parametrize(
    ("text", "outcome", "kind"),
    [
        ("Hello!", "no_retrieval", "small_talk"),
        ("Thank you", "no_retrieval", "small_talk"),
        ("Goodbye", "no_retrieval", "small_talk"),
        ("Who made this?", "no_retrieval", "small_talk"),
        ("How are you?", "no_retrieval", "small_talk"),
        ("What can you do?", "no_retrieval", "small_talk"),
        ("What did he mean by that?", "asked_back", "ask_back"),
        ("Why?", "asked_back", "ask_back"),
        ("banyan?", "asked_back", "ask_back"),
        ("a", "asked_back", "bad_input"),
        ("“?!”", "asked_back", "bad_input"),
        ("Что такое karma 什么是 dharma", "asked_back", "bad_input"),
        (PARAGRAPH, "asked_back", "pasted_text"),
        ("Was sagt die Gita über die Pflicht?", "no_retrieval", "language"),
        ("什么是业？", "no_retrieval", "language"),
    ],
)
async def test_each_is_told_by_one_notice_without_a_source_or_a_gap(reader, text, outcome, kind):
    notice, events = await said(reader, text)
    assert (notice["kind"], events[-1]["outcome"], events[-1]["noted"]) == (kind, outcome, False)
    assert not {event["type"] for event in events} & {"sentence", "sources", "refusal", "error"}
    assert await KnowledgeGap.objects.acount() == 0
    stored = await Turn.objects.aget()
    assert stored.response["message"] == notice["message"]
    assert (stored.response["readings"], stored.response["examples"]) == (notice["readings"], notice["examples"])


async def test_who_asks_what_can_be_done_is_told_what_is_in_the_corpus(reader):
    notice, _ = await said(reader, "What can you do?")
    assert notice["message"].startswith(refusals.SMALL_TALK[SmallTalk.ABILITIES])
    assert "1 lecture and 2 verses" in notice["message"]
    assert "“The First Steps”" in notice["message"]
    assert "Hidden Garden" not in notice["message"]


async def test_a_bare_topic_is_asked_back_with_readings_that_can_be_asked(reader):
    notice, events = await said(reader, "yoga?")
    assert notice["message"] == "What would you like to know about yoga?"
    assert notice["readings"][:1] == ["What is yoga?"]
    again = await asked(reader, question(notice["readings"][0], conversation=events[0]["conversation"]))
    assert again[-1]["outcome"] not in {"asked_back", "no_retrieval", "failed"}


async def test_a_verse_without_its_chapter_is_asked_back_with_the_verses_of_that_number(reader):
    notice, _ = await said(reader, "What does verse 47 say?")
    assert notice["readings"] == ["What does BG 2.47 say?"]


async def test_the_closest_passage_of_a_pasted_text_is_shown_once(reader):
    notice, _ = await said(reader, PARAGRAPH)
    addresses = [passage["address"] for passage in notice["nearest"]]
    assert addresses[0] == "first-steps:1"
    assert len(set(addresses)) == len(addresses)


async def test_a_verse_that_does_not_exist_is_refused_with_the_closest_that_does(reader):
    events = await asked(reader, question("BG 99.99"))
    [refusal] = [event for event in events if event["type"] == "refusal"]
    assert "so there is no BG 99.99" in refusal["message"]
    assert [passage["address"] for passage in refusal["nearest"]] == ["BG 2.48"]


async def test_a_misspelled_question_is_answered_and_said_to_be_corrected(reader):
    events = await asked(reader, question("How long does the bayan tree live?"))
    [read_as] = [event for event in events if event["type"] == "read_as"]
    assert (read_as["kind"], read_as["text"]) == ("correction", "How long does the banyan tree live?")
    stored = await Turn.objects.aget()
    assert stored.response["read_as"]["typed"] == stored.question == "How long does the bayan tree live?"
    assert stored.response["standalone_question"] == read_as["text"]


async def test_a_correction_is_undone_by_asking_as_typed(reader):
    events = await asked(reader, question("How long does the bayan tree live?", as_typed=True))
    assert not [event for event in events if event["type"] == "read_as"]


async def test_no_word_of_a_lecture_that_a_reader_may_not_see_is_offered(reader):
    events = await asked(reader, question("Where is the silver compas under an almnod tree?"))
    assert "almond" not in str(events)


async def test_a_name_that_the_corpus_does_not_know_is_not_corrected(reader):
    events = await asked(reader, question("Who was Ibliss Khan of Bukhara?"))
    assert "Bukhara" not in str([event for event in events if event["type"] == "read_as"])


async def test_a_reader_is_told_in_their_own_language(reader):
    notice, _ = await said(reader, "¿Qué dice la Gita sobre el deber?")
    assert (notice["message"], notice["language"]) == (ONLY_ENGLISH["es"], "es")


async def test_an_address_in_another_language_is_still_an_address(reader):
    events = await asked(reader, question("BG 2.47 auf Deutsch"))
    [sentence] = [event for event in events if event["type"] == "sentence"]
    assert sentence["citations"][0]["address"] == "BG 2.47"


async def test_with_a_translate_model_the_question_is_translated_answered_and_shown_both_ways(reader):
    await give("translate")
    with speaking("translate", "Who refused to bow to the newly made man?"):
        events = await asked(reader, question("Wer hat sich nicht vor dem Menschen verneigt?"))
    [read_as] = [event for event in events if event["type"] == "read_as"]
    assert (read_as["kind"], read_as["language"]) == ("translation", "de")
    assert events[-1]["outcome"] == "grounded"


async def test_a_question_of_many_characters_is_told_the_limit(reader):
    await reader.send_json_to(question("x" * 10_000))
    [fault] = await until_done(reader)
    assert "10,000 characters" in fault["message"]
    assert await sync_to_async(Turn.objects.exists)() is False


async def test_after_a_greeting_alone_a_vague_question_is_still_asked_back(reader):
    _, events = await said(reader, "Hello")
    notice, _ = await said(reader, "Why?", conversation=events[0]["conversation"])
    assert notice["kind"] == "ask_back"
