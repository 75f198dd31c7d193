import asyncio
import threading
import uuid
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.test import AsyncClient
from django.utils import timezone

from audit.models import TurnAudit
from chat.answering import after_answer, follow_ups, quoting, turn, turn_records
from chat.answering.domain.answer import WithheldSentence
from chat.answering.domain.evidence.quote_check import QuoteVerdict
from chat.conversations.retention import conversation_forget
from chat.live import admission, consumer, follow, running
from chat.models import Citation, Conversation, Turn, TurnEvent
from tests.chat.sockets import session_for, socket, until_done

pytestmark = pytest.mark.django_db(transaction=True)

SOON = 1.0  # seconds
QUESTION = {"type": "ask", "question": "Who refused to bow to the newly made man?", "mode": "instant"}


@pytest.fixture
async def reader(corpus):
    """An anonymous reader's open socket."""
    communicator = socket(await sync_to_async(session_for)())
    connected, _ = await communicator.connect()
    assert connected
    yield communicator
    await communicator.disconnect()


async def asked(communicator, message=QUESTION):
    await communicator.send_json_to(message)
    return await until_done(communicator)


async def test_sources_come_before_sentences_and_the_end_comes_last(reader):
    events = await asked(reader)
    kinds = [event["type"] for event in events]
    assert kinds.index("sources") < kinds.index("sentence") < kinds.index("done") == len(kinds) - 1
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["outcome"] == "grounded"


async def test_a_sentence_carries_its_verbatim_quote_and_the_seconds_it_is_spoken(reader):
    sentence = next(event for event in await asked(reader) if event["type"] == "sentence" and event["lead"])
    [cited] = sentence["citations"]
    assert "Iblis refused to bow" in sentence["text"]
    assert sentence["text"] in cited["quote"]
    assert (cited["address"], cited["end"]) == ("first-steps:1", 9.5)
    assert cited["media"] is None
    assert "chunk_hash" not in cited


async def test_a_question_outside_the_corpus_is_refused_without_a_citation(reader):
    events = await asked(reader, {**QUESTION, "question": "Who discovered penicillin in London?"})
    kinds = {event["type"] for event in events}
    assert "refusal" in kinds
    assert not kinds & {"sentence", "sources"}
    assert events[-1]["outcome"] == "refused"


async def test_the_turn_is_recorded_as_it_was_shown(reader):
    events = await asked(reader)
    stored = await Turn.objects.aget(pk=events[0]["turn"])
    cited = [cited async for cited in Citation.objects.filter(turn=stored)]
    assert stored.outcome == "grounded"
    assert stored.response["summary"] == events[-1]["summary"]
    assert stored.response["validation"] == events[-1]["validation"]
    assert len(cited) == events[-1]["validation"]["sources_total"]
    audit = await stored.audits.aget()
    assert audit.trace["lanes"]["lexical"] > 0
    assert audit.validation == events[-1]["validation"]


async def test_an_address_is_answered_by_its_text(reader):
    events = await asked(reader, {**QUESTION, "question": "What does BG 2.47 say?"})
    [sentence] = [event for event in events if event["type"] == "sentence"]
    assert sentence["text"] == "The work is yours by right, but never its fruits."
    assert sentence["citations"][0]["address"] == "BG 2.47"


async def test_a_verse_that_does_not_exist_is_said_not_to_exist(reader):
    events = await asked(reader, {**QUESTION, "question": "What does BG 2.99 say?"})
    [refusal] = [event for event in events if event["type"] == "refusal"]
    assert "no BG 2.99" in refusal["message"]


@pytest.mark.parametrize("garbage", ["{", "[]", '"ask"', '{"type": "ask"}', "\x00", "🤔" * 20, "x" * 70_000])
async def test_garbage_gets_one_sentence_and_the_socket_stays_open(reader, garbage):
    await reader.send_to(text_data=garbage)
    event = await reader.receive_json_from(timeout=5)
    assert event["type"] == "error"
    assert event["message"].endswith(".")
    assert (await asked(reader))[-1]["outcome"] == "grounded"


