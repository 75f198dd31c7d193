"""Which answers are cached, for whom and how long. Source: shared/design/pipeline.md, "Modes" and "Cache"."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from chat.answering.domain.question import Mode

# Answers with these warnings are not cached: a retry may do better, or the answer has terms that were not verified.
UNCACHEABLE_WARNINGS = frozenset({"UNVERIFIED_TERMS", "STALE_INDEX", "DEGRADED"})
CACHEABLE_OUTCOMES = frozenset({"grounded", "partially_grounded"})


@dataclass(frozen=True, slots=True)
class CacheRules:
    """Evidence: docs/thresholds.md. confidence: minimum of a cached answer, 0..1. The rest: lifetimes in seconds."""

    confidence: float = 0.3
    instant: int = 120
    auto: int = 300
    thinking: int = 900

    def seconds(self, mode: Mode) -> int:
        return {Mode.INSTANT: self.instant, Mode.AUTO: self.auto, Mode.THINKING: self.thinking}[mode]


def is_cacheable(response: Mapping[str, Any], rules: CacheRules) -> bool:
    """Whether a response is complete and confident enough to give to others who ask the same question.

    Withheld sentences do not matter: the rest is complete, and the answer states how many were removed.
    """
    warned = {warning["type"] for warning in response["warnings"]}
    return (
        response["outcome"] in CACHEABLE_OUTCOMES
        and bool(response["complete"])
        and response["confidence"] >= rules.confidence
        and not warned & UNCACHEABLE_WARNINGS
    )


def cache_key(
    standalone: str,
    *,
    locale: str,
    language: str = "en",
    mode: Mode,
    collections: Iterable[UUID],
    elsewhere: Iterable[UUID] = (),
    narrowed_to: Iterable[str] = (),
    near: Iterable[str] = (),
    versions: Mapping[str, str],
) -> str:
    """The key of an answer; equal only for equal questions under equal conditions.

    language: of the question as typed. collections: all that the reader may see, so that readers with different access
    never share an answer. elsewhere: collections outside the scope, which the answer may name beside withheld
    sentences. narrowed_to: languages, kinds and works. near: the place of a follow-up's conversation. Questions are
    compared without case, spacing and final punctuation. Other punctuation counts: BG 2.13-15 is not BG 2.13, 15.
    """
    asked = " ".join(unicodedata.normalize("NFC", standalone).casefold().split()).rstrip("?!. ")
    scope = [sorted(map(str, collections)), sorted(map(str, elsewhere)), sorted(narrowed_to)]
    parts = [asked, locale, language, mode.value, *scope, [*near], sorted(versions.items())]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
