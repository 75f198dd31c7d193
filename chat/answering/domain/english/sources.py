"""The passages that claims are checked against, by number."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from chat.answering.domain.english.guards import SourceText, TurnContext
from chat.answering.domain.terms import names_in


@dataclass(frozen=True, slots=True)
class ClaimSources:
    """Passages as the checks read them, by number, and what claims are read with beside them."""

    sources: Mapping[int, SourceText]
    turn: TurnContext


def claim_sources(sources: Mapping[int, SourceText], turn: TurnContext) -> ClaimSources:
    """The sources by number, with the names that they have among what claims are read with."""
    named = [names_in(source.words) | names_in(source.metadata) for source in sources.values()]
    return ClaimSources(sources, replace(turn, names=frozenset().union(*named)))
