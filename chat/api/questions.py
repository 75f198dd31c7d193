"""Asking and searching, over everything that the token's owner may see."""

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from chat.answering.domain.query.checks import BadMessage, check_question
from chat.answering.domain.response import AnsweredResponse
from chat.answering.payloads import source_item
from chat.api import bodies
from chat.api.async_view import AsyncView, body_of
from chat.api.history import check_history
from chat.api.running_turn import begin_turn, sender_of
from chat.api.translated import translated_response
from chat.conversations.viewers import viewer_of
from chat.live.protocol import check_ask
from chat.search.lookup import look_up
from corpus.domain.passage import Passage
from lectorium.threads import in_thread

FOUND, MOST_FOUND = 10, 50


class AskView(AsyncView):
    @extend_schema(request=bodies.AskBody, responses={200: AnsweredResponse, **bodies.ERRORS})
    async def post(self, request: Request) -> Response:
        """Answer a question, every claim cited, or refuse it. The turn is recorded in a conversation of yours.

        Closing the connection stops the turn.
        """
        body = body_of(request)
        ask = check_ask(body, settings.QUESTION_MAX_CHARS)
        running = await begin_turn(sender_of(request), ask, check_history(body.get("history") or []))
        response = await running.response()
        return await in_thread(translated_response, request, response.as_dict())


class SearchView(AsyncView):
    @extend_schema(
        parameters=[
            OpenApiParameter("q", str, required=True),
            OpenApiParameter("limit", int, description=f"1 to {MOST_FOUND}; {FOUND} without it."),
            OpenApiParameter("scope", str, description="As for `ask`."),
        ],
        responses={200: bodies.SearchResults, **bodies.ERRORS},
    )
    async def get(self, request: Request) -> Response:
        """Passages by meaning, words, spelling and address at once, best first. Nothing is recorded."""
        text = check_question(request.query_params.get("q"), settings.QUESTION_MAX_CHARS, "q")
        limit = _limit(request.query_params.get("limit") or str(FOUND))
        viewer = await in_thread(viewer_of, request.user, None, request.query_params.get("scope"))
        _, found = await look_up(text, viewer, limit=limit, **sender_of(request).counted_as)
        results = bodies.SearchResults(results=[_found(candidate.passage) for candidate in found])
        return await in_thread(translated_response, request, results.model_dump(mode="json"))


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST_FOUND)) and 1 <= int(text) <= MOST_FOUND):
        raise BadMessage(f"The limit must be a number from 1 to {MOST_FOUND}.")
    return int(text)


def _found(passage: Passage) -> bodies.FoundPassage:
    return bodies.FoundPassage(**source_item(passage, (0, len(passage.text))), text=passage.text)