async def test_a_question_too_long_is_refused_with_its_limit_and_nothing_is_stored(reader):
    event = (await asked(reader, {**QUESTION, "question": "why " * 2500}))[-1]
    assert "2,000" in event["message"]
    assert await Turn.objects.acount() == 0


async def test_only_emoji_are_asked_back(reader):
    events = await asked(reader, {**QUESTION, "question": "🤔🤔"})
    assert events[-1]["outcome"] == "asked_back"


async def test_a_second_question_waits_for_the_first_to_be_stopped(reader, slow_retrieval):
    await reader.send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    await reader.send_json_to(QUESTION)
    events = await until_done(reader)
    assert events[-1]["code"] == "busy"


async def test_one_reader_in_many_tabs_leaves_places_to_others(corpus, slow_retrieval, settings):
    settings.TURNS_OF_A_READER = 1
    session = await sync_to_async(session_for)()
    tabs = [socket(session), socket(session)]
    for tab in tabs:
        await tab.connect()
    await tabs[0].send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    (told,) = await asked(tabs[1])
    assert (told["code"], told["retryable"]) == ("busy", True)
    assert await Turn.objects.acount() == 1
    await tabs[0].send_json_to({"type": "stop"})
    await until_done(tabs[0])
    await tabs[1].send_json_to(QUESTION)
    assert (await tabs[1].receive_json_from(timeout=20))["type"] == "status"
    for tab in tabs:
        await tab.disconnect()


async def test_stop_ends_the_turn_as_interrupted_and_keeps_it(reader, slow_retrieval):
    await reader.send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    await reader.send_json_to({"type": "stop"})
    events = await until_done(reader)
    assert (events[-1]["outcome"], events[-1]["complete"]) == ("interrupted", False)
    stored = await Turn.objects.aget(pk=events[-1]["turn"])
    assert stored.outcome == "interrupted"


@pytest.mark.parametrize(("module", "step"), [(turn, "content_hashes"), (turn_records, "turn_record")])
async def test_a_stop_while_a_shown_answer_is_checked_or_recorded_keeps_it_whole(reader, monkeypatch, module, step):
    real, cancel = getattr(module, step), running.LiveTurn.cancel
    begun, stopped, follow_ups_sought = threading.Event(), threading.Event(), []

    def slow(*args):
        begun.set()
        assert stopped.wait(20)
        return real(*args)

    def stop(live):
        cancel(live)
        stopped.set()

    async def seek(*args):
        follow_ups_sought.append(args)

    monkeypatch.setattr(module, step, slow)
    monkeypatch.setattr(running.LiveTurn, "cancel", stop)
    monkeypatch.setattr(after_answer, "add_follow_ups", seek)
    await reader.send_json_to(QUESTION)
    await asyncio.to_thread(begun.wait, 20)
    await reader.send_json_to({"type": "stop"})
    events = await until_done(reader)
    assert events[-1]["outcome"] == "grounded"
    stored = await Turn.objects.aget(pk=events[-1]["turn"])
    assert (stored.outcome, await Citation.objects.filter(turn=stored).aexists()) == ("grounded", True)
    await asked(reader, {**QUESTION, "question": "Hello"})  # begins once the stopped turn has ended
    ends = TurnEvent.objects.filter(turn=stored, payload__type="done")
    assert (await ends.acount(), follow_ups_sought) == (1, [])


async def test_a_turn_without_a_reader_runs_on_for_a_while_and_then_stops(corpus, slow_retrieval, settings):
    settings.TURN_GRACE = 0.5
    communicator = socket(await sync_to_async(session_for)())
    await communicator.connect()
    await communicator.send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    await communicator.disconnect()
    assert [outcome async for outcome in Turn.objects.values_list("outcome", flat=True)] == [""]
    (left,) = running._running
    await asyncio.wait_for(left.ended(), 20)
    assert [outcome async for outcome in Turn.objects.values_list("outcome", flat=True)] == ["interrupted"]


