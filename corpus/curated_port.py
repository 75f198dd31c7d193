"""Reaches the curation app, which corpus does not import: for imported entries, index runs, and translations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from corpus.domain.local_text import LocalText
from corpus.importers.drafts import FactDraft, NoteDraft, PinDraft
from corpus.importers.refusal import ImportRefused

if TYPE_CHECKING:
    from corpus.models import EmbeddingSpace, Lecture
    from corpus.querysets import Reader

LectureText = Mapping[str, LocalText]  # by field


@dataclass(frozen=True, slots=True)
class EntryReceipt:
    """is_new: whether it was stored now. remark: what its editor should know."""

    is_new: bool
    remark: str = ""


EntryDraft = PinDraft | NoteDraft | FactDraft
Receiver = Callable[[EntryDraft, bool], EntryReceipt]
Indexer = Callable[["EmbeddingSpace"], int]
Translator = Callable[[Sequence["Lecture"], Sequence[str], Sequence[str]], Mapping[UUID, LectureText]]
MAY_KEEP_STATES = "curation.publish_entries"  # of a person who may import entries as published

Questioner = Callable[["Reader", "Lecture"], Sequence[LocalText]]

_receivers: list[tuple[Receiver, Callable[[], None]]] = []
_indexers: list[Indexer] = []
_translators: list[Translator] = []
_questioners: list[Questioner] = []


def register_receiver(receiver: Receiver, after_all: Callable[[], None]) -> None:
    """Register the service that stores pins, notes and facts, and what follows once an import has stored some."""
    _receivers[:] = [(receiver, after_all)]


def register_indexer(indexer: Indexer) -> None:
    """Register the service that embeds pins and notes in a space; it returns how many it embedded."""
    _indexers[:] = [indexer]


def register_translator(translator: Translator) -> None:
    """Register the selector that gives fields of lectures in the first wanted language that they have."""
    _translators[:] = [translator]


def register_questioner(questioner: Questioner) -> None:
    """Register the selector that gives the published questions about a lecture that a reader may see."""
    _questioners[:] = [questioner]


def questions_about(reader: Reader, lecture: Lecture) -> Sequence[LocalText]:
    """Questions about a lecture that editors have published for this reader; none where no selector is registered."""
    return _questioners[0](reader, lecture) if _questioners else ()


def put_in_words(lectures: Sequence[Lecture], fields: Sequence[str], wanted: Sequence[str]) -> None:
    """Set `local` of each lecture: its fields in the first of these languages that it has, otherwise its own."""
    found = _translators[0](lectures, fields, wanted) if _translators and wanted else {}
    for lecture in lectures:
        source = {field: LocalText(getattr(lecture, field), lecture.language) for field in fields}
        lecture.local = found.get(lecture.pk, source)  # type: ignore[attr-defined]


def hand_over(draft: EntryDraft, *, keep_state: bool = False) -> EntryReceipt:
    """Store a pin, note or fact. Raises ImportRefused where it may not be, or no service is registered.

    keep_state: whether an entry that was exported as published is published here; otherwise it is a draft.
    """
    if not _receivers:
        raise ImportRefused("is a pin, note or fact, which the curation app stores; install it")
    receiver, _ = _receivers[0]
    return receiver(draft, keep_state)


def finish_hand_over() -> None:
    """Queue what follows the entries that an import has stored."""
    for _, after_all in _receivers:
        after_all()


def index_entries(space: EmbeddingSpace) -> int:
    """Embed the pins and notes that changed; 0 where no service is registered."""
    return sum(indexer(space) for indexer in _indexers)
