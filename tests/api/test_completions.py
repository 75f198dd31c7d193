"""The real client of OpenAI, asking here."""

import json

import httpx2
import openai
import pytest

from chat.answering import quoting, turn
from chat.answering.domain.answer import WithheldSentence
from chat.answering.domain.evidence.quote_check import QuoteVerdict
from chat.answering.domain.refusals import CLOSEST, FAILED
from chat.answering.turn_result import TurnResult
from chat.models import Turn
from corpus.models import EmbeddingSpace
from lectorium.asgi import application
from tests.api.conftest import OUTSIDE, QUESTION

pytestmark = pytest.mark.django_db(transaction=True)


def client_of(program):
    transport = httpx2.ASGITransport(app=application)
    http = httpx2.AsyncClient(transport=transport)
    return openai.AsyncOpenAI(
        api_key=program.secret or "none", base_url="http://localhost/v1", http_client=http, max_retries=0
    )


@pytest.fixture
async def client(alice):
    async with client_of(alice) as one:
        yield one


def saying(question, *before, system="Answer like a pirate."):
    said = [{"role": role, "content": content} for role, content in before]
    return [{"role": "system", "content": system}, *said, {"role": "user", "content": question}]


async def streamed(client, question, model="lectorium-instant", **options):
    stream = await client.chat.completions.create(model=model, messages=saying(question), stream=True, **options)
    return [chunk async for chunk in stream]


async def test_the_modes_are_the_models(client):
    assert [model.id for model in (await client.models.list()).data] == [
        "lectorium-auto", "lectorium-instant", "lectorium-thinking",
    ]  # fmt: skip
    assert (await client.models.retrieve("lectorium-auto")).owned_by == "lectorium"
    with pytest.raises(openai.NotFoundError, match="There is no model"):
        await client.models.retrieve("gpt")


async def test_an_answer_is_one_choice_with_the_whole_response_beside_it(client):
    said = await client.chat.completions.create(model="lectorium-instant", messages=saying(QUESTION))
    [choice] = said.choices
    assert (choice.finish_reason, choice.message.role, said.model) == ("stop", "assistant", "lectorium-instant")
    assert "Iblis" in choice.message.content
    assert choice.message.content.endswith("[1]")
    whole = said.lectorium
    assert (whole["outcome"], whole["answer"], whole["mode"]) == ("grounded", choice.message.content, "instant")
    assert whole["citations"][0]["address"] == "first-steps:1"
    assert whole["sentences"][0]["verdict"] == "supported"
    assert whole["validation"]["sources_verified"] == 1
    assert said.usage.total_tokens == 0  # no model was asked
    assert (await Turn.objects.aget()).outcome == "grounded"


async def test_a_stream_says_the_same_and_ends_with_the_response(client):
    chunks = await streamed(client, QUESTION, stream_options={"include_usage": True})
    *content, last, usage = chunks
    assert "".join(chunk.choices[0].delta.content for chunk in content) == last.lectorium["answer"]
    assert content[0].choices[0].delta.role == "assistant"
    assert last.choices[0].finish_reason == "stop"
    assert last.lectorium["outcome"] == "grounded"
    assert (usage.choices, usage.usage.total_tokens) == ([], 0)
    assert {chunk.id for chunk in chunks} == {f"chatcmpl-{last.lectorium['id']}"}
    assert all(getattr(event, "lectorium", None) is None for event in (*content, usage))


async def test_content_ends_before_a_stop_sequence_and_the_response_beside_it_is_whole(client):
    said = await client.chat.completions.create(model="lectorium-instant", messages=saying(QUESTION), stop=[" [1]"])
    assert said.lectorium["answer"].startswith(said.choices[0].message.content + " [1]")
    *content, last = await streamed(client, QUESTION, stop=" [1]")
    assert "".join(chunk.choices[0].delta.content for chunk in content) == said.choices[0].message.content
    assert (last.choices[0].finish_reason, last.lectorium["answer"]) == ("stop", said.lectorium["answer"])


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"n": 2}, "n"),
        ({"stop": ["a", "b", "c", "d", "e"]}, "stop"),
        ({"stop": [""]}, "stop"),
        ({"stream_options": ["usage"]}, "stream_options"),
        ({"extra_body": {"stream": "yes"}}, "stream"),
        ({"extra_body": {"scope": "kind:song"}}, "scope"),
    ],
)
async def test_a_bad_parameter_is_an_error_in_openais_shape_that_names_it(client, options, param):
    with pytest.raises(openai.BadRequestError) as refused:
        await client.chat.completions.create(model="lectorium-instant", messages=saying(QUESTION), **options)
    assert (refused.value.param, refused.value.code, refused.value.type) == (
        param, "bad_request", "invalid_request_error",
    )  # fmt: skip
    assert refused.value.response.headers["content-type"] == "application/json"


