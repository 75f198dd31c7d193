"""Reads facts from passages and notes, checks each beside its source, and stores what the source says.

Incremental by the passage's hash; each source is stored whole or not at all, so a killed run loses the batch it was
reading and the next one goes on.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from corpus.domain.passage import Passage
from corpus.models import Chunk
from corpus.selectors import ANYWHERE, passages, passages_at
from curation.domain.facts.candidate import FactCandidate, SourceFacts
from curation.domain.facts.extraction import facts_in
from curation.domain.facts.grounding import ClaimObjection, Grounding, SourceCheck, ground
from curation.facts.model_reader import JOB, ModelFactReader, ModelReading
from curation.facts.selectors import stands_within, where_it_stands
from curation.facts.services import (
    QUEUE,
    TAG,
    GroundedCandidate,
    ReadSource,
    queued_fact_settle,
    reading_store,
    unverified_state,
)
from curation.models import Fact, FactReading, MemoryNote
from lectorium import asking
from lectorium.ladder.selectors import has_model
from lectorium.providers.errors import ProviderError

AT_ONCE = 8  # passages read, checked and stored together
RULES_AUTHOR = "rules"
Pair = tuple[Passage, FactCandidate]
_CHECK_FIELDS = ("verdict", "span", "label", "shared", "has_numbers", "support", "contradiction")


class VerifierUnavailable(Exception):
    """No verifier could be asked, and LECTORIUM_FACTS_UNVERIFIED says block."""


@dataclass
class ReadingRun:
    """What a run did so far. checked: candidates with a verdict. remark: why it stopped early."""

    read: int = 0
    stored: int = 0
    checked: int = 0
    partial: int = 0
    blocked: int = 0
    settled: int = 0
    remark: str = ""


@dataclass(frozen=True, slots=True)
class SourceCandidates:
    """A source with its candidates, each with the passages that may say so."""

    source: ReadSource
    pairs: Sequence[Pair] = field(default_factory=tuple)


def due_chunks() -> QuerySet[Chunk]:
    """The passages whose present text was not read yet; copies of another passage are left out."""
    read = FactReading.objects.filter(chunk=OuterRef("pk"), content_hash=OuterRef("content_hash"))
    found = Chunk.objects.filter(~Exists(read), retrievable=True, duplicate_of=None)
    return found if has_model(JOB) else found.filter(Q(language="en") | Q(language__startswith="en-"))


def due_notes() -> list[tuple[MemoryNote, str]]:
    """The published notes whose present text was not read yet, with its hash."""
    notes = MemoryNote.objects.filter(state=MemoryNote.State.PUBLISHED, language="en").prefetch_related("references")
    hashed = [(note, _note_hash(note)) for note in notes.order_by("pk")]
    read = set(
        FactReading.objects.filter(chunk__in=[note.pk for note, _ in hashed]).values_list("content_hash", flat=True)
    )
    return [(note, stamp) for note, stamp in hashed if stamp not in read]


def facts_read(*, budget: int) -> Iterator[ReadingRun]:
    """Read at most `budget` sources; yields the run after each batch. Raises nothing for a model that fails."""
    run, today = ReadingRun(), timezone.localdate()
    try:
        run.settled = settle_queued(budget)
        for batch in _note_batches(budget, today):
            _store(run, batch)
        yield run
        with ExitStack() as open_models:
            reader = open_models.enter_context(ModelFactReader(today)) if has_model(JOB) else None
            for ids in _chunk_batches(budget - run.read):
                _store(run, _candidates(passages(ids), reader, today))
                yield run
                if reader and reader.remark:
                    run.remark = f"{reader.remark}; the next run goes on"
                    return
    except VerifierUnavailable as error:
        run.remark = f"no verifier ({error}), so nothing more was stored; the next run goes on"
        yield run


def settle_queued(most: int) -> int:
    """Check the facts that wait for a verifier; how many were settled. Those whose source is gone keep waiting."""
    waiting = Fact.objects.filter(stands_within(ANYWHERE), grounding__in=(QUEUE, TAG), superseded_by=None)
    settled = 0
    for fact in waiting.order_by("created_at")[:most]:
        passage = where_it_stands(fact)
        if not passage:
            continue
        start = passage.text.index(fact.evidence)
        candidate = FactCandidate(
            fact.subject, fact.predicate, fact.object, fact.content, (start, start + len(fact.evidence)),
            confidence=fact.confidence,
        )  # fmt: skip
        grounding = groundings([(passage, candidate)], fact.author)[0]
        if not grounding:
            return settled
        settled += queued_fact_settle(fact=fact, grounding=grounding, text=passage.text)
    return settled


def groundings(pairs: Sequence[Pair], author: str) -> list[Grounding | None]:
    """The verdict on each candidate beside its passage; None for all where no verifier could be asked."""
    if not pairs:
        return []
    try:
        rows = asking.check_claims([(passage, said.content) for passage, said in pairs], author=author)
    except ProviderError as error:
        if settings.FACTS_UNVERIFIED == "block":
            raise VerifierUnavailable(str(error)) from error
        return [None] * len(pairs)
    return [ground(candidate, passage.text, _check(row)) for (passage, candidate), row in zip(pairs, rows, strict=True)]


def _check(row: dict[str, object]) -> SourceCheck:
    objections = [ClaimObjection(*said) for said in row["objections"]]  # type: ignore[attr-defined]
    fields = {name: row[name] for name in _CHECK_FIELDS}
    return SourceCheck(objections=objections, **fields)  # type: ignore[arg-type]


def _chunk_batches(budget: int) -> Iterator[list[UUID]]:
    ids = list(
        due_chunks().order_by("lecture_id", "work_id", "ordinal", "pk").values_list("pk", flat=True)[: max(0, budget)]
    )
    for start in range(0, len(ids), AT_ONCE):
        yield ids[start : start + AT_ONCE]


def _note_batches(budget: int, today: date) -> Iterator[list[SourceCandidates]]:
    for note, stamp in due_notes()[:budget]:
        standing = [passage for reference in note.references.all() for passage in passages_at(reference.address)[:2]]
        found = facts_in(note.body, SourceFacts(today=today))
        # A note is no source: what it says is stored where one of its references says it.
        pairs = [(passage, replace(said, evidence=(0, 0))) for said in found for passage in standing]
        yield [SourceCandidates(ReadSource(note.pk, stamp, RULES_AUTHOR, {}), pairs)]


def _candidates(read: Sequence[Passage], reader: ModelFactReader | None, today: date) -> list[SourceCandidates]:
    readings: Iterable[ModelReading | None] = reader.read(read) if reader else [None] * len(read)
    found = []
    for passage, reading in zip(read, readings, strict=True):
        if reading and reading.fault:
            continue  # the next run asks again
        day = date.fromisoformat(passage.date) if passage.date else None
        known = SourceFacts(passage.speaker, day, today)
        said = reading.facts.candidates if reading else tuple(facts_in(passage.text, known))
        author = reading.author if reading else RULES_AUTHOR
        source = ReadSource(passage.chunk_id, passage.content_hash, author, reading.facts.rejected if reading else {})
        found.append(SourceCandidates(source, [(passage, candidate) for candidate in said]))
    return found


def _store(run: ReadingRun, batch: Sequence[SourceCandidates]) -> None:
    """Check all candidates of a batch in one call for each author, then store source by source."""
    verdicts: dict[str, Iterator[Grounding | None]] = {}
    for author in dict.fromkeys(found.source.author for found in batch):
        pairs = [pair for found in batch if found.source.author == author for pair in found.pairs]
        verdicts[author] = iter(groundings(pairs, author))
    unchecked = unverified_state()
    for found in batch:
        grounded = [
            GroundedCandidate(candidate, passage, next(verdicts[found.source.author]), unchecked)
            for passage, candidate in found.pairs
        ]
        kept = list(_closest(grounded))
        stored = reading_store(read=found.source, found=kept)
        if stored is not None:
            run.read, run.stored = run.read + 1, run.stored + stored
            checked = [candidate.grounding for candidate in kept if candidate.grounding]
            run.checked += len(checked)
            run.partial += sum(grounding.verdict == "partial" for grounding in checked)
            run.blocked += sum(not grounding.kept for grounding in checked)


def _closest(grounded: Sequence[GroundedCandidate]) -> Iterator[GroundedCandidate]:
    """One verdict for each content: of a note, that of the reference which says most of it."""
    order = ("supported", "partial", "contradicted", "not_supported")
    best: dict[str, GroundedCandidate] = {}
    for found in grounded:
        known = best.setdefault(found.candidate.content, found)
        if found.grounding and known.grounding:
            best[found.candidate.content] = min(
                known,
                found,
                key=lambda each: order.index(each.grounding.verdict),  # type: ignore[union-attr]
            )
    return iter(best.values())


def _note_hash(note: MemoryNote) -> str:
    addresses = "\n".join(reference.address for reference in note.references.all())
    return hashlib.sha256(f"{note.pk}\n{note.body}\n{addresses}".encode()).hexdigest()
