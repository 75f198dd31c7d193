"""OpenAI's chat completions, so that clients written for them can ask here: modes are models.

The stream is the socket's: a sentence is sent once it has passed its checks.
"""

from collections.abc import AsyncGenerator
from typing import Any

from django.conf import settings
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.question import Mode
from chat.answering.domain.response import AnsweredResponse
from chat.api import bodies
from chat.api.async_view import AsyncView, body_of
from chat.api.bodies import MODELS
from chat.api.completion_options import CompletionOptions, check_options
from chat.api.domain.problems import ApiError
from chat.api.domain.server_sent import DONE, data_text
from chat.api.domain.stop_sequences import StopSequences
from chat.api.errors import NoSuchModel, TurnFailed
from chat.api.event_stream import EVENT_STREAM, streamed
from chat.api.history import check_messages
from chat.api.running_turn import RunningTurn, begin_turn, sender_of
from chat.live.protocol import check_ask

SINCE = 1_767_225_600  # seconds since 1970: the models are as old as the product, and the shape wants a date


class CompletionsView(AsyncView):
    @extend_schema(
        request=bodies.CompletionRequest,
        responses={
            (200, "application/json"): bodies.ChatCompletion,
            (200, EVENT_STREAM): bodies.StreamedChunk,
            **bodies.OPENAI_ERRORS,
        },
    )
    async def post(self, request: Request) -> HttpResponseBase:
        """Answer the last user message; earlier messages are the history. Closing the connection stops the turn.

        With `stream` the answer comes in chunks, a checked sentence each; the last one carries `lectorium`. A refusal
        is content, and its outcome says so. `stop` ends the content before what it names; other parameters that steer
        a model are ignored.
        """
        body = body_of(request)
        model = str(body.get("model"))
        text, history = check_messages(body.get("messages"))
        options = check_options(body)
        asked = {"question": text, "mode": _mode(model), "scope": body.get("scope")}
        running = await begin_turn(sender_of(request), check_ask(asked, settings.QUESTION_MAX_CHARS), history)
        if options.stream:
            return streamed(_events(running, model, options), running.stop)
        return Response(_completed(await running.response(), running.current, model, options.stop))


class ModelsView(APIView):
    @extend_schema(operation_id="models_list", responses={200: bodies.ServedModes, **bodies.OPENAI_ERRORS})
    def get(self, request: Request) -> Response:
        """The modes, as models."""
        return Response(bodies.ServedModes(data=[_model(name) for name in MODELS]).model_dump())


class ModelView(APIView):
    @extend_schema(responses={200: bodies.ServedMode, **bodies.OPENAI_ERRORS})
    def get(self, request: Request, name: str) -> Response:
        """A mode, as a model."""
        _mode(name)
        return Response(_model(name).model_dump())


async def _events(running: RunningTurn, model: str, options: CompletionOptions) -> AsyncGenerator[bytes]:
    """Yield the turn as server-sent events."""

    def chunk(*choices: dict[str, Any], **more: Any) -> bytes:
        head = _head(running.current, "chat.completion.chunk", model)
        usage = {"usage": None} if options.counts else {}
        return data_text({**head, "choices": list(choices), **usage, **more})

    stop = StopSequences(options.stop)
    try:
        yield chunk(_delta({"role": "assistant", "content": ""}))
        async for text in running.texts():
            if shown := stop.feed(text):
                yield chunk(_delta({"content": shown}))
        if rest := stop.flush():
            yield chunk(_delta({"content": rest}))
        response = (await running.response()).as_dict()
        yield chunk(_delta({}, "stop"), lectorium=response)
        if options.counts:
            yield chunk(usage=_usage(running.current).model_dump())
        yield DONE
    except TurnFailed as fault:
        yield data_text(ApiError(fault.status_code, str(fault.get_codes()), str(fault.detail)).as_openai())


def _completed(response: AnsweredResponse, turn: CurrentTurn, model: str, sequences: tuple[str, ...]) -> dict[str, Any]:
    stop = StopSequences(sequences)
    message = bodies.SpokenMessage(role="assistant", content=stop.feed(response.answer) + stop.flush())
    choices = [bodies.CompletionChoice(message=message)]
    head = _head(turn, "chat.completion", model)
    return bodies.ChatCompletion(**head, choices=choices, usage=_usage(turn), lectorium=response).model_dump(
        mode="json"
    )


def _head(turn: CurrentTurn, kind: str, model: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{turn.turn_id}", "object": kind, "created": int(turn.clock.began), "model": model}


def _delta(delta: dict[str, str], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _usage(turn: CurrentTurn) -> bodies.TokenUsage:
    """The tokens that models read and wrote for this turn, whatever their jobs."""
    read, written = (sum(getattr(call, kind) for call in turn.calls) for kind in ("tokens_in", "tokens_out"))
    return bodies.TokenUsage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)


def _model(name: str) -> bodies.ServedMode:
    return bodies.ServedMode(id=name, created=SINCE)


def _mode(model: str) -> Mode:
    if model not in MODELS:
        raise NoSuchModel(f"There is no model of this name; there are {', '.join(MODELS)}.")
    return MODELS[model]
