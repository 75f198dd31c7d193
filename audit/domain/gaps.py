"""Finds the knowledge gap of a turn: an unanswered question, or a written sentence that no source supports.

Source: shared/design/pipeline.md, stages 5 (uncited sentences) and 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NEAREST = 3
SENTENCE_REASON = "gap"
UNPROVED = frozenset({"uncited", "unsupported_claims"})  # a forged quotation is a model's error, not a gap


@dataclass(frozen=True, slots=True)
class Gap:
    """A question that the sources do not answer, or only in part.

    kind: "refused" for a refusal or a closest passage, else "sentence". sentence: the unsupported sentences a model
    wrote, one per line, "" for kind "refused". nearest: addresses of the closest passages.
    """

    kind: str
    question: str
    reason: str
    sentence: str = ""
    nearest: tuple[str, ...] = ()


def gap_of(response: Mapping[str, Any], trace: Mapping[str, Any]) -> Gap | None:
    question = response["standalone_question"]
    if response["outcome"] == "closest_passage":
        return Gap("refused", question, response["reason"] or "", nearest=_addresses(response["citations"]))
    if response["outcome"] == "refused":
        return Gap("refused", question, response["reason"] or "", nearest=_addresses(response["nearest"]))
    unproved = _unproved(trace)
    if not unproved:
        return None
    return Gap("sentence", question, SENTENCE_REASON, "\n".join(unproved), _addresses(response["citations"]))


def _unproved(trace: Mapping[str, Any]) -> list[str]:
    """Sentences supported neither by a note nor by a passage outside the chosen scope."""
    elsewhere = {sentence["text"] for sentence in trace.get("elsewhere", ()) if sentence["found_in"]}
    return list(
        dict.fromkeys(
            sentence["text"]
            for attempt in trace.get("writing", ())
            for sentence in attempt.get("sentences", ())  # absent in answers from general knowledge
            if sentence["withheld"] in UNPROVED and sentence["text"] not in elsewhere
        )
    )


def _addresses(places: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place["address"] for place in places))[:NEAREST]
