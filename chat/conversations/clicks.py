"""Counts the citations that readers open, by source and day. Who opened them is not stored."""

import logging
from uuid import UUID

from django import forms
from django.core.cache import cache
from django.utils import timezone

from audit.pseudonyms import asker_of
from audit.rollups.services import click_count
from chat.answering.domain.viewer import Viewer
from chat.conversations.feedback import MOST_CITATIONS
from chat.conversations.selectors import turn_of

log = logging.getLogger(__name__)

MOST, SECONDS = 60, 60  # limit of clicks per reader and time


class CitationForm(forms.Form):
    turn = forms.UUIDField()
    citation = forms.IntegerField(min_value=1, max_value=MOST_CITATIONS)


def click_accept(*, viewer: Viewer, turn: UUID, citation: int) -> None:
    """Count one opened citation of the viewer's own turn. Any other, or one too many in a minute, is ignored."""
    if _count_of(f"citation-clicks:{asker_of(viewer.user_id, viewer.visitor)}") > MOST:
        return
    own = turn_of(turn, viewer)
    cited = own.response.get("citations", ()) if own else ()
    if address := next((str(row["address"]) for row in cited if row["n"] == citation), ""):
        click_count(source=address.rpartition(":")[0] or address, day=timezone.now().date())


def _count_of(key: str) -> int:
    """The reader's clicks of this minute, now included. Without a reachable cache, every click is the first."""
    try:
        return 1 if cache.add(key, 1, SECONDS) else cache.incr(key)
    except ValueError:  # the minute ended since
        return 1
    except Exception as error:  # noqa: BLE001 - each backend has its own; its words may hold a password
        log.warning("The cache cannot be used, so opened citations are not limited: %s", type(error).__name__)
        return 1