@pytest.fixture
async def tabs(corpus, settings):
    """Two readers' open sockets at a site that runs one turn at a time."""
    settings.TURNS_AT_ONCE = 1
    opened = [socket(await sync_to_async(session_for)()) for _ in range(2)]
    for tab in opened:
        await tab.connect()
    yield opened
    for tab in opened:
        await tab.disconnect()


async def status_of(tab, stage, seconds=SOON):
    async with asyncio.timeout(seconds):
        while (event := await tab.receive_json_from(timeout=seconds)).get("stage") != stage:
            """Wait for that stage."""
    return event["detail"]


async def test_a_question_that_waits_is_told_how_many_are_before_it(tabs, slow_retrieval):
    first, second = tabs
    await first.send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    await second.send_json_to(QUESTION)
    assert await status_of(second, "queue") == "many questions at once: yours is next"


async def test_a_question_that_finds_the_line_full_is_told_so_at_once_and_not_stored(tabs, slow_retrieval, monkeypatch):
    monkeypatch.setattr(admission, "WAITING_MOST", 0)
    first, second = tabs
    await first.send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    (told,) = await asked(second)
    assert (told["type"], told["code"], told["retryable"], told["message"]) == ("error", "busy", True, admission.ALL)
    assert await Turn.objects.acount() == 1


@pytest.mark.parametrize("ends", ["stop", "close before", "close after"])
async def test_a_turn_that_is_stopped_or_left_frees_its_slot_within_a_second_for_those_who_wait(
    tabs, slow_retrieval, ends
):
    first, second = tabs
    await first.send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    slow_retrieval.begun.clear()
    if ends == "close before":  # anyone waits
        await first.disconnect()
    await second.send_json_to(QUESTION)
    if ends != "close before":
        await status_of(second, "queue")
        await (first.send_json_to({"type": "stop"}) if ends == "stop" else first.disconnect())
    await asyncio.wait_for(slow_retrieval.begun.wait(), SOON)


async def reloaded(session, slow_retrieval):
    """Ask, lose the connection in mid-answer, and connect anew; return the new socket and the turn."""
    first = socket(session)
    await first.connect()
    await first.send_json_to(QUESTION)
    turn = (await first.receive_json_from(timeout=20))["turn"]
    await slow_retrieval.begun.wait()
    await first.disconnect()
    second = socket(session)
    await second.connect()
    await second.send_json_to({"type": "resume", "turn": turn, "after": 0})
    return second, turn


async def test_an_answer_goes_on_for_a_reader_who_reloads_in_the_middle_of_it(corpus, slow_retrieval):
    second, turn = await reloaded(await sync_to_async(session_for)(), slow_retrieval)
    assert (await second.receive_json_from(timeout=20))["seq"] == 1
    slow_retrieval.go_on.set()
    events = await until_done(second)
    assert [event["seq"] for event in events] == list(range(2, len(events) + 2))
    assert {event["turn"] for event in events} == {turn}
    assert [event["outcome"] for event in events if event["type"] == "done"] == ["grounded"]
    await second.send_json_to({**QUESTION, "question": "What does BG 2.47 say?"})
    assert (await until_done(second))[-1]["outcome"] == "grounded"
    await second.disconnect()


async def test_a_turn_whose_busy_process_is_slow_to_reply_is_not_ended(corpus, slow_retrieval, monkeypatch):
    asked, replied = [], asyncio.Event()

    async def slow_to_reply(layer, turn_id):
        asked.append(turn_id)
        if len(asked) <= 2:
            return False
        replied.set()
        return await running.is_running(layer, turn_id)

    monkeypatch.setattr(follow, "is_running", slow_to_reply)
    second, _ = await reloaded(await sync_to_async(session_for)(), slow_retrieval)
    await asyncio.wait_for(replied.wait(), 20)
    slow_retrieval.go_on.set()
    assert (await until_done(second))[-1]["outcome"] == "grounded"
    await second.disconnect()


