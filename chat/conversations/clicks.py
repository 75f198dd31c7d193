"""Counts the citations that readers open, by source and day. Who opened them is not stored."""

from uuid import UUID

from django import forms
from django.core.cache import cache
from django.utils import timezone

from audit.pseudonyms import asker_of
from audit.rollups.services import click_count
from chat.answering.domain.viewer import Viewer
from chat.conversations.feedback import MOST_CITATIONS
from chat.conversations.selectors import turn_of

MOST, SECONDS = 60, 60  # limit of clicks per reader and time


class CitationForm(forms.Form):
    turn = forms.UUIDField()
    citation = forms.IntegerField(min_value=1, max_value=MOST_CITATIONS)


def click_accept(*, viewer: Viewer, turn: UUID, citation: int) -> None:
    """Count one opened citation of the viewer's own turn. Any other, or one too many in a minute, is ignored."""
    key = f"citation-clicks:{asker_of(viewer.user_id, viewer.visitor)}"
    if not cache.add(key, 1, SECONDS) and _added(key) > MOST:
        return
    own = turn_of(turn, viewer)
    cited = own.response.get("citations", ()) if own else ()
    if address := next((str(row["address"]) for row in cited if row["n"] == citation), ""):
        click_count(source=address.rpartition(":")[0] or address, day=timezone.now().date())


def _added(key: str) -> int:
    try:
        return cache.incr(key)
    except ValueError:  # the minute ended since
        return 1
