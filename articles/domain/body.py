"""An article as values: sections of sentences, each with the sources it cites and what HaluGate found."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from corpus.domain.passage import Span


@dataclass(frozen=True, slots=True)
class SentenceEvidence:
    """Where a source proves a sentence. number: of the source. span: characters of its text. quote: the text there."""

    number: int
    address: str
    span: Span
    quote: str


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """A claim and what the gate found. verdict: as in an answer. evidence: the source's words, or ""."""

    text: str
    verdict: str
    support: float
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """The result of the gate. verdict: of the weakest claim. proof: quoted, verified or checked; "" where flagged.

    flags: why the sentence is flagged, as sentences for an editor; empty where it passed.
    """

    verdict: str
    proof: str = ""
    claims: tuple[ClaimCheck, ...] = ()
    evidence: tuple[SentenceEvidence, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArticleSentence:
    """cited, inherited: numbers of sources, as in a draft. kept: a reviewer lets it stand although it is flagged.

    check: None until the gate has run.
    """

    text: str
    paragraph: int
    cited: tuple[int, ...] = ()
    inherited: tuple[int, ...] = ()
    check: SentenceCheck | None = None
    kept: bool = False

    @property
    def is_flagged(self) -> bool:
        return bool(self.check and self.check.flags)

    @property
    def is_readable(self) -> bool:
        """Whether readers see it: it passed the gate, or a reviewer kept it."""
        return self.check is not None and (not self.check.flags or self.kept)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sources it is shown with: those that prove it; of a kept one, those it cites."""
        proved = tuple(dict.fromkeys(proof.number for proof in self.check.evidence)) if self.check else ()
        return proved or self.cited


@dataclass(frozen=True, slots=True)
class ArticleSection:
    """heading: the title of the first source that the section cites, never a statement."""

    heading: str
    sentences: tuple[ArticleSentence, ...]


@dataclass(frozen=True, slots=True)
class ArticleBody:
    sections: tuple[ArticleSection, ...] = ()

    @property
    def sentences(self) -> Iterator[ArticleSentence]:
        """All sentences in order. Reviewers name a sentence by its place here, from 0."""
        return (sentence for section in self.sections for sentence in section.sentences)

    def with_sentences(self, sentences: Iterable[ArticleSentence]) -> "ArticleBody":
        """The same sections with these sentences, one for each of its own."""
        following = iter(sentences)
        sections = (
            replace(section, sentences=tuple(next(following) for _ in section.sentences)) for section in self.sections
        )
        return ArticleBody(tuple(sections))

    def keeping(self, places: Iterable[int]) -> "ArticleBody":
        """The body in which the flagged sentences at these places, and no others, are kept."""
        chosen = set(places)
        return self.with_sentences(
            replace(sentence, kept=sentence.is_flagged and place in chosen)
            for place, sentence in enumerate(self.sentences)
        )


def sections_of(sentences: Iterable[ArticleSentence], titles: Mapping[int, str]) -> ArticleBody:
    """Put a draft's sentences into sections: a new one where a paragraph's first source has another title.

    titles: by the number of the source. A paragraph that cites nothing stays in the section before it.
    """
    paragraphs: dict[int, list[ArticleSentence]] = {}
    for sentence in sentences:
        paragraphs.setdefault(sentence.paragraph, []).append(sentence)
    sections: list[tuple[str, list[ArticleSentence]]] = []
    for paragraph in paragraphs.values():
        cited = (number for sentence in paragraph for number in sentence.cited if number in titles)
        heading = next((titles[number] for number in cited), sections[-1][0] if sections else "")
        if not sections or (sections[-1][0] and sections[-1][0] != heading):
            sections.append((heading, []))
        sections[-1] = (sections[-1][0] or heading, [*sections[-1][1], *paragraph])
    return ArticleBody(tuple(ArticleSection(heading, tuple(found)) for heading, found in sections))
