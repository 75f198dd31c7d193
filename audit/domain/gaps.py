"""What a turn shows to be missing from the sources: a question not answered, or an answer's sentence that none of them
has.

Source: shared/design/pipeline.md, stages 5 (uncited sentences) and 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NEAREST = 3
SENTENCE_REASON = "gap"
UNPROVED = frozenset({"uncited", "unsupported_claims"})  # a forged quotation is no gap, wherever its words might stand


@dataclass(frozen=True, slots=True)
class Gap:
    """One question that the sources do not answer, or not wholly.

    kind: "refused" of a question that was refused or met by a closest passage, else "sentence". sentence: what a model
    wrote that nothing proves, a line each, "" of a question. nearest: addresses of what came close.
    """

    kind: str
    question: str
    reason: str
    sentence: str = ""
    nearest: tuple[str, ...] = ()


def gap_of(response: Mapping[str, Any], trace: Mapping[str, Any]) -> Gap | None:
    """Return the gap that a turn shows, from its response and its trace; None where it shows none."""
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
    """Return the sentences that neither a note nor a passage outside the asked scope proves."""
    elsewhere = {one["text"] for one in trace.get("elsewhere", ()) if one["found_in"]}
    return list(
        dict.fromkeys(
            sentence["text"]
            for attempt in trace.get("writing", ())
            for sentence in attempt.get("sentences", ())  # told from general knowledge, it claims to be in no source
            if sentence["withheld"] in UNPROVED and sentence["text"] not in elsewhere
        )
    )


def _addresses(places: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place["address"] for place in places))[:NEAREST]
