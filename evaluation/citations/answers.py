"""Produces the answers that are judged: to golden questions, and from drafts of paraphrases with known sources."""

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from corpus.domain.passage import Passage
from evaluation.citations.judges import CitationPair
from evaluation.escape.material import MOST_OTHERS, Document, Material
from evaluation.golden import CLOSEST, history_of
from lectorium.asking import ask, examine
from lectorium.providers.planting.lines import key_of
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat

MODES = ("instant", "auto")
# How the writer cites a paraphrase: with its source, with another note, or not.
MANNERS = ("rightly", "wrongly", "not at all")
AT_ONCE = 12
Progress = Callable[[], object]


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A factual sentence as shown, and the text of each citation. right: the label of each citation, if known."""

    text: str
    evidence: tuple[str, ...]
    right: tuple[bool, ...] = ()

    @property
    def pairs(self) -> list[CitationPair]:
        return [CitationPair(text, self.text) for text in self.evidence]

    @property
    def whole(self) -> CitationPair:
        """The sentence with all its citations together."""
        return CitationPair(" ".join(self.evidence), self.text)


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """Sentences shown in several answers. written: factual sentences before the checks, or 0 if not counted."""

    sentences: tuple[CitedSentence, ...]
    written: int = 0


async def ask_golden(rows: Sequence[Mapping[str, Any]], mode: str, on_each: Progress) -> JudgedAnswers:
    """The product's answers to golden rows, without closest passages. A citation's evidence is its quote."""
    shown: list[CitedSentence] = []
    for row in rows:
        response = await ask(row["question"], mode=mode, history=history_of(row))
        quotes = {cited["n"]: cited["quote"] for cited in response["citations"]}
        shown += [
            CitedSentence(sentence["text"], tuple(quotes[number] for number in sentence["citations"]))
            for sentence in response["sentences"]
            if sentence["kind"] == "factual" and response["outcome"] != CLOSEST
        ]
        on_each()
    return JudgedAnswers(tuple(shown))


@dataclass(frozen=True, slots=True)
class ParaphraseClaim:
    """A paraphrase and its source passage. notes: the passages in the order in which a model sees them."""

    text: str
    source: Passage
    notes: tuple[Passage, ...]
    question: str

    def cited(self, manner: str, chance: random.Random) -> str:
        """The claim with a citation marker of this manner."""
        if manner == "not at all":
            return self.text
        aliases = [
            place for place, note in enumerate(self.notes, start=1) if (note is self.source) == (manner == "rightly")
        ]
        return f"{self.text} [^{chance.choice(aliases)}]"


def paraphrase_claims(material: Material, seed: int, most: int) -> Iterator[ParaphraseClaim]:
    """The paraphrases of at most `most` documents, alternating between the sources."""
    chance = random.Random(seed)
    for document in _interleaved(material)[:most]:
        others = chance.sample(document.others, min(MOST_OTHERS, len(document.others)))
        notes = [*document.gold, *others]
        chance.shuffle(notes)
        for passage in document.gold:
            for text in material.paraphrases.get(key_of(passage.text), ()):
                yield ParaphraseClaim(text, passage, tuple(notes), document.question)


async def write_claims(claims: Sequence[ParaphraseClaim], manner: str, seed: int, on_each: Progress) -> JudgedAnswers:
    """What the product shows when a writer cites the claims in this manner. A citation's evidence is its passage."""
    gate, chance = asyncio.Semaphore(AT_ONCE), random.Random(seed)

    async def shown(claim: ParaphraseClaim, text: str) -> list[CitedSentence]:
        async with gate:
            seen = await examine(claim.question, claim.notes, ScriptedChat(Reply.of(text)))
        on_each()
        return [
            _cited_sentence(claim, sentence["text"], sentence["citations"])
            for sentence in seen["sentences"]
            if sentence["shown"]
        ]

    found = await asyncio.gather(*(shown(claim, claim.cited(manner, chance)) for claim in claims))
    return JudgedAnswers(tuple(chain.from_iterable(found)), written=len(claims))


def _cited_sentence(claim: ParaphraseClaim, text: str, citations: Sequence[int]) -> CitedSentence:
    evidence = tuple(claim.notes[number - 1].text for number in citations)
    return CitedSentence(text, evidence, tuple(passage == claim.source.text for passage in evidence))


def _interleaved(material: Material) -> list[Document]:
    paraphrased = [
        [
            document
            for document in documents
            if any(key_of(passage.text) in material.paraphrases for passage in document.gold)
        ]
        for documents in material.documents.values()
    ]
    return [document for row in zip_longest(*paraphrased) for document in row if document]
