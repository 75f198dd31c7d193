"""Feedback on an answer or on one citation: the possible kinds, and what is recorded for reviewers."""

from collections.abc import Mapping
from typing import Any, NamedTuple

HELPFUL, NOT_HELPFUL, IN_SOURCES, NOT_SAID = "helpful", "not_helpful", "in_sources", "not_said"
# Kinds of feedback on a whole answer, by outcome. Other outcomes (greeting, failure, stopped) take none.
OF_OUTCOME = {
    **dict.fromkeys(("grounded", "partially_grounded", "out_of_corpus"), (HELPFUL, NOT_HELPFUL)),
    "closest_passage": (HELPFUL, NOT_HELPFUL, IN_SOURCES),
    "refused": (HELPFUL, IN_SOURCES),
}
_PLACE = ("n", "kind", "address", "title", "quote", "start", "end", "url", "verdict")
_REFERENCE = ("chunk", "content_hash", "char_start", "char_end")


class Target(NamedTuple):
    """What feedback is about: the whole answer (0, 0), or a citation's number and its sentence's place from 1."""

    citation: int = 0
    sentence: int = 0


ANSWER = Target()


def target_of(response: Mapping[str, Any], citation: int, claim: str) -> Target | None:
    """The target that a client names; None if the answer has no such sentence with that citation."""
    if not citation:
        return None if claim else ANSWER
    for place, sentence in enumerate(response.get("sentences", ()), start=1):
        if sentence["text"] == claim and citation in sentence["citations"]:
            return Target(citation, place)
    return None


def kinds_for(outcome: str, target: Target) -> tuple[str, ...]:
    """Kinds of feedback on a target in a turn with this outcome; () while it runs (outcome "")."""
    if not outcome:
        return ()
    return OF_OUTCOME.get(outcome, ()) if target == ANSWER else (NOT_SAID,)


def claim_at(response: Mapping[str, Any], target: Target) -> Mapping[str, Any]:
    """The target's sentence; {} for the whole answer and for a place the answer does not have."""
    places: Mapping[int, Mapping[str, Any]] = dict(enumerate(response.get("sentences", ()), start=1))
    return places.get(target.sentence, {})


def clip_of(response: Mapping[str, Any], target: Target) -> dict[str, Any]:
    """The citation as shown: its quote, its address, and a reference that survives a re-import; {} for a whole answer.

    start, end: seconds of the recording, or None. char_start, char_end: offsets in the chunk's text.
    """
    shown = {key: _numbered(response, "citations", target.citation).get(key) for key in _PLACE}
    reference = {key: _numbered(response, "references", target.citation).get(key) for key in _REFERENCE}
    return shown | reference if target.citation else {}


def _numbered(response: Mapping[str, Any], name: str, n: int) -> Mapping[str, Any]:
    return next((entry for entry in response.get(name, ()) if entry["n"] == n), {})
