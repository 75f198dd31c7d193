"""Asking and searching, over everything that the token's owner may see."""

from uuid import UUID

from django.conf import settings
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import TypeAdapter
from rest_framework.request import Request
from rest_framework.response import Response

from chat.answering.domain.query.checks import check_flag, check_question
from chat.answering.domain.response import AnsweredResponse
from chat.answering.payloads import source_item
from chat.api import bodies
from chat.api.asked_again import REPLAYED, answer_again, begun_turn, events_again
from chat.api.async_view import AsyncView, body_of
from chat.api.event_stream import EVENT_STREAM, event_chunks, local_events, streamed
from chat.api.history import check_history
from chat.api.idempotency import HEADER, KeyTaken, ask_key, turn_of_key
from chat.api.rest.paging import limit_of
from chat.api.running_turn import begin_turn, sender_of
from chat.api.translated import translated_response
from chat.conversations.viewers import viewer_of
from chat.live.protocol import check_ask
from chat.search.lookup import look_up
from corpus.catalogue.languages import languages_of
from corpus.domain.passage import Passage
from lectorium.threads import in_thread

FOUND, MOST_FOUND = 10, 50


class AskView(AsyncView):
    @extend_schema(
        request=bodies.AskBody,
        parameters=[
            OpenApiParameter(
                HEADER,
                str,
                OpenApiParameter.HEADER,
                pattern="^[!-~]{1,255}$",
                description="Of your choice, for a day: the same key and body give the same turn, never a second one.",
            )
        ],
        responses={
            (200, "application/json"): AnsweredResponse,
            (200, EVENT_STREAM): bodies.StreamedEvent,
            **bodies.problems(415, 422),
        },
    )
    async def post(self, request: Request) -> HttpResponseBase:
        """Answer a question, every claim cited, or refuse it. The turn is recorded in a conversation of yours.

        With `"stream": true`, or `Accept: text/event-stream`, the events of the turn come as they happen: those of the
        page, each with its number as its id. Closing the connection stops the turn; with an Idempotency-Key it goes on
        for 20 seconds, so that you can ask for it again.
        """
        body = body_of(request)
        ask = check_ask(body, settings.QUESTION_MAX_CHARS)
        check_flag(body.get("as_typed"), "as_typed")
        history, key = check_history(body.get("history")), ask_key(request, body)
        is_stream = check_flag(body.get("stream"), "stream") or EVENT_STREAM in request.headers.get("Accept", "")
        if key and (begun := await in_thread(turn_of_key, key)):
            return await _again(request, begun, is_stream)
        try:
            running = await begin_turn(sender_of(request), ask, history, key)
        except KeyTaken:
            begun = await in_thread(turn_of_key, key) if key else None
            if begun is None:  # the other request was refused meanwhile
                raise
            return await _again(request, begun, is_stream)
        if is_stream:
            events = local_events(running.events(), languages_of(request))
            return streamed(event_chunks(events), running.leave)
        response = await running.response()
        return await in_thread(translated_response, request, response.as_dict())


async def _again(request: Request, turn_id: UUID, is_stream: bool) -> HttpResponseBase:
    """What the first request with this key was, or will be, answered."""
    viewer = await in_thread(viewer_of, request.user, None)
    turn = await in_thread(begun_turn, turn_id, viewer)
    response: HttpResponseBase
    if is_stream:
        events = local_events(events_again(turn, viewer), languages_of(request))
        response = streamed(event_chunks(events), lambda: None)
    else:
        answer = await answer_again(turn, viewer)
        response = await in_thread(translated_response, request, answer.as_dict())
    response.headers[REPLAYED] = "true"
    return response


class SearchView(AsyncView):
    @extend_schema(
        parameters=[
            OpenApiParameter("q", TypeAdapter(bodies.TypedText).json_schema(), required=True),
            OpenApiParameter(
                "limit", {"type": "integer", "minimum": 1, "maximum": MOST_FOUND}, description=f"{FOUND} without it."
            ),
            OpenApiParameter("scope", TypeAdapter(bodies.Scope).json_schema(), description="As for `ask`."),
        ],
        responses={200: bodies.SearchResults, **bodies.ERRORS},
    )
    async def get(self, request: Request) -> Response:
        """Passages by meaning, words, spelling and address at once, best first. Nothing is recorded."""
        text = check_question(request.query_params.get("q"), settings.QUESTION_MAX_CHARS, "q")
        limit = limit_of(request, FOUND, MOST_FOUND)
        viewer = await in_thread(viewer_of, request.user, None, request.query_params.get("scope"))
        _, found = await look_up(text, viewer, limit=limit, **sender_of(request).counted_as)
        results = bodies.SearchResults(results=[_found(candidate.passage) for candidate in found])
        return await in_thread(translated_response, request, results.model_dump(mode="json"))


def _found(passage: Passage) -> bodies.FoundPassage:
    return bodies.FoundPassage(**source_item(passage, (0, len(passage.text))), text=passage.text)
