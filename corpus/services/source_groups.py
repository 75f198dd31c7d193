"""Stores small new sources several together: each alone takes a dozen statements, which for thousands are minutes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from corpus.importers.drafts import LectureDraft, WorkDraft
from corpus.importers.protocol import Draft
from corpus.importers.refusal import ImportRefused
from corpus.models import Collection, Lecture, Work

from .lectures import lecture_new, replacement_remark
from .publishing import NAMESAKES, lecture_replace_older, lectures_with_namesakes
from .report import ImportOutcome
from .storing import sources_insert
from .works import work_new

GROUP_SOURCES = 200
GROUP_CHARS = 200_000
SMALL_CHARS = 20_000
SourceDraft = LectureDraft | WorkDraft
Source = Lecture | Work


def groups_of(
    drafts: Iterable[Draft | ImportOutcome], known: Mapping[tuple[type, str], str]
) -> Iterator[list[Draft | ImportOutcome]]:
    """The drafts in order: neighbouring small new sources together, everything else alone."""
    group: list[Draft | ImportOutcome] = []
    room = GROUP_CHARS
    for draft in drafts:
        is_small = (
            isinstance(draft, LectureDraft | WorkDraft)
            and not draft.media
            and (type(draft), draft.key) not in known
            and (chars := _chars_of(draft)) <= SMALL_CHARS
        )
        if group and (not is_small or chars > room or len(group) >= GROUP_SOURCES):
            yield group
            group, room = [], GROUP_CHARS
        if is_small:
            group.append(draft)
            room -= chars
        else:
            yield [draft]
    if group:
        yield group


def group_store(
    *, drafts: Sequence[tuple[SourceDraft, str]], collection: Collection
) -> list[tuple[Source, ImportOutcome]]:
    """Store new sources, given with their hashes; call it in a transaction that holds the collection's lock.

    Raises ImportRefused where one of them has to be stored alone, or not at all.
    """
    keys = [draft.key for draft, _ in drafts]
    if any(model.objects.filter(collection=collection, key__in=keys).exists() for model in (Lecture, Work)):
        raise ImportRefused("was imported by another run meanwhile")
    sources = [
        lecture_new(draft=draft, collection=collection, source_hash=source_hash)
        if isinstance(draft, LectureDraft)
        else work_new(draft=draft, collection=collection, source_hash=source_hash)
        for draft, source_hash in drafts
    ]
    sources_insert(sources)
    remarks = _remarks([new.source for new in sources if isinstance(new.source, Lecture)])
    return [
        (
            new.source,
            ImportOutcome(draft.file, "imported", len(new.chunks), remark=remarks.get(new.source.key, "")),
        )
        for (draft, _), new in zip(drafts, sources, strict=True)
    ]


def _remarks(lectures: Sequence[Lecture]) -> dict[str, str]:
    """Which transcripts each lecture replaces, as if they had been stored one after another."""
    keys = [lecture.pk for lecture in lectures]
    titled = Counter(lecture.title.upper() for lecture in lectures)
    namesakes = lectures_with_namesakes([each.pk for each in lectures if titled[each.title.upper()] <= NAMESAKES])
    return {
        lecture.key: replacement_remark(lecture_replace_older(lecture=lecture, newer=keys[position + 1 :]))
        for position, lecture in enumerate(lectures)
        if lecture.pk in namesakes
    }


def _chars_of(draft: SourceDraft) -> int:
    if isinstance(draft, LectureDraft):
        return sum(len(paragraph.text) for paragraph in draft.paragraphs)
    return sum(len(verse.text) + len(verse.original) for verse in draft.verses)
