import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest
from django.utils import timezone

from lectorium.ladder.calling import allowed_model, stream, write
from lectorium.ladder.calls import Call, collect_calls, timed_out_models, waited
from lectorium.ladder.metered_model import CHARS_A_TOKEN
from lectorium.ladder.models import Budget, Usage
from lectorium.ladder.selectors import ResolvedModel
from lectorium.providers.deadlines import Deadlines
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.errors import BudgetReached, CircuitOpen, CutOff, TooSlow
from lectorium.providers.openai_compatible import OpenAICompatible
from lectorium.providers.protocols import ChatMessage
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat
from lectorium.threads import in_thread
from tests.providers.openai_server import ServerAnswer, running_service

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = (ChatMessage("user", "What is the soul?"),)
AHEAD = ("route", "outline")
SERVED = ResolvedModel("title", "vllm:small", max_tokens=50)


async def texts_of(served=SERVED):
    async with aclosing(stream(served, ASKED)) as pieces:
        return [piece.text async for piece in pieces if piece.text]


async def usage():
    counts = ("model", "calls", "faults", "estimated", "tokens_in", "tokens_out")
    return await in_thread(lambda: Usage.objects.values(*counts).get())


async def test_a_call_is_streamed_and_counted(scripted):
    model = scripted("vllm:small", ScriptedChat("It is eternal."))
    assert await texts_of() == ["It ", "is ", "eternal."]
    assert model.asked == [ASKED]
    assert await usage() == {
        "model": "vllm:small", "calls": 1, "faults": 0, "estimated": 0, "tokens_in": 4, "tokens_out": 3,
    }  # fmt: skip


async def test_a_fault_keeps_what_was_said_and_counts_it_by_its_length(scripted):
    scripted("vllm:small", ScriptedChat(Reply.of("It is", fault="cut_off")))
    with pytest.raises(CutOff):
        await texts_of()
    found = await usage()
    assert (found["faults"], found["estimated"]) == (1, 1)
    assert found["tokens_in"] >= len(ASKED[0].text) / CHARS_A_TOKEN
    assert found["tokens_out"] >= len("It is") / CHARS_A_TOKEN


async def test_a_cancelled_call_stops_the_model_and_is_counted_too(scripted):
    model = scripted("vllm:small", ScriptedChat(Reply.of("It is eternal.", tokens_a_second=0.1)))
    listening = asyncio.create_task(texts_of())
    while not model.asked:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    assert model.closed_early == 1
    assert (await usage())["estimated"] == 1


@pytest.mark.parametrize(
    ("reply", "limit", "seconds"),
    [
        (Reply(("late",), first_after=30.0), "CHAT_SILENCE", 0.1),
        (Reply.of("word " * 100, tokens_a_second=20), "CHAT_WHOLE", 0.2),
        (Reply.of("word " * 100, tokens_a_second=20), "CHAT_TURN", 0.2),
    ],
)
async def test_a_model_that_is_silent_or_drips_is_too_slow(scripted, settings, reply, limit, seconds):
    setattr(settings, limit, seconds)
    model = scripted("vllm:small", ScriptedChat(reply))
    with pytest.raises(TooSlow):
        await texts_of()
    assert model.closed_early == 1


@pytest.mark.network
async def test_a_service_that_stays_silent_is_no_longer_called_after_some_turns(scripted, settings):
    settings.CHAT_SILENCE = 0.1
    async with running_service() as service:
        service.answers = [ServerAnswer([], wait=30)]
        endpoint, patience = Endpoint("vllm", service.url), Deadlines(silence=settings.CHAT_SILENCE)
        model = scripted("vllm:small", OpenAICompatible(endpoint, "small", patience=patience))
        for _ in range(5):
            with pytest.raises(TooSlow):
                await texts_of()
        with pytest.raises(CircuitOpen):
            await texts_of()
        await model.aclose()


async def test_a_model_that_was_too_slow_is_not_asked_again_in_the_same_turn_whatever_the_job(scripted, settings):
    settings.CHAT_SILENCE = 0.1
    model = scripted("vllm:small", ScriptedChat(Reply(("late",), first_after=30.0)))
    collect_calls(calls := [])
    for job in ("title", "suggest"):
        with pytest.raises(TooSlow):
            await texts_of(replace(SERVED, job=job))
    assert len(model.asked) == 1
    assert [call.outcome for call in calls] == ["too_slow", "too_slow"]
    collect_calls([])
    with pytest.raises(TooSlow):
        await texts_of()
    assert len(model.asked) == 2


async def test_what_is_asked_ahead_of_writing_shares_its_time_and_leaves_the_rest_to_who_writes(scripted, settings):
    settings.CHAT_PREPARE = 0.2
    dripping = {job: scripted(f"vllm:{job}", ScriptedChat(Reply.of("word " * 9, tokens_a_second=20))) for job in AHEAD}
    scripted("vllm:small", ScriptedChat("It is eternal."))
    collect_calls([])
    for job in AHEAD:
        with pytest.raises(TooSlow):
            await texts_of(ResolvedModel(job, f"vllm:{job}", max_tokens=50))
    assert [len(model.asked) for model in dripping.values()] == [1, 0]
    assert await texts_of() == ["It ", "is ", "eternal."]


