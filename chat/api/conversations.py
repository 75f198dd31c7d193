"""A reader's own conversations, and the citations of their answers."""

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chat.answering.domain.viewer import Viewer
from chat.api import bodies
from chat.api.rest.paging import PARAMETERS, page_of
from chat.api.translated import translated_response
from chat.conversations import selectors
from chat.conversations.domain.masking import response_for
from chat.conversations.retention import conversation_forget
from chat.conversations.viewers import viewer_of
from chat.conversations.visibility import visible_quotes
from chat.models import Conversation


class ConversationsView(APIView):
    @extend_schema(
        operation_id="conversations_list",
        parameters=PARAMETERS,
        responses={200: bodies.ConversationList, **bodies.ERRORS},
    )
    def get(self, request: Request) -> Response:
        """The conversations of the token's owner, newest first."""
        rows, following = page_of(request, Conversation.objects.owned_by(_viewer(request)), "-updated_at")
        listed = bodies.ConversationList(conversations=[_listed(row) for row in rows], next=following)
        return Response(listed.model_dump(mode="json"))


class ConversationView(APIView):
    @extend_schema(responses={200: bodies.ConversationBody, **bodies.ERRORS})
    def get(self, request: Request, conversation_id: UUID) -> Response:
        """A conversation with its turns, oldest first; without what its reader may no longer see."""
        viewer = _viewer(request)
        conversation = _own(viewer, conversation_id)
        listed = _listed(conversation).model_dump(mode="json")
        return translated_response(request, {**listed, "turns": selectors.stored_turns(conversation.pk, viewer)})

    @extend_schema(responses={204: None, **bodies.ERRORS})
    def delete(self, request: Request, conversation_id: UUID) -> Response:
        """Delete a conversation with its turns, citations and audits, for good."""
        conversation_forget(conversation_id=_own(_viewer(request), conversation_id).pk)
        return Response(status=204)


class CitationView(APIView):
    @extend_schema(responses={200: bodies.CitationBody, **bodies.ERRORS})
    def get(self, request: Request, turn_id: UUID, n: int) -> Response:
        """Citation number n of a turn, while its reader may see what it quotes."""
        return translated_response(request, citation_of(_viewer(request), turn_id, n))


def citations_of(viewer: Viewer, turn_id: UUID) -> list[dict[str, Any]]:
    """The citations of a turn of the viewer's whose quotes they may see. Raises Http404 where it is not theirs."""
    turn = selectors.turn_of(turn_id, viewer)
    if turn is None:
        raise Http404
    shown = response_for(turn.response, visible_quotes(viewer, [turn.response]))
    return [dict(cited) for cited in shown.get("citations", ())]


def citation_of(viewer: Viewer, turn_id: UUID, n: int) -> dict[str, Any]:
    """Citation number n of a turn of the viewer's. Raises Http404 where they may not see it, or there is none."""
    for cited in citations_of(viewer, turn_id):
        if cited["n"] == n:
            return cited
    raise Http404


def _viewer(request: Request) -> Viewer:
    return viewer_of(request.user, None)


def _own(viewer: Viewer, conversation_id: UUID) -> Conversation:
    conversation = selectors.conversation(viewer, conversation_id)
    if conversation is None:
        raise Http404
    return conversation


def _listed(conversation: Conversation) -> bodies.ListedConversation:
    return bodies.ListedConversation(
        id=conversation.pk,
        title=conversation.title,
        created_at=conversation.created_at,
        updated_at=conversation.updated_at,
    )
