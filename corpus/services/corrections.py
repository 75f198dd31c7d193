"""Editors' corrections of an imported lecture: its title, speaker, date and series. Later imports keep them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db import transaction

from corpus.models import Chunk, Lecture

from .collections import collection_lock
from .contexts import Contexts
from .storing import LABEL_FIELDS, relabel

CORRECTABLE = ("title", "speaker", "date", "series")


@transaction.atomic
def lecture_correct(*, lecture: Lecture, values: Mapping[str, Any]) -> list[str]:
    """Set these fields, and what search knows of the lecture; return the names of those that changed.

    A value that is set back to what was imported is no correction any more.
    """
    collection_lock(collection=lecture.collection)
    stored = Lecture.objects.select_for_update(of=("self",)).get(pk=lecture.pk)
    changed = [name for name in CORRECTABLE if name in values and getattr(stored, name) != values[name]]
    for name in changed:
        imported = stored.corrections.get(name, [_written(getattr(stored, name))])[0]
        setattr(stored, name, values[name])
        stored.corrections[name] = [imported, _written(values[name])]
        if imported == _written(values[name]):
            del stored.corrections[name]
    if changed:
        stored.save(update_fields=[*changed, "corrections", "updated_at"])
        _relabel_chunks(stored)
    return changed


def imported_values(lecture: Lecture) -> dict[str, Any]:
    """The correctable fields as they were imported."""
    stored = {name: lecture.corrections[name][0] for name in lecture.corrections}
    return {name: _read(name, stored[name]) if name in stored else getattr(lecture, name) for name in CORRECTABLE}


def corrections_keep(lecture: Lecture) -> None:
    """Put an import's values aside, and the editors' in their place."""
    for name, (_, corrected) in lecture.corrections.items():
        lecture.corrections[name] = [_written(getattr(lecture, name)), corrected]
        setattr(lecture, name, _read(name, corrected))


def chunk_labels(lecture: Lecture, heading: str, speaker: str, contexts: Contexts) -> dict[str, str]:
    """The fields of a chunk that follow from its lecture, and from the heading and speaker of its last paragraph."""
    speaker = speaker or lecture.speaker
    return {
        "heading": f"{lecture.title} · {heading}"[:500] if heading else lecture.title,
        "context": contexts.line(heading, speaker),
        "speaker": speaker,
    }


def _relabel_chunks(lecture: Lecture) -> None:
    sections = {section.address: section for section in lecture.sections.order_by("ordinal")}
    contexts = Contexts(lecture, ((section.heading, section.text) for section in sections.values()))
    chunks = list(lecture.chunks.defer("search_vector", "folded_text"))
    for chunk in chunks:
        last = sections[chunk.paragraphs[-1][2]]
        relabel(chunk, chunk_labels(lecture, last.heading, last.speaker, contexts))
    Chunk.objects.bulk_update(chunks, LABEL_FIELDS, batch_size=500)


def _written(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else str(value or "")


def _read(name: str, written: str) -> Any:
    if name != "date":
        return written
    return date.fromisoformat(written) if written else None
