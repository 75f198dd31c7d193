"""Which answers may be given again, to whom and for how long (shared/design/pipeline.md, "Modes" and "Cache")."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from chat.answering.domain.question import Mode

# An answer with one of these is not what the same question would be given next time, or names what was not verified.
NEVER_AGAIN = frozenset({"UNVERIFIED_TERMS", "STALE_INDEX", "DEGRADED"})
ANSWERED = frozenset({"grounded", "partially_grounded"})


@dataclass(frozen=True, slots=True)
class CacheRules:
    """Evidence: docs/thresholds.md. confidence: 0..1, the least an answer must have. The rest: seconds it is kept."""

    confidence: float = 0.3
    instant: int = 120
    auto: int = 300
    thinking: int = 900

    def seconds(self, mode: Mode) -> int:
        """Return how long an answer of this mode is kept."""
        return {Mode.INSTANT: self.instant, Mode.AUTO: self.auto, Mode.THINKING: self.thinking}[mode]


def may_be_given_again(response: Mapping[str, Any], rules: CacheRules) -> bool:
    """Say whether a turn's response is an answer, complete and sure enough to be given to others who ask the same.

    A sentence withheld from it does not matter: what is left is complete, and says how many were removed.
    """
    warned = {warning["type"] for warning in response["warnings"]}
    return (
        response["outcome"] in ANSWERED
        and bool(response["complete"])
        and response["confidence"] >= rules.confidence
        and not warned & NEVER_AGAIN
    )


def cache_key(
    standalone: str,
    *,
    locale: str,
    mode: Mode,
    collections: Iterable[UUID],
    elsewhere: Iterable[UUID] = (),
    narrowed_to: Iterable[str] = (),
    near: Iterable[str] = (),
    versions: Mapping[str, str],
) -> str:
    """Return the key of an answer: equal only where the question and all that its answer depends on are.

    collections: every one the asker may see, so that no two who see different ones share an answer; elsewhere: those
    left out of the scope, which may be named beside what was withheld; narrowed_to: languages, kinds and works; near:
    where a follow-up's thread stands.
    Questions are equal but for case, spacing and the mark at their end; punctuation within stays, for BG 2.13-15 is
    not BG 2.13, 15.
    """
    asked = " ".join(unicodedata.normalize("NFC", standalone).casefold().split()).rstrip("?!. ")
    seen = [sorted(map(str, collections)), sorted(map(str, elsewhere)), sorted(narrowed_to)]
    parts = [asked, locale, mode.value, *seen, [*near], sorted(versions.items())]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
