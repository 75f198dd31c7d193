"""A reader's own turns: the answer with its citations, and feedback on it."""

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chat.answering.domain.query.checks import BadMessage, is_unicode
from chat.answering.domain.viewer import Viewer
from chat.api.async_view import body_of
from chat.api.bodies import problems
from chat.api.conversations import citations_of
from chat.api.rest import bodies
from chat.api.rest.paging import READABLE
from chat.api.translated import translated_response
from chat.conversations import selectors
from chat.conversations.feedback import MOST_CITATIONS, NOTE_MAX, feedback_accept
from chat.conversations.viewers import viewer_of

TARGET = [
    OpenApiParameter(
        "citation", {"type": "integer", "minimum": 0, "maximum": MOST_CITATIONS}, description="As it was given."
    ),
    OpenApiParameter("claim", READABLE, description="As it was given."),
]


class TurnView(APIView):
    @extend_schema(responses={200: bodies.TurnBody, **problems()})
    def get(self, request: Request, turn_id: UUID) -> Response:
        """A turn of yours, without what you may no longer see; also one that is still running."""
        return translated_response(request, _turn(viewer_of(request.user, None), turn_id))


class CitationsView(APIView):
    @extend_schema(operation_id="citations_list", responses={200: bodies.CitationList, **problems()})
    def get(self, request: Request, turn_id: UUID) -> Response:
        """The citations of a turn whose quotes you may still see, by number."""
        return translated_response(request, {"citations": citations_of(viewer_of(request.user, None), turn_id)})


class FeedbackView(APIView):
    @extend_schema(operation_id="feedback_list", responses={200: bodies.FeedbackList, **problems()})
    def get(self, request: Request, turn_id: UUID) -> Response:
        """What you have said about a turn."""
        return Response({"feedback": _turn(viewer_of(request.user, None), turn_id)["feedback"]})

    @extend_schema(request=bodies.FeedbackBody, responses={204: None, **problems(409, 415)})
    def put(self, request: Request, turn_id: UUID) -> Response:
        """Say something about an answer, a sentence of it or a citation. It replaces what you said about the same."""
        body = body_of(request)
        kind, note = _text(body, "kind"), _text(body, "note")
        if kind not in bodies.FEEDBACK_KINDS:
            raise BadMessage(f"The kind must be one of {', '.join(bodies.FEEDBACK_KINDS)}.", "kind")
        if len(note) > NOTE_MAX:
            raise BadMessage(f"The note has {len(note):,} characters; please keep it to {NOTE_MAX:,}.", "note")
        self._accept(request, turn_id, body.get("citation", 0), _text(body, "claim"), kind, note)
        return Response(status=204)

    @extend_schema(parameters=TARGET, responses={204: None, **problems()})
    def delete(self, request: Request, turn_id: UUID) -> Response:
        """Take back what you said about an answer, or about the sentence or citation that is named."""
        number = request.query_params.get("citation", "0")
        citation = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else -1
        self._accept(request, turn_id, citation, request.query_params.get("claim", ""))
        return Response(status=204)

    def _accept(
        self, request: Request, turn_id: UUID, citation: object, claim: str, kind: str = "", note: str = ""
    ) -> None:
        if isinstance(citation, float) and citation.is_integer():
            citation = int(citation)  # in JSON 1.0 is an integer
        if not isinstance(citation, int) or isinstance(citation, bool) or not 0 <= citation <= MOST_CITATIONS:
            raise BadMessage(f"The citation must be a number from 0 to {MOST_CITATIONS}.", "citation")
        viewer = viewer_of(request.user, None)
        feedback_accept(viewer=viewer, turn=turn_id, kind=kind, citation=citation, claim=claim, note=note)


def _turn(viewer: Viewer, turn_id: UUID) -> dict[str, Any]:
    """Raises Http404 where the viewer has no such turn."""
    turn = selectors.turn_of(turn_id, viewer)
    for stored in selectors.stored_turns(turn.conversation_id, viewer) if turn else ():
        if stored["turn"] == str(turn_id):
            return {**stored, "conversation": str(turn.conversation_id)} if turn else stored
    raise Http404


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str) or not is_unicode(value) or "\x00" in value:
        raise BadMessage(f'"{name}" must be readable text.', name)
    return value