async def code_of_error(communicator):
    events = []
    while not events or events[-1]["type"] != "error":
        events.append(await communicator.receive_json_from(timeout=20))
    return events[-1]["code"]


async def test_a_reader_whose_turn_cannot_be_followed_is_told_so_and_can_ask_again(corpus, slow_retrieval, monkeypatch):
    seen, away = follow.events_missed, asyncio.Event()

    def missed(*args):
        if away.is_set():
            raise OperationalError("connection refused")
        return seen(*args)

    monkeypatch.setattr(follow, "events_missed", missed)
    second, _ = await reloaded(await sync_to_async(session_for)(), slow_retrieval)
    assert (await second.receive_json_from(timeout=20))["seq"] == 1
    away.set()
    assert await code_of_error(second) == "unavailable"
    away.clear()
    slow_retrieval.go_on.set()
    assert (await asked(second))[-1]["outcome"] == "grounded"
    await second.disconnect()


async def test_a_reader_who_follows_a_turn_that_is_forgotten_is_told_so_and_can_ask_again(
    corpus, slow_retrieval, monkeypatch
):
    second, turn = await reloaded(await sync_to_async(session_for)(), slow_retrieval)
    assert (await second.receive_json_from(timeout=20))["seq"] == 1
    row = await Turn.objects.aget(pk=turn)
    await sync_to_async(conversation_forget)(conversation_id=row.conversation_id)

    async def runs_nowhere(layer, turn_id):
        return False

    monkeypatch.setattr(follow, "is_running", runs_nowhere)
    assert await code_of_error(second) == "not_found"
    slow_retrieval.go_on.set()
    assert (await asked(second))[-1]["outcome"] == "grounded"
    await second.disconnect()


async def test_a_connection_that_closes_while_an_event_is_sent_does_not_fail_the_turn(reader, monkeypatch):
    async def already_closed(*arguments, **named):
        raise ConnectionResetError

    with monkeypatch.context() as cut:
        cut.setattr(consumer.ChatConsumer, "send", already_closed)
        await reader.send_json_to(QUESTION)
        done = TurnEvent.objects.filter(payload__type="done")
        for _ in range(400):  # its events are written after its outcome
            if event := await done.select_related("turn").afirst():
                break
            await asyncio.sleep(0.05)
    assert (event.turn.outcome, event.payload["outcome"]) == ("grounded", "grounded")


async def test_an_answer_can_be_stopped_from_the_connection_that_found_it_again(corpus, slow_retrieval):
    second, _ = await reloaded(await sync_to_async(session_for)(), slow_retrieval)
    assert (await second.receive_json_from(timeout=20))["seq"] == 1
    await second.send_json_to(QUESTION)
    events = []
    while not events or events[-1]["type"] != "error":
        events.append(await second.receive_json_from(timeout=20))
    assert events[-1]["code"] == "busy"
    await second.send_json_to({"type": "stop"})
    assert (await until_done(second))[-1]["outcome"] == "interrupted"
    await second.disconnect()


async def test_the_answer_ends_before_its_next_questions_are_looked_for(reader, monkeypatch):
    looking = asyncio.Event()

    async def endless(*args):
        looking.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(after_answer, "add_follow_ups", endless)
    assert (await asked(reader))[-1]["outcome"] == "grounded"
    await asyncio.wait_for(looking.wait(), 10)
    assert (await asked(reader))[-1]["outcome"] == "grounded"


