"""What an editor's entry did to a turn."""

from collections.abc import Sequence
from uuid import UUID

from chat.answering.domain.evidence.evidence import Abstention, Evidence
from curation.domain.acceptance import CuratedMatch


def answering_pin(matches: Sequence[CuratedMatch], evidence: Evidence | Abstention) -> UUID | None:
    """The pin that answered the turn, or None."""
    if not (isinstance(evidence, Evidence) and evidence.pinned):
        return None
    return next((match.entry.id for match in matches if match.entry.kind == "pin" and match.skips_sweep), None)


def effect_of(match: CuratedMatch, evidence: Evidence | Abstention, *, answered: bool) -> str:
    """What a matched entry did to the turn, in words for its editor."""
    if match.is_near:
        return "Came near: its references were read with what the search found, and the gate decided."
    if match.entry.kind == "pin":
        if answered:
            return "Answered the question."
        return "Answered nothing: another pin did, or none of its references could be quoted."
    if isinstance(evidence, Abstention):
        return f"Matched, but the gate refused ({evidence.reason.value}): its references do not answer this."
    return (
        "Replaced the search of the corpus." if match.skips_sweep else "Was background, and its references were read."
    )
