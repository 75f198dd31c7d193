"""What an audit keeps of a question: readers may write into it what is nobody else's business."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

REDACTED = "[redacted]"
# Seven digits or more in a row are a telephone, card or account number, or a birthday; addresses of verses have fewer.
_DETAILS = (
    (re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE), "[link]"),
    (re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"), "[e-mail]"),
    (re.compile(r"(?<!\w)@\w{2,}"), "[name]"),
    (re.compile(r"(?<!\w)\+?\(?\d(?:[\s()/.-]{0,2}\d){6,}(?!\w)"), "[number]"),
)


class Redaction(StrEnum):
    """nothing: the question as asked. details: without what a pattern can tell to be private. all: not at all."""

    NOTHING = "nothing"
    DETAILS = "details"
    ALL = "all"


def redacted(text: str, how: Redaction) -> str:
    """Return a question as it may be kept. Names are words like any other, so only ALL hides them."""
    if how is Redaction.ALL:
        return REDACTED
    if how is Redaction.DETAILS:
        for pattern, instead in _DETAILS:
            text = pattern.sub(instead, text)
    return text


def redacted_trace(trace: Mapping[str, Any], how: Redaction) -> dict[str, Any]:
    """Return a turn's trace with its question's wordings redacted, and its words left out where that changed any.

    The same of each earlier look.
    """
    kept = dict(trace)
    if plan := trace.get("plan"):
        kept["plan"] = _redacted_plan(plan, how)
    if looks := trace.get("looks"):
        kept["looks"] = [redacted_trace(look, how) for look in looks]
    return kept


def _redacted_plan(plan: Mapping[str, Any], how: Redaction) -> dict[str, Any]:
    wordings = [{**one, "text": redacted(one["text"], how)} for one in plan["wordings"]]
    changed = wordings != list(plan["wordings"])
    gone = {name: type(plan[name])() for name in ("words", "alternatives") if name in plan} if changed else {}
    return {**plan, "wordings": wordings, **gone}