async def test_next_questions_are_not_looked_for_while_another_question_takes_the_last_slot(
    tabs, slow_retrieval, settings, monkeypatch
):
    settings.ANSWER_CACHE = False
    looked = asyncio.Queue()

    async def look(turn, citations, is_answerable, is_busy):
        if not is_busy():
            looked.put_nowait(str(turn.turn_id))
        return ()

    monkeypatch.setattr(follow_ups, "_next_questions", look)
    await tabs[0].send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    await tabs[1].send_json_to(QUESTION)
    await status_of(tabs[1], "queue", seconds=20)
    slow_retrieval.go_on.set()
    _, second = [(await until_done(tab))[-1]["turn"] for tab in tabs]
    assert await asyncio.wait_for(looked.get(), 20) == second


async def test_a_dropped_connection_resumes_where_it_broke_off(corpus):
    session = await sync_to_async(session_for)()
    first = socket(session)
    await first.connect()
    events = await asked(first)
    await first.disconnect()
    second = socket(session)
    await second.connect()
    await second.send_json_to({"type": "resume", "turn": events[0]["turn"], "after": 2})
    assert await until_done(second) == events[2:]
    await second.disconnect()


async def test_a_turn_whose_process_was_killed_resumes_as_interrupted(corpus, short_waits):
    session = await sync_to_async(session_for)()
    communicator = socket(session)
    await communicator.connect()
    events = await asked(communicator)
    left = await Turn.objects.aget(pk=events[0]["turn"])
    await Turn.objects.filter(pk=left.pk).aupdate(outcome="", response={})
    await TurnAudit.objects.filter(turn=left).adelete()
    await TurnEvent.objects.filter(turn=left, seq__gt=2).adelete()
    await communicator.send_json_to({"type": "resume", "turn": str(left.pk), "after": 1})
    resumed = await until_done(communicator)
    assert [event["seq"] for event in resumed] == [2, 3]
    assert resumed[-1]["outcome"] == "interrupted"
    await communicator.disconnect()


async def test_a_failing_stage_ends_in_a_recorded_failure_and_one_clear_sentence(reader, monkeypatch):
    async def broken(*args):
        raise ConnectionError("the lane is down")

    monkeypatch.setattr(turn, "retrieve_candidates", broken)
    await reader.send_json_to(QUESTION)
    error = (await until_done(reader))[-1]
    done = await reader.receive_json_from(timeout=5)
    assert error["retryable"]
    assert "lane is down" not in error["message"]
    assert done["outcome"] == "failed"


async def test_evidence_without_a_quotable_sentence_is_a_refusal_not_a_blank(reader, monkeypatch):
    monkeypatch.setattr(quoting, "synthesize_quotes", lambda evidence, rules: ())
    events = await asked(reader)
    assert [event["reason"] for event in events if event["type"] == "refusal"] == ["thin_evidence"]
    assert events[-1]["outcome"] == "refused"


async def test_an_answer_of_which_nothing_stands_is_a_refusal_without_a_citation(reader, monkeypatch):
    withheld = QuoteVerdict("unsupported", WithheldSentence("SNIPPET_MISMATCH", "unsupported"))
    monkeypatch.setattr(quoting, "verify_quote", lambda quote, passage: withheld)
    events = await asked(reader)
    assert [event["reason"] for event in events if event["type"] == "refusal"] == ["unsupported_claims"]
    assert not [event for event in events if event["type"] == "sentence"]
    assert events[-1]["validation"]["removed"] >= 1
    assert await Citation.objects.acount() == 0


@pytest.mark.parametrize(
    "origin",
    [None, b"http://evil.example", b"http://localhost.evil.example", b"http://localhost:9999", b"null"],
)
async def test_a_foreign_origin_is_turned_away(corpus, origin):
    communicator = socket(await sync_to_async(session_for)(), origin=origin)
    connected, _ = await communicator.connect()
    assert not connected


async def test_a_socket_without_a_session_is_turned_away(corpus):
    connected, code = await socket().connect()
    assert (connected, code) == (False, consumer.NOT_ALLOWED)


async def test_a_socket_whose_session_has_expired_is_turned_away(corpus, people):
    session = await sync_to_async(session_for)(people["alice"])
    await Session.objects.filter(pk=session.session_key).aupdate(expire_date=timezone.now() - timedelta(days=1))
    connected, code = await socket(session).connect()
    assert (connected, code) == (False, consumer.NOT_ALLOWED)


