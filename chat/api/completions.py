"""The shape of OpenAI's chat completions, so that clients written for it can ask here: modes are models.

What is streamed is what the socket streams: a sentence is sent once it has passed its checks.
"""

import json
from collections.abc import AsyncIterator
from typing import Any

from django.conf import settings
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chat.answering.domain.question import Mode
from chat.answering.journal import Journal
from chat.api import schemas
from chat.api.async_view import AsyncView, body_of
from chat.api.errors import NoSuchModel, TurnFailed
from chat.api.history import check_messages
from chat.api.running_turn import RunningTurn, begin_turn
from chat.live.protocol import check_ask

MODELS = {f"lectorium-{mode}": mode for mode in (Mode.AUTO, Mode.INSTANT, Mode.THINKING)}
SINCE = 1_767_225_600  # seconds since 1970: the models are as old as the product, and the shape wants a date


class CompletionsView(AsyncView):
    @extend_schema(request=schemas.CompletionSerializer, responses={200: schemas.CompletedSerializer, **schemas.ERRORS})
    async def post(self, request: Request) -> HttpResponseBase:
        """Answer the last user message, those before it being what was said before. Whoever hangs up stops it.

        With `stream` the answer comes in chunks, a checked sentence each; the last one carries `lectorium`. A refusal
        is content, and its outcome says so. Parameters that steer a model are passed over.
        """
        body = body_of(request)
        model = str(body.get("model"))
        text, history = check_messages(body.get("messages"))
        asked = {"question": text, "mode": _mode(model), "scope": body.get("scope")}
        running = await begin_turn(request, check_ask(asked, settings.QUESTION_MAX_CHARS), history)
        if body.get("stream"):
            options = body.get("stream_options")
            counts = isinstance(options, dict) and bool(options.get("include_usage"))
            return StreamingHttpResponse(_events(running, model, counts), content_type="text/event-stream")
        return Response(_completed(await running.response(), running.journal, model))


class ModelsView(APIView):
    @extend_schema(operation_id="models_list", responses={200: schemas.ModelListSerializer, **schemas.ERRORS})
    def get(self, request: Request) -> Response:
        """The modes, as models."""
        return Response({"object": "list", "data": [_model(name) for name in MODELS]})


class ModelView(APIView):
    @extend_schema(responses={200: schemas.ModelSerializer, **schemas.ERRORS})
    def get(self, request: Request, name: str) -> Response:
        """A mode, as a model."""
        _mode(name)
        return Response(_model(name))


async def _events(running: RunningTurn, model: str, counts: bool) -> AsyncIterator[bytes]:
    """Yield the turn as server-sent events; whoever stops reading stops the turn."""

    def chunk(*choices: dict[str, Any], **more: Any) -> bytes:
        head = _head(running.journal, "chat.completion.chunk", model)
        return _event({**head, "choices": list(choices), **more})

    try:
        yield chunk(_delta({"role": "assistant", "content": ""}))
        async for text in running.texts():
            yield chunk(_delta({"content": text}))
        response = await running.response()
        yield chunk(_delta({}, "stop"), lectorium=response)
        if counts:
            yield chunk(usage=_usage(running.journal))
        yield b"data: [DONE]\n\n"
    except TurnFailed as fault:
        yield _event({"error": {"code": fault.get_codes(), "message": str(fault.detail)}})
    finally:
        running.stop()


def _completed(response: dict[str, Any], journal: Journal, model: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": response["answer"]}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = _usage(journal)
    return {**_head(journal, "chat.completion", model), "choices": [choice], "usage": usage, "lectorium": response}


def _head(journal: Journal, kind: str, model: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{journal.turn_id}", "object": kind, "created": int(journal.began), "model": model}


def _delta(delta: dict[str, str], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _usage(journal: Journal) -> dict[str, int]:
    """Return the tokens that models read and wrote for this turn, whatever their jobs: none where none was asked."""
    read, written = (sum(getattr(call, kind) for call in journal.calls) for kind in ("tokens_in", "tokens_out"))
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _event(values: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(values, ensure_ascii=False)}\n\n".encode()


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": SINCE, "owned_by": "lectorium"}


def _mode(model: str) -> Mode:
    if model not in MODELS:
        raise NoSuchModel(f"There is no model of this name; there are {', '.join(MODELS)}.")
    return MODELS[model]
