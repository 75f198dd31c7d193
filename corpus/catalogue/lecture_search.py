"""Search within one lecture: every place where the words stand, numbered in order."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from corpus.catalogue.reading import FoundPlaces, NumberedPlace
from corpus.domain.text.word_search import find_words
from corpus.models import Lecture, Section

MOST_TYPED = 200  # characters of a search, an address or a title
MOST_PLACES = 1000
TOO_LONG = _("Search for at most %(most)s characters; these are %(typed)s.")


@dataclass(frozen=True, slots=True)
class AskedSearch:
    """What a reader typed, and why it is not searched for; "" where it is."""

    query: str
    problem: str = ""

    @property
    def is_valid(self) -> bool:
        return bool(self.query) and not self.problem


@dataclass(frozen=True, slots=True)
class FoundParagraph:
    """A paragraph with places. first: the number of its first one. count: how many it has. start: seconds, or None."""

    address: str
    start: float | None
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class LectureSearch:
    """What was found. total: how many places, at most MOST_PLACES; is_cut: there are more."""

    query: str
    total: int
    is_cut: bool
    paragraphs: tuple[FoundParagraph, ...]
    places: FoundPlaces


def asked_search(request: HttpRequest) -> AskedSearch:
    """The words `q` of a request."""
    query = request.GET.get("q", "").strip()
    too_long = {"most": number_format(MOST_TYPED), "typed": number_format(len(query), force_grouping=True)}
    return AskedSearch(query, TOO_LONG % too_long if len(query) > MOST_TYPED else "")


def search_lecture(lecture: Lecture, query: str) -> LectureSearch:
    """Search every paragraph, as corpus.domain.text.word_search finds words."""
    paragraphs: list[FoundParagraph] = []
    places: dict[UUID, list[NumberedPlace]] = {}
    total, is_cut = 0, False
    for section in Section.objects.filter(lecture=lecture).order_by("ordinal").only("address", "start", "text"):
        spans = find_words(section.text, query)
        is_cut = is_cut or total + len(spans) > MOST_PLACES
        if spans := spans[: MOST_PLACES - total]:
            places[section.pk] = [(total + n, *span) for n, span in enumerate(spans, start=1)]
            paragraphs.append(FoundParagraph(section.address, section.start, total + 1, len(spans)))
            total += len(spans)
    return LectureSearch(query, total, is_cut, tuple(paragraphs), places)