async def test_anonymous_readers_are_turned_away_where_accounts_are_required(corpus, settings):
    settings.ANONYMOUS_CHAT = False
    connected, code = await socket(await sync_to_async(session_for)()).connect()
    assert (connected, code) == (False, consumer.NOT_ALLOWED)


async def closed_with(communicator):
    """Return the code that the socket is closed with, and what was said before."""
    said = []
    while (output := await communicator.receive_output(timeout=5))["type"] == "websocket.send":
        said.append(output["text"])
    return output["code"], said


async def test_signing_out_closes_the_sockets_of_the_session_and_stops_their_turns(corpus, people, slow_retrieval):
    session, other = [await sync_to_async(session_for)(people["alice"]) for _ in range(2)]
    mine, elsewhere = socket(session), socket(other)
    for reader in (mine, elsewhere):
        await reader.connect()
    await mine.send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    client = AsyncClient()
    client.cookies["sessionid"] = session.session_key
    await client.post("/logout/")
    code, _ = await closed_with(mine)
    assert code == consumer.SIGNED_OUT
    assert await elsewhere.receive_nothing()
    for reader in (mine, elsewhere):
        await reader.disconnect()
    assert [outcome async for outcome in Turn.objects.values_list("outcome", flat=True)] == ["interrupted"]


@pytest.mark.parametrize("who", ["alice", None])
@pytest.mark.parametrize("how", ["deleted", "expired"])
async def test_a_session_that_has_ended_closes_the_socket_at_its_next_message(corpus, people, who, how):
    session = await sync_to_async(session_for)(people.get(who))
    communicator = socket(session)
    await communicator.connect()
    stored = Session.objects.filter(pk=session.session_key)
    if how == "deleted":
        await stored.adelete()
    else:
        await stored.aupdate(expire_date=timezone.now() - timedelta(days=1))
    await communicator.send_json_to(QUESTION)
    assert await closed_with(communicator) == (consumer.SIGNED_OUT, [])
    assert not await Turn.objects.aexists()
    await communicator.disconnect()


async def test_another_readers_conversation_and_turn_are_as_good_as_absent(corpus, people):
    alice = socket(await sync_to_async(session_for)(people["alice"]))
    await alice.connect()
    events = await asked(alice)
    bob = socket(await sync_to_async(session_for)(people["bob"]))
    await bob.connect()
    await bob.send_json_to({**QUESTION, "conversation": events[0]["conversation"]})
    missing = await bob.receive_json_from(timeout=5)
    await bob.send_json_to({**QUESTION, "conversation": str(uuid.uuid4())})
    assert await bob.receive_json_from(timeout=5) == missing
    await bob.send_json_to({"type": "resume", "turn": events[0]["turn"], "after": 0})
    assert (await bob.receive_json_from(timeout=5))["code"] == "not_found"
    await alice.disconnect()
    await bob.disconnect()


async def test_a_restricted_collection_is_neither_quoted_nor_named_to_others(corpus, people):
    hidden = {**QUESTION, "question": "Where did the gardener bury the silver compass?"}
    for user, outcome in ((None, "refused"), (people["bob"], "refused"), (people["carol"], "grounded")):
        communicator = socket(await sync_to_async(session_for)(user))
        await communicator.connect()
        events = await asked(communicator, hidden)
        assert events[-1]["outcome"] == outcome
        assert ("almond" in str(events)) == (outcome == "grounded")
        await communicator.disconnect()


async def test_a_conversation_belongs_to_who_began_it(corpus, people):
    communicator = socket(await sync_to_async(session_for)(people["alice"]))
    await communicator.connect()
    await asked(communicator)
    conversation = await Conversation.objects.aget()
    assert conversation.owner_id == people["alice"].pk
    assert conversation.visitor == ""
    await communicator.disconnect()
