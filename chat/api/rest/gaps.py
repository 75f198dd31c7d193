"""Knowledge gaps for editors' programs: what readers asked and the sources did not answer."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext_noop as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.inspection.passages import open_addresses
from audit.models import GapCluster
from chat.answering.domain.query.checks import BadMessage
from chat.api.bodies import problems
from chat.api.models import Token
from chat.api.rest import bodies
from chat.api.rest.paging import PARAMETERS, page_of
from chat.api.services import access_covers
from curation.gaps.pinning import questions_of

ALSO_ASKED = 5
NEEDED = Token.Access.DRAFT
TOO_LITTLE = _("This token may not read knowledge gaps. Make one with `manage.py api_token create --access draft`.")
NO_RIGHT = _("Your account may not read knowledge gaps. An administrator gives this right; see admin, Groups.")
STATE = OpenApiParameter("state", str, enum=bodies.GAP_STATES, description="open without it.")


class GapsView(APIView):
    @extend_schema(
        operation_id="gaps_list", parameters=[STATE, *PARAMETERS], responses={200: bodies.GapPage, **problems(403)}
    )
    def get(self, request: Request) -> Response:
        """The gaps, newest first. For editors: the token needs access draft."""
        _require_editor(request)
        state = request.query_params.get("state", GapCluster.State.OPEN)
        if state not in bodies.GAP_STATES:
            raise BadMessage(f"The state must be one of {', '.join(bodies.GAP_STATES)}.", "state")
        gaps = GapCluster.objects.described().filter(state=state)
        rows, following = page_of(request, gaps, "-created_at")
        page = bodies.GapPage(gaps=[_gap(row, request) for row in rows], next=following)
        return Response(page.model_dump(mode="json"))


class GapView(APIView):
    @extend_schema(responses={200: bodies.GapItem, **problems(403)})
    def get(self, request: Request, gap_id: UUID) -> Response:
        """A gap. For editors: the token needs access draft."""
        _require_editor(request)
        gap = GapCluster.objects.described().filter(pk=gap_id).first()
        if gap is None:
            raise Http404
        return Response(_gap(gap, request).model_dump(mode="json"))


def _require_editor(request: Request) -> None:
    token = request.auth
    if not isinstance(token, Token) or not access_covers(token.access, NEEDED):
        raise PermissionDenied(TOO_LITTLE)
    if not request.user.has_perm("audit.view_gapcluster"):
        raise PermissionDenied(NO_RIGHT)


def _gap(gap: Any, request: Request) -> bodies.GapItem:
    """gap: a GapCluster as `described()` gives it."""
    questions = questions_of(gap)
    first = questions[0] if questions else None
    return bodies.GapItem(
        id=gap.pk,
        state=gap.state,
        question=first.question if first else "",
        also_asked=[gap.question for gap in questions[1 : ALSO_ASKED + 1]],
        times=gap.times or 0,
        reason=first.reason if first else "",
        nearest=open_addresses(first.nearest, request.user) if first else [],
        first_seen=gap.first_seen.isoformat() if gap.first_seen else None,
        last_seen=gap.last_seen.isoformat() if gap.last_seen else None,
        url=reverse("admin:audit_gapcluster_change", args=[gap.pk]),
    )
