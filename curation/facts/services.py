"""Stores what was read from a source, with the verdict on each candidate. Nothing is stored half."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from corpus.domain.addresses.address import address_key
from corpus.domain.passage import Passage
from corpus.models import Chunk
from curation.domain.facts.candidate import FactCandidate
from curation.domain.facts.grounding import Grounding, GroundingRules, opens_review
from curation.facts.keys import subject_key
from curation.models import Fact, FactCheck, FactReading, MemoryNote, SubjectReview

RULES = GroundingRules()
Verdict = FactCheck.Verdict
TAG, QUEUE = Fact.Grounding.UNVERIFIED, Fact.Grounding.QUEUED


@dataclass(frozen=True, slots=True)
class GroundedCandidate:
    """A candidate of a passage. grounding: None where no verifier could be asked; then `unchecked` is its state."""

    candidate: FactCandidate
    passage: Passage
    grounding: Grounding | None
    unchecked: str = ""


@dataclass(frozen=True, slots=True)
class ReadSource:
    """What was read: a passage or a note (`id`) with this hash, by this author. rejected: why lines were no facts."""

    id: UUID
    content_hash: str
    author: str
    rejected: Mapping[str, int]


def unverified_state() -> str:
    """What becomes of a fact that no verifier could check."""
    return TAG if settings.FACTS_UNVERIFIED == "tag" else QUEUE


@transaction.atomic
def reading_store(*, read: ReadSource, found: Sequence[GroundedCandidate]) -> int | None:
    """Store the grounded facts of a source; how many, or None where it was changed or withdrawn meanwhile."""
    if not _is_current(read):
        return None
    stored = sum(_store(grounded, read.author) for grounded in found if _source_stands(grounded.passage))
    FactReading.objects.update_or_create(
        chunk=read.id,
        content_hash=read.content_hash,
        defaults={
            "author": read.author[:200], "found": len(found), "stored": stored, "rejected": dict(read.rejected),
            "at": timezone.now(),
        },
    )  # fmt: skip
    return stored


def _is_current(read: ReadSource) -> bool:
    return _lock(read.id, read.content_hash) or MemoryNote.objects.filter(pk=read.id, state="published").exists()


def _source_stands(passage: Passage) -> bool:
    return _lock(passage.chunk_id, passage.content_hash)


def _lock(chunk_id: UUID, content_hash: str) -> bool:
    """Whether the chunk is retrievable and unchanged, and stays so until the transaction ends."""
    rows = Chunk.objects.select_for_update(no_key=True).filter(pk=chunk_id, retrievable=True)
    return rows.filter(content_hash=content_hash).order_by().values("pk").first() is not None


def _store(grounded: GroundedCandidate, author: str) -> bool:
    """Record the verdict, and store the fact where it is kept and not stored yet."""
    passage, grounding = grounded.passage, grounded.grounding
    candidate = grounding.candidate if grounding else grounded.candidate
    fact = None
    if not grounding or grounding.kept:
        fact, is_new = _fact(candidate, passage, author, grounding.verdict if grounding else grounded.unchecked)
        if not is_new:
            return False
    if grounding:
        check_record(grounding, passage, grounded.candidate.content, fact)
    else:
        _check(candidate, passage, grounded.candidate.content, fact)
    return fact is not None


def check_record(grounding: Grounding, passage: Passage, content: str, fact: Fact | None) -> None:
    """Record a verdict. content: as it was before it was rewritten. fact: as it was stored, if it was."""
    _check(grounding.candidate, passage, content, fact, grounding.verdict, grounding.because)
    if grounding.verdict == "partial":
        review_open_if_due(subject=grounding.candidate.subject)


def _check(
    candidate: FactCandidate,
    passage: Passage,
    content: str,
    fact: Fact | None,
    verdict: str = Verdict.UNAVAILABLE,
    because: str = "",
) -> None:
    FactCheck.objects.create(
        fact=fact, subject_key=subject_key(candidate.subject), content=content,
        evidence=passage.text[slice(*candidate.evidence)], address=passage.address_at(candidate.evidence),
        verdict=verdict, because=because, confidence=candidate.confidence,
    )  # fmt: skip


def _fact(candidate: FactCandidate, passage: Passage, author: str, grounding: str) -> tuple[Fact, bool]:
    """The stored fact, and whether it is new: a sentence that two passages share is stored once."""
    address, evidence = passage.address_at(candidate.evidence), passage.text[slice(*candidate.evidence)]
    same = Fact.objects.filter(address_key=address_key(address), evidence=evidence, content=candidate.content)
    if known := same.first():
        return known, False
    values: dict[str, Any] = {
        "subject": candidate.subject[:200], "predicate": candidate.predicate[:200], "object": candidate.object[:500],
        "content": candidate.content, "kind": candidate.kind, "holder": candidate.holder[:200],
        "valid_from": candidate.valid_from, "confidence": candidate.confidence, "grounding": grounding,
        "author": author[:200], "address": address, "evidence": evidence,
    }  # fmt: skip
    return Fact.objects.create(**values), True


def review_open_if_due(*, subject: str) -> None:
    """Open a review of a subject whose latest candidates were all only partly supported."""
    key = subject_key(subject)
    checks = FactCheck.objects.filter(subject_key=key)
    closed = SubjectReview.objects.filter(subject_key=key).exclude(closed_at=None).order_by("-closed_at").first()
    if closed:
        checks = checks.filter(at__gt=closed.closed_at)
    if opens_review(list(checks.order_by("-at").values_list("verdict", flat=True)[: RULES.partials]), RULES):
        SubjectReview.objects.get_or_create(subject_key=key, closed_at=None, defaults={"subject": subject[:200]})


def review_close(*, review: SubjectReview, by: Any) -> bool:
    """False where it was closed already."""
    return bool(
        SubjectReview.objects.filter(pk=review.pk, closed_at=None).update(closed_at=timezone.now(), closed_by=by)
    )


@transaction.atomic
def queued_fact_settle(*, fact: Fact, grounding: Grounding, text: str) -> bool:
    """Give a fact that waited for a verifier its verdict, or drop it; False where it was changed meanwhile.

    text: of its passage.
    """
    as_read = Fact.objects.select_for_update().filter(pk=fact.pk, updated_at=fact.updated_at)
    if as_read.order_by().values("pk").first() is None:
        return False
    candidate = grounding.candidate
    if grounding.kept:
        Fact.objects.filter(pk=fact.pk).update(
            subject=candidate.subject, predicate=candidate.predicate, object=candidate.object[:500],
            content=candidate.content, evidence=text[slice(*candidate.evidence)], confidence=candidate.confidence,
            grounding=grounding.verdict, compared_at=None, updated_at=timezone.now(),
        )  # fmt: skip
    else:
        # What it replaced, while it was used unverified, is in force again, and compared again.
        free = {"superseded_by": None, "superseded_because": Fact.Because.NOTHING, "compared_at": None}
        fact.supersedes.update(**free, updated_at=timezone.now())
        fact.delete()
    FactCheck.objects.create(
        fact=fact if grounding.kept else None, subject_key=subject_key(fact.subject), content=fact.content,
        evidence=fact.evidence, address=fact.address, verdict=grounding.verdict, because=grounding.because,
        confidence=candidate.confidence,
    )  # fmt: skip
    if grounding.verdict == "partial":
        review_open_if_due(subject=fact.subject)
    return True
