"""The published texts that are translated, and where each stands."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, starmap
from uuid import UUID, uuid5

from django.db.models import Model

from corpus.models import Lecture
from curation.models import MemoryNote, PinnedQuestion, PinPhrasing
from curation.translations.models import Translation

Part = Translation.Part
# The part of each field that is translated.
PARTS: dict[tuple[type[Model], str], Part] = {
    (PinnedQuestion, "question"): Part.QUESTION,
    (PinnedQuestion, "framing"): Part.FRAMING,
    (PinPhrasing, "text"): Part.PHRASING,
    (MemoryNote, "title"): Part.NOTE_TITLE,
    (MemoryNote, "body"): Part.NOTE_BODY,
    (Lecture, "title"): Part.LECTURE_TITLE,
    (Lecture, "summary"): Part.LECTURE_SUMMARY,
}
# Per model, where its id, state and language are.
_PUBLISHED: dict[type[Model], tuple[str, str, str]] = {
    PinnedQuestion: ("pk", "state", "language"),
    PinPhrasing: ("pin_id", "pin__state", "pin__language"),
    MemoryNote: ("pk", "state", "language"),
    Lecture: ("pk", "state", "language"),
}
PUBLISHED = PinnedQuestion.State.PUBLISHED


@dataclass(frozen=True, slots=True)
class PublishedText:
    part: Part
    owner: UUID
    language: str
    text: str

    @property
    def hash(self) -> str:
        return source_hash(self.text)


def source_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def published_texts() -> Iterator[PublishedText]:
    """Every text to translate; empty ones are left out. One query per field."""
    for (model, field), part in PARTS.items():
        row, state, language = _PUBLISHED[model]
        rows = model._default_manager.filter(**{state: PUBLISHED}).order_by().values_list(row, language, field)
        for pk, spoken, text in rows.iterator():
            if text.strip():
                yield PublishedText(part, phrasing_owner(pk, text) if model is PinPhrasing else pk, spoken, text)


def has_texts_for(locale: str) -> bool:
    """Whether a published text is in another language than the locale. At most one query per field."""
    for model, field in PARTS:
        _, state, language = _PUBLISHED[model]
        spoken = model._default_manager.filter(**{state: PUBLISHED}).exclude(**{field: ""}).order_by()
        if any(needs_translation(code, locale) for code in spoken.values_list(language, flat=True).distinct()):
            return True
    return False


def phrasing_owner(pin: UUID, text: str) -> UUID:
    """What names the text of a phrasing: its pin and words, for its row is made anew with each change of the list."""
    return uuid5(pin, f"phrasing {text}")


def existing_owners() -> set[UUID]:
    """The owners of all texts, published or not."""
    rows = (model._default_manager.order_by().values_list("pk", flat=True) for model in _PUBLISHED)
    phrasings = PinPhrasing.objects.order_by().values_list("pin_id", "text")
    return {*chain.from_iterable(rows), *starmap(phrasing_owner, phrasings)}


def needs_translation(language: str, locale: str) -> bool:
    """Whether a locale is another language, not only another region, than a text's."""
    return language.partition("-")[0].lower() != locale.partition("-")[0].lower()
