"""Lists in pages: `limit` rows each, and a `next` that stays right while rows are added or removed.

The framework's own cursor counts rows where many have the same value, and then repeats one when a row comes between.
"""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from chat.answering.domain.query.checks import BadMessage
from chat.api.domain.cursors import ListPosition, cursor_of, position_of

PAGE, MOST_ON_PAGE = 50, 100
BAD_CURSOR = _("The cursor is not one that this list gave in its `next`. Begin without it.")
READABLE = {"type": "string", "pattern": r"^[^\x00]*$"}  # no address holds a NUL byte
PARAMETERS = [
    OpenApiParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": MOST_ON_PAGE}, description=f"{PAGE} without it."
    ),
    OpenApiParameter("cursor", READABLE, description="Of the `next` of the page before."),
]


def page_of(request: Request, rows: QuerySet[Any], order: str) -> tuple[list[Any], str | None]:
    """The page that a request asks for, and the address of the next one. Raises BadMessage.

    order: a field that is never null, with "-" for descending; equal values are ordered by key.
    """
    limit = limit_of(request, PAGE, MOST_ON_PAGE)
    field, sign = order.removeprefix("-"), "-" if order.startswith("-") else ""
    try:
        if cursor := request.query_params.get("cursor"):
            rows = rows.filter(_after(field, "lt" if sign else "gt", position_of(cursor)))
        found = list(rows.order_by(order, f"{sign}pk")[: limit + 1])
    except (ValidationError, ValueError, OverflowError, DataError) as error:
        raise BadMessage(BAD_CURSOR, "cursor") from error
    if len(found) <= limit:
        return found, None
    params = request.query_params.copy()
    params["cursor"] = cursor_of(_position(found[limit - 1], field))
    return found[:limit], f"{request.path}?{params.urlencode()}"


def limit_of(request: Request, without: int, most: int) -> int:
    """The `limit` of a request, `without` where there is none. Raises BadMessage."""
    text = request.query_params.get("limit")
    if text is None:
        return without
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and 1 <= int(text) <= most):
        raise BadMessage(f"The limit must be a number from 1 to {most}.", "limit")
    return int(text)


def _after(field: str, comes_after: str, position: ListPosition) -> Q:
    beyond = Q(**{f"{field}__{comes_after}": position.value})
    return beyond | Q(**{field: position.value, f"pk__{comes_after}": position.key})


def _position(row: Any, field: str) -> ListPosition:
    value = getattr(row, field)
    return ListPosition(value.isoformat() if isinstance(value, datetime) else str(value), str(row.pk))
