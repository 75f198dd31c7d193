"""Redacts questions and answers before they are recorded, since readers may write private details."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

REDACTED = "[redacted]"
# Seven or more digits are a telephone, card or account number, or a birthday; addresses of verses have fewer.
_DETAILS = (
    (re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE), "[link]"),
    (re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"), "[e-mail]"),
    (re.compile(r"(?<!\w)@\w{2,}"), "[name]"),
    (re.compile(r"(?<!\w)\+?\(?\d(?:[\s()/.-]{0,2}\d){6,}(?!\w)"), "[number]"),
)
# Keys whose values are the product's own words, never a reader's. Text under any other key is redacted, so a key added
# to the trace later is redacted until it is listed here.
_OWN = frozenset(
    """type stage route kind flags entry chunk address cut_by verdict reason withheld repair block guard fault risk
    verifier proof job model row prompt outcome cost cached conversation turn code mode policy wanted_kinds language
    decision effect""".split()
)
_WORDS = ("words", "alternatives", "addresses")  # of a plan


class Redaction(StrEnum):
    """nothing: keep the text. details: replace links, e-mail addresses, @names and long numbers. all: keep no text."""

    NOTHING = "nothing"
    DETAILS = "details"
    ALL = "all"


def redacted(text: str, how: Redaction) -> str:
    """The text as it may be recorded. No pattern recognises people's names, so only ALL hides them."""
    if how is Redaction.ALL:
        return REDACTED
    if how is Redaction.DETAILS:
        for pattern, replacement in _DETAILS:
            text = pattern.sub(replacement, text)
    return text


def redacted_trace(trace: Mapping[str, Any], how: Redaction) -> dict[str, Any]:
    """A turn's trace with every text redacted that may come from the reader or the answer.

    Where redaction changed a plan's wordings, its search words and addresses are emptied too, in every look.
    """
    kept: dict[str, Any] = _redacted(trace, how)
    looks = zip([trace, *trace.get("looks", ())], [kept, *kept.get("looks", ())], strict=True)
    for was, look in looks:
        plan = was.get("plan")
        if plan and look["plan"]["wordings"] != list(plan["wordings"]):
            look["plan"] |= {name: type(plan[name])() for name in _WORDS if name in plan}
    return kept


def redacted_warnings(warnings: Iterable[Mapping[str, Any]], how: Redaction) -> list[dict[str, Any]]:
    """Redact warnings, whose messages and details may repeat words of the answer."""
    return [_redacted(warning, how) for warning in warnings]


def _redacted(value: Any, how: Redaction, name: str = "") -> Any:
    if isinstance(value, str):
        return value if name in _OWN or not value else redacted(value, how)
    if isinstance(value, Mapping):
        return {key: _redacted(item, how, key) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(item, how, name) for item in value]
    return value
