"""An article as its page shows it: each sentence with the places that prove it, as they stand now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from articles.domain.body import ArticleBody, ArticleSentence, SentenceEvidence
from articles.models import ArticleVersion
from articles.selectors import passages_by_number
from chat.answering.payloads import source_item
from chat.conversations.local_titles import with_translated_titles
from chat.search.page import place_label
from corpus.domain.passage import Passage


@dataclass(frozen=True, slots=True)
class PageCitation:
    """place: as in a citation of an answer. quote: the words that prove the sentence. where: its time or address."""

    number: int
    place: dict[str, Any]
    quote: str
    where: str


@dataclass(frozen=True, slots=True)
class PageSentence:
    """position: the sentence's place in the body, from 0."""

    position: int
    sentence: ArticleSentence
    citations: tuple[PageCitation, ...]

    @property
    def wording(self) -> str:
        """How a reader is told what the sentence is."""
        check = self.sentence.check
        if check is None or self.sentence.is_flagged:
            return gettext("kept by a reviewer") if self.sentence.kept else ""
        words = {"quoted": gettext("quoted"), "verified": gettext("verified")}
        return words.get(check.proof, gettext("checked"))


@dataclass(frozen=True, slots=True)
class PageSection:
    """heading: the title of a source. language: of the heading where it is a translation, else ""."""

    heading: str
    paragraphs: tuple[tuple[PageSentence, ...], ...]
    language: str = ""


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """left_out: sentences that passed, but whose source changed since they were checked.

    titles: the translated titles of its sources, as in `translated_title` of a citation, by the original ones.
    """

    sections: tuple[PageSection, ...]
    left_out: int = 0
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def reading_page(version: ArticleVersion) -> ArticlePage:
    """What readers see: the sentences that passed or were kept, and whose evidence is still in its source."""
    page = review_page(version)
    readable = [found for found in _sentences(page) if found.sentence.is_readable]
    standing = {found.position for found in readable if found.citations or _claims_nothing(found.sentence)}
    sections = (_only(section, standing) for section in page.sections)
    return ArticlePage(tuple(section for section in sections if section.paragraphs), len(readable) - len(standing))


def in_languages(page: ArticlePage, languages: Sequence[str]) -> ArticlePage:
    """The page with the titles of lectures in the first of these languages that they are translated into. One query."""
    places = [citation.place for found in _sentences(page) for citation in found.citations]
    shown = with_translated_titles(places, languages)
    titles = _titles_of(shown)
    following = iter(shown)
    sections = tuple(_translated(section, titles, following) for section in page.sections)
    return replace(page, sections=sections, titles=titles)


def _translated(
    section: PageSection, titles: Mapping[str, Mapping[str, str]], places: Iterator[dict[str, Any]]
) -> PageSection:
    """The section with these places, in the order of its citations."""
    paragraphs = tuple(
        tuple(
            replace(found, citations=tuple(replace(citation, place=next(places)) for citation in found.citations))
            for found in paragraph
        )
        for paragraph in section.paragraphs
    )
    title = titles.get(section.heading)
    if title is None:
        return replace(section, paragraphs=paragraphs)
    return PageSection(title["text"], paragraphs, title["language"])


def _titles_of(places: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, str]]:
    return {place["title"]: place["translated_title"] for place in places if place.get("translated_title")}


def review_page(version: ArticleVersion) -> ArticlePage:
    """Every sentence, for an editor."""
    passages = passages_by_number(version)
    return ArticlePage(tuple(_sections(version.body, passages)))


def _sections(body: ArticleBody, passages: Mapping[int, Passage]) -> Iterator[PageSection]:
    position = 0
    for section in body.sections:
        placed = list(enumerate(section.sentences, start=position))
        position += len(placed)
        yield PageSection(section.heading, _paragraphs(placed, passages))


def _paragraphs(
    placed: list[tuple[int, ArticleSentence]], passages: Mapping[int, Passage]
) -> tuple[tuple[PageSentence, ...], ...]:
    shown = [PageSentence(at, sentence, tuple(_citations(sentence, passages))) for at, sentence in placed]
    return tuple(tuple(run) for _, run in groupby(shown, key=lambda found: found.sentence.paragraph))


def _citations(sentence: ArticleSentence, passages: Mapping[int, Passage]) -> Iterator[PageCitation]:
    """The places of its evidence; of a flagged sentence, the sources it cites."""
    evidence = sentence.check.evidence if sentence.check else ()
    if not evidence:
        evidence = tuple(_whole(number, passages[number]) for number in sentence.cited if number in passages)
    for proof in evidence:
        passage = passages.get(proof.number)
        start = passage.text.find(proof.quote) if passage else -1
        if passage and start >= 0:
            place = source_item(passage, (start, start + len(proof.quote)))
            yield PageCitation(proof.number, place, proof.quote, place_label(place))


def _whole(number: int, passage: Passage) -> SentenceEvidence:
    return SentenceEvidence(number, passage.address, (0, len(passage.text)), passage.text)


def _claims_nothing(sentence: ArticleSentence) -> bool:
    return bool(sentence.check and sentence.check.verdict == "framing")


def _sentences(page: ArticlePage) -> Iterator[PageSentence]:
    return (found for section in page.sections for paragraph in section.paragraphs for found in paragraph)


def _only(section: PageSection, positions: set[int]) -> PageSection:
    paragraphs = (
        tuple(found for found in paragraph if found.position in positions) for paragraph in section.paragraphs
    )
    return replace(section, paragraphs=tuple(paragraph for paragraph in paragraphs if paragraph))
