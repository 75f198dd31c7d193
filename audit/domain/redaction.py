"""What an audit keeps of a question and its answer: readers may write what is nobody else's business."""

import re
from collections.abc import Iterable, Mapping
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


# Names of values that say where, who and how, in the product's own words. Text under any other name may be a reader's,
# or an answer to it, so that what is recorded one day under a new name is redacted until it is listed here.
_OWN = frozenset(
    """type stage route kind flags entry chunk address cut_by verdict reason withheld repair block guard fault risk
    verifier proof job model row prompt outcome cost cached conversation turn code mode policy wanted_kinds language
    decision""".split()
)
_WORDS = ("words", "alternatives", "addresses")  # of a plan


class Redaction(StrEnum):
    """nothing: as asked and answered. details: without what a pattern can tell to be private. all: not at all."""

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
    """Return a turn's trace with every text of its reader's or its answer's redacted, by the name it is kept under.

    The words that a plan looks for, and the addresses it was asked for, are left out where its wordings changed; the
    same of each earlier look.
    """
    kept: dict[str, Any] = _redacted(trace, how)
    looks = zip([trace, *trace.get("looks", ())], [kept, *kept.get("looks", ())], strict=True)
    for was, look in looks:
        plan = was.get("plan")
        if plan and look["plan"]["wordings"] != list(plan["wordings"]):
            look["plan"] |= {name: type(plan[name])() for name in _WORDS if name in plan}
    return kept


def redacted_warnings(warnings: Iterable[Mapping[str, Any]], how: Redaction) -> list[dict[str, Any]]:
    """Return an answer's warnings, whose messages and details may repeat its words."""
    return [_redacted(warning, how) for warning in warnings]


def _redacted(value: Any, how: Redaction, name: str = "") -> Any:
    if isinstance(value, str):
        return value if name in _OWN or not value else redacted(value, how)
    if isinstance(value, Mapping):
        return {key: _redacted(one, how, key) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(one, how, name) for one in value]
    return value
