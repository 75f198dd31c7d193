"""An article as its page shows it: each sentence with the places that prove it, as they stand now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from articles.domain.body import ArticleBody, ArticleSection, ArticleSentence, SentenceEvidence
from articles.models import ArticleVersion
from articles.selectors import passages_by_number
from chat.answering.payloads import source_item
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
            return "kept by a reviewer" if self.sentence.kept else ""
        return {"quoted": "quoted", "verified": "verified"}.get(check.proof, "checked")


@dataclass(frozen=True, slots=True)
class PageSection:
    heading: str
    paragraphs: tuple[tuple[PageSentence, ...], ...]


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """left_out: sentences that passed, but whose source changed since they were checked."""

    sections: tuple[PageSection, ...]
    left_out: int = 0


def reading_page(version: ArticleVersion) -> ArticlePage:
    """What readers see: the sentences that passed or were kept, and whose evidence is still in its source."""
    page = review_page(version)
    readable = [found for found in _sentences(page) if found.sentence.is_readable]
    standing = {found.position for found in readable if found.citations or _claims_nothing(found.sentence)}
    sections = (_only(section, standing) for section in page.sections)
    return ArticlePage(tuple(section for section in sections if section.paragraphs), len(readable) - len(standing))


def review_page(version: ArticleVersion) -> ArticlePage:
    """Every sentence, for an editor."""
    passages = passages_by_number(version)
    return ArticlePage(tuple(_sections(version.body, passages)))


def _sections(body: ArticleBody, passages: Mapping[int, Passage]) -> Iterator[PageSection]:
    position = 0
    for section in body.sections:
        placed = list(enumerate(section.sentences, start=position))
        position += len(placed)
        yield PageSection(section.heading, _paragraphs(placed, section, passages))


def _paragraphs(
    placed: list[tuple[int, ArticleSentence]], section: ArticleSection, passages: Mapping[int, Passage]
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
    return PageSection(section.heading, tuple(paragraph for paragraph in paragraphs if paragraph))