async def test_a_model_that_was_not_asked_for_want_of_time_may_still_write(scripted, settings):
    settings.CHAT_PREPARE = 0.2
    scripted("vllm:route", ScriptedChat(Reply.of("word " * 9, tokens_a_second=20)))
    writer = scripted("vllm:small", ScriptedChat("It is eternal."))
    collect_calls([])
    for model in ("vllm:route", "vllm:small"):
        with pytest.raises(TooSlow):
            await texts_of(ResolvedModel("outline", model, max_tokens=50))
    assert writer.asked == []
    assert await texts_of() == ["It ", "is ", "eternal."]


async def test_a_call_that_the_turn_has_no_time_left_for_is_not_charged(scripted, settings):
    settings.CHAT_TURN = 10.0
    scripted("vllm:small", ScriptedChat("It is eternal."))
    collect_calls(calls := [])
    model = await in_thread(allowed_model, SERVED)
    calls.append(Call(SERVED, "written", 10.0, 11.0))
    with pytest.raises(TooSlow):
        async for _ in model.stream(ASKED, max_tokens=50, temperature=0.0):
            pass
    assert (model.calls, timed_out_models()) == ([], frozenset())
    assert (calls[-1].outcome, calls[-1].tokens_in) == ("too_slow", 0)


async def test_time_waited_for_two_models_at_once_counts_once():
    collect_calls(
        [Call(SERVED, "written", 10.0, 4.0), Call(SERVED, "written", 12.0, 4.0), Call(SERVED, "written", 20.0, 1.0)]
    )
    assert (waited(), waited(("route",))) == (7.0, 0.0)


async def test_beyond_the_budget_the_model_is_not_asked(scripted):
    model = scripted("vllm:small", ScriptedChat("yes"))
    await in_thread(Budget.objects.create, job="title", tokens_a_day=1)
    await in_thread(Usage.objects.create, day=timezone.now().date(), job="title", model="vllm:small", tokens_in=1)
    with pytest.raises(BudgetReached):
        await texts_of()
    assert model.asked == []


async def test_a_job_is_written_from_its_prompt_by_its_row(scripted, rung):
    model = scripted("vllm:small", ScriptedChat("The soul"))
    row = await in_thread(rung, "title", "vllm:small")
    written = await write("title", "turn", {"question": "What is the soul?"})
    assert (written.text, written.served.row, written.truncated) == ("The soul", str(row.pk), False)
    assert model.asked[0][-1].text == "What is the soul?"


async def test_where_a_rung_fails_the_next_one_writes_and_is_named(scripted, rung, caplog):
    scripted("vllm:small", ScriptedChat(Reply.of("The", fault="server_fault")))
    scripted("hosted:large", ScriptedChat("The soul"))
    await in_thread(rung, "title", "vllm:small", fallback="hosted:large")
    written = await write("title", "turn", {"question": "What?"})
    assert (written.text, written.served.model) == ("The soul", "hosted:large")
    assert "title falls back from vllm:small" in caplog.text


async def test_where_all_fail_or_none_is_set_the_builtin_is_left(scripted, rung):
    assert await write("title", "turn", {"question": "What?"}) is None
    scripted("vllm:small", ScriptedChat(Reply(fault="unreachable")))
    await in_thread(rung, "title", "vllm:small")
    assert await write("title", "turn", {"question": "What?"}) is None


async def test_a_turn_hears_of_each_call_how_it_ended_and_what_it_used(scripted, rung):
    scripted("vllm:small", ScriptedChat(Reply.of("The", fault="server_fault")))
    scripted("hosted:large", ScriptedChat("The soul"))
    row = await in_thread(rung, "title", "vllm:small", fallback="hosted:large", percent=100, price_in=2)
    collect_calls(calls := [])
    await write("title", "turn", {"question": "What?"})
    first, second = [call.as_dict() for call in calls]
    assert (first["model"], first["outcome"], first["estimated"]) == ("vllm:small", "server_fault", True)
    assert float(first["cost"]) == pytest.approx(first["tokens_in"] * 2 / 1_000_000)
    assert (second["model"], second["outcome"], second["tokens_out"]) == ("hosted:large", "written", 2)
    assert (second["row"], second["version"], second["cost"]) == (str(row.pk), 1, "0")


async def test_a_turn_hears_of_a_model_that_may_not_be_asked_and_of_one_that_was_stopped(scripted):
    scripted("vllm:small", ScriptedChat("It is eternal."))
    collect_calls(calls := [])
    async with aclosing(stream(SERVED, ASKED)) as pieces:
        async for _ in pieces:
            break
    await in_thread(Budget.objects.create, job="title", tokens_a_day=1)
    with pytest.raises(BudgetReached):
        await texts_of()
    assert [(call.outcome, call.tokens_in > 0) for call in calls] == [("stopped", True), ("budget_reached", False)]
    assert (await usage())["calls"] == 1


async def test_a_turn_hears_once_that_a_job_has_no_model(rung):
    await in_thread(rung, "title", "builtin", percent=100)
    collect_calls(calls := [])
    for _ in range(2):
        await write("title", "turn", {"question": "What?"})
    assert [(call.outcome, call.served.version, call.tokens_in) for call in calls] == [("builtin", 1, 0)]
