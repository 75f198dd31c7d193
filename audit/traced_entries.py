"""The pins and notes that took part in a turn, as its record shows them."""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _noop

from audit.models import TurnAudit

NONE = _noop("No pin or note took part")


def entries_in_words(audit: TurnAudit | None) -> SafeString | str:
    """A table of what each pin and note did; of a repeated answer, what they did in the turn that gave it first."""
    if audit is None:
        return "–"
    given_before = str(audit.trace.get("cached", {}).get("turn", ""))
    first = TurnAudit.objects.filter(turn_id=given_before).first() if given_before else audit
    entries = _traced(first.trace) if first else []
    if not entries:
        return _(NONE) if first else _("The answer was given before; that turn is deleted")
    context = {"entries": entries, "is_repeated": bool(given_before)}
    return render_to_string("admin/audit/entries.html", context)


def _traced(trace: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The entries of every look at the sources, the pin that answered first."""
    looks = (*trace.get("looks", ()), trace)
    found = {entry["entry"]: entry for look in looks for entry in look.get("curated", ())}
    return sorted(found.values(), key=lambda entry: not entry.get("answered"))
