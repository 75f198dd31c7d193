"""What a preview shows of a source that it stores and takes back: near-duplicates and some chunks."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from corpus.indexing.duplicate_preview import DuplicatePreview
from corpus.models import Chunk, Lecture, Work

from .report import ImportOutcome

SAMPLED, SHOWN_CHARS = 3, 400  # chunks per source and characters per chunk


def with_preview(
    preview: DuplicatePreview, sources: Sequence[Lecture | Work], outcomes: Sequence[ImportOutcome]
) -> list[ImportOutcome]:
    """The outcomes of stored sources with their near-duplicates and some of their chunks."""
    foreseen, samples = preview.compare(sources), _samples(sources)
    return [
        replace(
            outcome,
            duplicates=foreseen[source.pk].duplicates,
            remark="; ".join(filter(None, (outcome.remark, foreseen[source.pk].said))),
            sample=tuple(samples.get(source.pk, ())),
            dropped=tuple(
                (_shortened(text), title, round(100 * like)) for text, title, like in foreseen[source.pk].dropped
            ),
        )
        for source, outcome in zip(sources, outcomes, strict=True)
    ]


def _samples(sources: Sequence[Lecture | Work]) -> dict[UUID, list[tuple[str, str]]]:
    """(address, text) of the first chunks of each source."""
    samples: dict[UUID, list[tuple[str, str]]] = {}
    for name, model in (("lecture", Lecture), ("work", Work)):
        keys = [source.pk for source in sources if isinstance(source, model)]
        chunks = Chunk.objects.filter(**{f"{name}__in": keys}, ordinal__lt=SAMPLED).order_by("ordinal")
        for source, address, text in chunks.values_list(name, "address", "text"):
            samples.setdefault(source, []).append((address, _shortened(text)))
    return samples


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
