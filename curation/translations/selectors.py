"""Reads translations: what readers are shown, and how far the work has come."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q, QuerySet

from corpus.curated_port import LectureText
from corpus.domain.local_text import LocalText, first_local
from corpus.models import Lecture
from curation.translations.models import Translation
from curation.translations.sources import PARTS, has_texts_for, needs_translation, source_hash

State = Translation.State
TextKey = tuple[UUID, str]  # a row and the part of it
LectureTitle = tuple[str, str]  # its words and their language


def configured_locale(language: str) -> str:
    """The configured locale that serves a language, de for de-at; "" where none does."""
    wanted = language.lower()
    return next((code for code in (wanted, wanted.partition("-")[0]) if code in settings.LOCALES), "")


def local_text(owner: UUID, part: str, source: LocalText, locale: str) -> LocalText:
    """A text in a reader's language, otherwise the source itself."""
    return local_texts({(owner, part): source}, (locale,))[owner, part]


def local_texts(sources: Mapping[TextKey, LocalText], wanted: Sequence[str]) -> dict[TextKey, LocalText]:
    """Each text in the first language that a reader wants and can have, otherwise the source itself. One query.

    A machine's translation that a check objects to is not shown, nor one of words that the source no longer has.
    """
    codes = {language: code for language in wanted if (code := configured_locale(language))}
    rows: dict[tuple[TextKey, str], Translation] = {}
    if codes and sources:
        owners, parts = zip(*sources, strict=True)
        stored = Translation.objects.filter(owner__in=set(owners), part__in=set(parts), locale__in=set(codes.values()))
        rows = {((row.owner, row.part), row.locale): row for row in shown(stored)}

    def known(key: TextKey, language: str) -> LocalText | None:
        row = rows.get((key, codes.get(language, "")))
        is_current = row and row.source_hash == source_hash(sources[key].text)
        return LocalText(row.text, row.locale, row.origin) if row and is_current else None

    return {
        key: first_local(source, wanted, _is_same, partial(known, key)) if source.text.strip() else source
        for key, source in sources.items()
    }


def translated_titles(titles: Collection[LectureTitle], wanted: Sequence[str]) -> dict[LectureTitle, LocalText]:
    """The titles of lectures that have a translation in the first language that a reader wants. One query.

    Titles go by their words, so that a stored answer, which names no lecture, is shown in a reader's language too.
    """
    codes = {language: code for language in wanted if (code := configured_locale(language))}
    if not codes or not titles:
        return {}
    hashes = {source_hash(title) for title, _ in titles}
    stored = Translation.objects.filter(
        part=Translation.Part.LECTURE_TITLE, source_hash__in=hashes, locale__in=set(codes.values())
    )
    # Of two lectures of one title a person's translation is preferred.
    rows = {(row.source, row.language, row.locale): row for row in shown(stored).order_by("origin", "updated_at")}

    def known(title: LectureTitle, language: str) -> LocalText | None:
        row = rows.get((*title, codes.get(language, "")))
        return LocalText(row.text, row.locale, row.origin) if row else None

    found = {title: first_local(LocalText(*title), wanted, _is_same, partial(known, title)) for title in titles}
    return {title: local for title, local in found.items() if local.is_translation}


def lecture_texts(lectures: Iterable[Lecture], fields: Sequence[str], wanted: Sequence[str]) -> dict[UUID, LectureText]:
    """The fields of each lecture in a reader's language. One query."""
    parts = {field: PARTS[Lecture, field] for field in fields}
    sources: dict[TextKey, LocalText] = {
        (lecture.pk, part): LocalText(getattr(lecture, field), lecture.language)
        for lecture in lectures
        for field, part in parts.items()
    }
    found = local_texts(sources, wanted)
    return {pk: {field: found[pk, part] for field, part in parts.items()} for pk in {pk for pk, _ in sources}}


def shown(rows: QuerySet[Translation]) -> QuerySet[Translation]:
    """The translations that readers may see."""
    return rows.filter(Q(state=State.REVIEWED) | Q(state=State.MACHINE, checks=[]))


def due(locales: Sequence[str]) -> QuerySet[Translation]:
    """The texts to ask a model for: missing ones, and changed ones without a proposal."""
    lacking = Q(state=State.MISSING) | Q(state=State.STALE, proposal="")
    return Translation.objects.filter(lacking, locale__in=locales, is_published=True, problem="")


@dataclass(frozen=True, slots=True)
class LocaleProgress:
    """How many texts of a locale are in each state. objected: by a machine, and a check found something.

    is_compared: whether the published texts were compared with the locale, which gives each of them a row.
    """

    locale: str
    missing: int = 0
    machine: int = 0
    reviewed: int = 0
    stale: int = 0
    objected: int = 0
    is_compared: bool = True

    @property
    def total(self) -> int:
        return self.missing + self.machine + self.reviewed + self.stale


def translation_progress() -> list[LocaleProgress]:
    """One row per configured locale, for the admin home and the tools of assistants."""
    counted = (
        Translation.objects.filter(is_published=True, locale__in=settings.LOCALES)
        .order_by()
        .values("locale")
        .annotate(
            **{str(state): Count("pk", filter=Q(state=state)) for state in State},
            objected=Count("pk", filter=Q(state=State.MACHINE) & ~Q(checks=[])),
        )
    )
    found = {row["locale"]: LocaleProgress(**row) for row in counted}
    return [
        found.get(locale) or LocaleProgress(locale, is_compared=not has_texts_for(locale))
        for locale in settings.LOCALES
    ]


def _is_same(language: str, other: str) -> bool:
    return not needs_translation(language, other)
