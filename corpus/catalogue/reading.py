"""What a reader may open, and the part of it around an address: for its page and for the pane."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from corpus.catalogue.links import paragraph_anchor
from corpus.domain.text.folding import fold
from corpus.models import Collection, Lecture, Section, Work
from corpus.querysets import Reader

SECTIONS_BEFORE, SECTIONS_AFTER = 8, 32
PARAGRAPHS_BEFORE, PARAGRAPHS_AFTER = 40, 80
NumberedPlace = tuple[int, int, int]  # its number, and its characters [start, end) in the text of a section
FoundPlaces = Mapping[UUID, Sequence[NumberedPlace]]
NOTHING_FOUND: FoundPlaces = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Part of a phrase. place: the number of the found place it belongs to, or 0. begins: that place begins here."""

    text: str
    place: int = 0
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words spoken from `start` to `end` seconds; None where the times are unknown."""

    pieces: tuple[TextPiece, ...]
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class TranscriptParagraph:
    section: Section
    anchor: str
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class SectionWindow:
    """Consecutive sections around the marked one, and the nearest sections outside on both sides.

    heads: the first section under the heading of the marked one.
    """

    sections: list[Section]
    marked: Section | None
    earlier: Section | None
    later: Section | None
    heads: Section | None = None

    @property
    def previous(self) -> Section | None:
        """The section before the marked one."""
        return self._beside(-1)

    @property
    def next(self) -> Section | None:
        return self._beside(1)

    def _beside(self, step: int) -> Section | None:
        if not self.marked:
            return None
        around = {section.ordinal: section for section in (*self.sections, self.earlier, self.later) if section}
        return around.get(self.marked.ordinal + step)


def visible_lecture(reader: Reader, lecture_id: UUID) -> Lecture:
    """Raises Http404 where the reader may not see it."""
    visible = Collection.objects.visible_to(reader)
    shown = Lecture.objects.exclude(state=Lecture.State.WITHDRAWN).select_related("collection")
    return get_object_or_404(shown, pk=lecture_id, collection__in=visible)


def visible_work(reader: Reader, work_id: UUID) -> Work:
    """Raises Http404 where the reader may not see it."""
    visible = Collection.objects.visible_to(reader)
    return get_object_or_404(Work.objects.exclude(state=Work.State.WITHDRAWN), pk=work_id, collection__in=visible)


def work_window(work: Work, address: str) -> SectionWindow:
    """The sections around an address; from the beginning where the work does not have it."""
    return _window(work.sections.order_by("ordinal"), address, SECTIONS_BEFORE, SECTIONS_AFTER)


def lecture_window(lecture: Lecture, address: str) -> SectionWindow:
    """The paragraphs around an address; from the beginning where the lecture does not have it."""
    return _window(lecture.sections.order_by("ordinal"), address, PARAGRAPHS_BEFORE, PARAGRAPHS_AFTER)


def transcript_paragraphs(
    lecture: Lecture, sections: Iterable[Section] | None = None, found: FoundPlaces = NOTHING_FOUND
) -> list[TranscriptParagraph]:
    """All paragraphs, or these, each with the anchor of its address. On a clash the anchor is that of the ordinal.

    found: the numbered places in the text of each section to mark.
    """
    anchors: set[str] = set()
    paragraphs = []
    for section in lecture.sections.order_by("ordinal") if sections is None else sections:
        named = paragraph_anchor(section.address)
        anchor = f"s-{section.ordinal}" if named in anchors else named
        paragraphs.append(TranscriptParagraph(section, anchor, _phrases(section, lecture, found.get(section.pk, ()))))
        anchors.add(named)
    return paragraphs


def _window(sections: QuerySet[Section], address: str, before: int, after: int) -> SectionWindow:
    marked = sections.filter(address=address).first() or sections.filter(address_key=fold(address)).first()
    middle = marked.ordinal if marked else 0
    window = list(sections.filter(ordinal__range=(middle - before, middle + after)))
    return SectionWindow(
        window,
        marked,
        earlier=sections.filter(ordinal__lt=window[0].ordinal).last() if window else None,
        later=sections.filter(ordinal__gt=window[-1].ordinal).first() if window else None,
        heads=sections.filter(heading=marked.heading).first() if marked and marked.heading else None,
    )


def _phrases(section: Section, lecture: Lecture, places: Sequence[NumberedPlace]) -> tuple[Phrase, ...]:
    """Split a paragraph at the lecture's cues; a paragraph whose text differs from the lecture's stays whole."""
    begin, end = section.char_start, section.char_end
    cues = [cue for cue in lecture.cues if cue[0] < end and cue[1] > begin]
    if not cues or lecture.text[begin:end] != section.text:
        return (Phrase(_pieces(section.text, 0, len(section.text), places), section.start, section.end),)
    edges = [0, *(cue[0] - begin for cue in cues[1:]), end - begin]
    return tuple(
        Phrase(_pieces(section.text, first, last, places), cue[2], cue[3])
        for (first, last), cue in zip(pairwise(edges), cues, strict=True)
    )


def _pieces(text: str, first: int, last: int, places: Sequence[NumberedPlace]) -> tuple[TextPiece, ...]:
    """The characters [first, last) of a paragraph's text, split where the found places begin and end."""
    pieces, at = [], first
    for number, start, end in places:
        begin, stop = max(start, first), min(end, last)
        if begin >= stop:
            continue
        pieces += [TextPiece(text[at:begin]), TextPiece(text[begin:stop], number, begins=begin == start)]
        at = stop
    return tuple(piece for piece in (*pieces, TextPiece(text[at:last])) if piece.text)
