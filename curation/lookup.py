"""Finds the published pins and notes that match a question, and the chunks they refer to."""

from collections.abc import Sequence

from corpus.domain.addresses.address import address_key
from corpus.domain.scope import Scope
from corpus.models import EmbeddingSpace
from corpus.selectors import standing_at
from curation.domain.acceptance import CitedReference, CuratedMatch, CuratedRules, Likeness, replaces_sweep
from curation.domain.entry import Entry
from curation.matching import entries as stored
from curation.matching.entries import MatchableEntries, published_entries
from curation.matching.likeness import MatchedQuestion, likenesses
from curation.matching.rules import rule_of
from curation.matching.trial import on_trial
from lectorium.providers.registry import rewording_judge

_RULES = CuratedRules()
REFERRED = 400  # chunks of one entry that are looked up
CHUNKS_A_REFERENCE = 5


def curation_version() -> str:
    """A value that changes with every change of what editors add; another one for each entry on trial."""
    trial = on_trial()
    return f"{stored.curation_version()}{f'/{trial.token}' if trial else ''}"


def matchable_entries(space: EmbeddingSpace) -> MatchableEntries:
    """What questions are answered by: published entries, and the entry on trial in place of its stored version."""
    published, trial = published_entries(space), on_trial()
    return trial.applied(published) if trial else published


def pinned_at(addresses: Sequence[str], space: EmbeddingSpace, scope: Scope) -> list[str]:
    """The published questions pinned to one of these addresses for readers of the scope, in the addresses' order."""
    places = {address_key(address): place for place, address in enumerate(addresses)}
    found: list[tuple[int, str]] = []
    for entry in within(published_entries(space), scope).entries:
        held = [places[key] for key in map(address_key, entry.references) if key in places]
        if entry.kind == "pin" and held:
            found.append((min(held), entry.phrasings[0]))
    return [question for _, question in sorted(found)]


def curated_matches(question: MatchedQuestion, *, space: EmbeddingSpace | None, scope: Scope) -> list[CuratedMatch]:
    """The entries that take part in a question, accepted pins first, then by similarity.

    Only the question is embedded, by the caller; entries without current vectors in the space take no part. scope: what
    the reader may see.
    """
    matchable = matchable_entries(space) if space else MatchableEntries()
    if not space or not matchable.entries:
        return []
    judge = rewording_judge()
    found = likenesses(question, within(matchable, scope), rule_of(space.model, judge), judge)
    accepted = [(entry, likeness) for entry, likeness in found if likeness.accepted or likeness.near]
    matches = [match for entry, likeness in accepted if (match := match_of(entry, likeness, scope))]
    return sorted(matches, key=lambda match: (match.entry.kind != "pin" or match.is_near, -match.similarity))


def match_of(entry: Entry, likeness: Likeness, scope: Scope) -> CuratedMatch | None:
    """The match of an accepted entry with the chunks of its references within the scope.

    None for a note whose references are all outside it, since its body would reveal what this reader may not see.
    """
    cited = cited_references(entry, scope)
    if entry.kind == "note" and entry.references and not cited:
        return None
    if likeness.near and not cited:
        return None
    skips = likeness.accepted and replaces_sweep(entry.kind, likeness.strong, len(cited), _RULES)
    score = _RULES.note_cites if entry.kind == "note" or likeness.near else likeness.similarity
    return CuratedMatch(
        entry,
        likeness.similarity,
        likeness.phrasing,
        cited,
        skips,
        score,
        likeness.judged,
        likeness.near,
        likeness.threshold,
    )


def cited_references(entry: Entry, scope: Scope) -> tuple[CitedReference, ...]:
    """The entry's references that stand somewhere within the scope now, in their order."""
    keys = list(dict.fromkeys(address_key(reference) for reference in entry.references))
    standing = standing_at(keys, scope, REFERRED) if keys else []
    chunks = {key: tuple(chunk for chunk, held in standing if key in held)[:CHUNKS_A_REFERENCE] for key in keys}
    return tuple(CitedReference(key, chunks[key]) for key in keys if chunks[key])


def within(matchable: MatchableEntries, scope: Scope) -> MatchableEntries:
    """The entries for every reader, or for those who look through the entry's collection."""
    seen = scope.collections
    return matchable.where(lambda entry: entry.collection is None or seen is None or entry.collection in seen)
