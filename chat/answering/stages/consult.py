"""Stage 3, at its end: what editors know of the passages kept, and where their sources disagree.

A conflict takes part only where its reader may see both sides; of any other, nothing is said.
"""

from collections.abc import Mapping
from uuid import UUID

from chat.answering.domain.evidence.conflicts import Conflict, KnownFact, KnownFacts
from chat.answering.domain.evidence.evidence import Evidence
from chat.answering.domain.viewer import Viewer
from corpus.domain.instructions import addresses_a_machine
from curation.facts.selectors import open_contradictions, standing_facts, where_it_stands
from curation.models import Fact


def consult_facts(evidence: Evidence, viewer: Viewer) -> KnownFacts:
    """Return the facts of the evidence's passages, and the conflicts that one of them is a side of."""
    standing = standing_facts([candidate.passage for candidate in evidence.candidates])
    facts = {fact.pk: KnownFact(fact.pk, fact.content, fact.evidence, tuple(held)) for fact, held in standing}
    conflicts = []
    for contradiction in open_contradictions(fact for fact, _ in standing):
        one, other = (_side(fact, facts, viewer) for fact in (contradiction.one, contradiction.other))
        if one and other:
            conflicts.append(Conflict(contradiction.pk, contradiction.one.subject, (one, other), contradiction.note))
    return KnownFacts(tuple(facts.values()), tuple(conflicts))


def _side(fact: Fact, facts: Mapping[UUID, KnownFact], viewer: Viewer) -> KnownFact | None:
    """Return a side that can be quoted to the viewer, else None."""
    known = facts.get(fact.pk)
    if known is None and (passage := where_it_stands(fact, viewer.scope)):
        known = KnownFact(fact.pk, fact.content, fact.evidence, (passage,))
    if known is None or any(addresses_a_machine(sentence.text) for sentence in known.quote.sentences):
        return None
    return known