async def test_usage_is_null_in_every_chunk_but_the_last_where_it_is_wanted(client):
    *chunks, usage = await streamed(client, QUESTION, stream_options={"include_usage": True})
    assert all("usage" in chunk.model_fields_set and chunk.usage is None for chunk in chunks)
    assert usage.usage.prompt_tokens == 0


async def test_only_what_passed_its_checks_is_streamed(client, monkeypatch):
    withheld = QuoteVerdict("unsupported", WithheldSentence("SNIPPET_MISMATCH", "unsupported"))
    monkeypatch.setattr(quoting, "verify_quote", lambda quote, passage: withheld)
    *content, last = await streamed(client, QUESTION)
    text = "".join(chunk.choices[0].delta.content for chunk in content)
    assert "Iblis" not in text
    assert (last.lectorium["outcome"], text) == ("refused", last.lectorium["message"])


async def test_a_refusal_is_content_with_its_outcome_beside_it(client):
    said = await client.chat.completions.create(model="lectorium-instant", messages=saying(OUTSIDE))
    assert (said.lectorium["outcome"], said.lectorium["citations"]) == ("refused", [])
    assert said.choices[0].message.content == said.lectorium["message"]
    *content, last = await streamed(client, OUTSIDE)
    assert "".join(chunk.choices[0].delta.content for chunk in content) == last.lectorium["message"]


async def test_a_closest_passage_is_content_under_its_notice_streamed_or_not(client):
    gate = {"weights": {"closeness": 20.0}, "bias": -9.0, "answer_from": 1.1, "outside_below": 0.25}
    await EmbeddingSpace.objects.aupdate(calibration=gate | {"closest_from": 0.3})
    said = await client.chat.completions.create(model="lectorium-instant", messages=saying(QUESTION))
    assert (said.lectorium["outcome"], said.lectorium["reason"]) == ("closest_passage", "unanswerable")
    assert said.choices[0].message.content == said.lectorium["answer"]
    assert said.lectorium["answer"].startswith(f"{CLOSEST}\n\n")
    *content, last = await streamed(client, QUESTION)
    assert "".join(chunk.choices[0].delta.content for chunk in content) == last.lectorium["answer"]
    assert last.lectorium["answer"] == said.lectorium["answer"]


async def test_the_last_user_message_is_the_question_and_those_before_it_the_history(client, monkeypatch):
    heard = []

    async def take(turn, stream):
        heard.append(turn.question)
        yield TurnResult().ended(Turn.Outcome.NO_RETRIEVAL, message="Good.")

    monkeypatch.setattr(turn, "answer_question", take)
    parts = [{"type": "text", "text": "And"}, {"type": "text", "text": "why?"}]
    before = (("user", "Who was he?"), ("assistant", "Nobody."), ("tool", "x"))
    await client.chat.completions.create(model="lectorium-auto", messages=saying(parts, *before))
    assert heard[0].text == "And\nwhy?"
    assert [(message.role, message.content) for message in heard[0].history] == [
        ("user", "Who was he?"),
        ("assistant", "Nobody."),
    ]


async def test_what_is_wrong_is_raised_as_the_client_knows_it(client, bob):
    with pytest.raises(openai.NotFoundError, match="There is no model of this name") as unknown:
        await client.chat.completions.create(model="gpt-4", messages=saying(QUESTION))
    assert unknown.value.code == "model_not_found"
    asked = saying(QUESTION)
    wrong = [], saying("x" * 2001), [{"role": "user", "content": [{"type": "image_url"}]}], "x", [3]
    for messages in (*wrong, [{"content": "Hello."}, *asked], [{"role": "system", "content": {}}, *asked]):
        with pytest.raises(openai.BadRequestError):
            await client.chat.completions.create(model="lectorium-auto", messages=messages)
    bob.secret = "lectorium_wrong"
    async with client_of(bob) as stranger:
        with pytest.raises(openai.AuthenticationError):
            await stranger.models.list()


async def test_a_turn_that_fails_is_an_error_in_the_stream_and_without_one(client, monkeypatch):
    async def broken(turn, stream):
        yield TurnResult()
        raise RuntimeError

    monkeypatch.setattr(turn, "answer_question", broken)
    with pytest.raises(openai.InternalServerError, match=FAILED[:20]):
        await client.chat.completions.create(model="lectorium-auto", messages=saying(QUESTION))
    with pytest.raises(openai.APIError, match=FAILED[:20]):
        await streamed(client, QUESTION)


async def test_a_stream_is_sent_as_it_comes_in_events_that_end_with_done(alice):
    body = {"model": "lectorium-instant", "messages": saying(QUESTION), "stream": True}
    response = await alice.post("/v1/chat/completions", body, Accept="text/event-stream")
    assert response.headers["Content-Type"] == "text/event-stream"
    events = [part async for part in response.streaming_content]
    assert events[-1] == b"data: [DONE]\n\n"
    assert json.loads(events[0].removeprefix(b"data: "))["object"] == "chat.completion.chunk"
