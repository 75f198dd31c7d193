"""Finds the knowledge gap of a turn: an unanswered question, a sentence that no source supports, or unhelpful answer.

Source: shared/design/pipeline.md, stages 5 (uncited sentences) and 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from audit.domain.noise import is_noise
from audit.domain.outcomes import ANSWERED

NEAREST = 3
SENTENCE_REASON = "gap"
FEEDBACK_REASON = "not_helpful"
# Why a question was not answered, for editors.
REASONS: Mapping[str, str] = MappingProxyType(
    {
        "outside_corpus": "Nothing in the sources is about it.",
        "thin_evidence": "The sources touch on it, but too thinly for an answer.",
        "unanswerable": "Passages are near, but none of them answers it.",
        "false_premise": "No passage names everything that the question names.",
        "empty_outline": "A model read the nearest passages and found no answer in them.",
        "model_abstained": "A model read the nearest passages and said that they do not answer it.",
        "conflicting_sources": "Two sources say opposite things about it.",
        "unsupported_claims": "A draft was written, but the sources did not support it.",
        SENTENCE_REASON: "The answer had sentences that no source supports; they were left out.",
        FEEDBACK_REASON: "Readers said that the answer did not help.",
    }
)
UNPROVED = frozenset({"uncited", "unsupported_claims"})  # a forged quotation is a model's error, not a gap


@dataclass(frozen=True, slots=True)
class Gap:
    """A question that the sources do not answer, or only in part.

    kind: "refused" for a refusal or a closest passage, "sentence", or "feedback" for an answer that did not help.
    sentence: the unsupported sentences a model wrote, one per line, for kind "sentence". nearest: addresses of the
    closest passages.
    """

    kind: str
    question: str
    reason: str
    sentence: str = ""
    nearest: tuple[str, ...] = ()


def gap_of(response: Mapping[str, Any], trace: Mapping[str, Any]) -> Gap | None:
    """The gap of a turn; None for an answered question, a greeting and gibberish.

    None also for a question in a language that no reader of passages reads: nobody knows whether they answer it.
    """
    question = response["standalone_question"]
    if is_noise(question) or trace.get("plan", {}).get("unread"):
        return None
    if response["outcome"] == "closest_passage":
        return Gap("refused", question, response["reason"] or "", nearest=_addresses(response["citations"]))
    if response["outcome"] == "refused":
        return Gap("refused", question, response["reason"] or "", nearest=_addresses(response["nearest"]))
    unproved = _unproved(trace)
    if not unproved:
        return None
    return Gap("sentence", question, SENTENCE_REASON, "\n".join(unproved), _addresses(response["citations"]))


def feedback_gap(response: Mapping[str, Any]) -> Gap | None:
    """The gap of a turn whose reader says that it did not help; None where the turn itself was a gap, or for noise."""
    question = response.get("standalone_question") or response["question"]
    if response["outcome"] not in ANSWERED | {"out_of_corpus"} or is_noise(question):
        return None
    return Gap("feedback", question, FEEDBACK_REASON, nearest=_addresses(response.get("citations", ())))


def reason_in_words(reason: str) -> str:
    return REASONS.get(reason, reason.replace("_", " ").capitalize())


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
