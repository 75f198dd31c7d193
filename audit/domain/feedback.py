"""What a reader may say of an answer or of one of its citations, and what of it is kept so that staff can judge."""

from collections.abc import Mapping
from typing import Any, NamedTuple

HELPFUL, NOT_HELPFUL, IN_SOURCES, NOT_SAID = "helpful", "not_helpful", "in_sources", "not_said"
# What may be said of a whole answer, by how its turn ended; of others (a greeting, a fault, one stopped) nothing.
OF_OUTCOME = {
    **dict.fromkeys(("grounded", "partially_grounded", "out_of_corpus"), (HELPFUL, NOT_HELPFUL)),
    "closest_passage": (HELPFUL, NOT_HELPFUL, IN_SOURCES),
    "refused": (HELPFUL, IN_SOURCES),
}
_PLACE = ("n", "kind", "address", "title", "quote", "start", "end", "url", "verdict")
_REFERENCE = ("chunk", "content_hash", "char_start", "char_end")


class Target(NamedTuple):
    """The whole answer (two zeros), or what a sentence, by its place from 1, rests on a citation by its number."""

    citation: int = 0
    sentence: int = 0


ANSWER = Target()


def target_of(response: Mapping[str, Any], citation: int, claim: str) -> Target | None:
    """Return what is meant; None where no sentence of exactly these words is shown with that citation."""
    if not citation:
        return None if claim else ANSWER
    for place, sentence in enumerate(response.get("sentences", ()), start=1):
        if sentence["text"] == claim and citation in sentence["citations"]:
            return Target(citation, place)
    return None


def kinds_for(outcome: str, target: Target) -> tuple[str, ...]:
    """Return what may be said of a target in a turn that ended so; nothing while it runs."""
    if not outcome:
        return ()
    return OF_OUTCOME.get(outcome, ()) if target == ANSWER else (NOT_SAID,)


def claim_at(response: Mapping[str, Any], target: Target) -> Mapping[str, Any]:
    """Return the sentence that is meant; empty for the whole answer, and where the answer has none in that place."""
    places: Mapping[int, Mapping[str, Any]] = dict(enumerate(response.get("sentences", ()), start=1))
    return places.get(target.sentence, {})


def clip_of(response: Mapping[str, Any], target: Target) -> dict[str, Any]:
    """Return the citation as it was shown: its quote, where it stands, and what finds it after another import.

    start, end: seconds of the recording, or None; char_start, char_end: of the chunk's text. Empty for a whole answer.
    """
    shown = {key: _numbered(response, "citations", target.citation).get(key) for key in _PLACE}
    reference = {key: _numbered(response, "references", target.citation).get(key) for key in _REFERENCE}
    return shown | reference if target.citation else {}


def _numbered(response: Mapping[str, Any], name: str, n: int) -> Mapping[str, Any]:
    return next((one for one in response.get(name, ()) if one["n"] == n), {})
