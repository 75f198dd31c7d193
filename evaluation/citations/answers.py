"""The answers that are judged: those to golden questions, and drafts made of paraphrases whose source is known."""

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.domain.passage import Passage
from evaluation.citations.judges import CitationPair
from evaluation.escape.material import MOST_OTHERS, Document, Material
from evaluation.golden import CLOSEST, history_of
from lectorium.asking import ask, examine
from lectorium.providers.planting.lines import key_of
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat

MODES = ("instant", "auto")
# How the writer cites what it says: the passage that holds it, another note, or nothing.
MANNERS = ("rightly", "wrongly", "not at all")
AT_ONCE = 12
Progress = Callable[[], object]


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A factual sentence as a reader sees it, and what each of its citations shows. right: by label, where known."""

    text: str
    evidence: tuple[str, ...]
    right: tuple[bool, ...] = ()

    @property
    def pairs(self) -> list[CitationPair]:
        return [CitationPair(one, self.text) for one in self.evidence]

    @property
    def whole(self) -> CitationPair:
        """Return the sentence beside all its citations."""
        return CitationPair(" ".join(self.evidence), self.text)


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """What was shown of several answers; `written`: factual sentences before the checks, 0 where nobody counts them."""

    told: tuple[CitedSentence, ...]
    written: int = 0


async def asked(rows: Sequence[Mapping[str, Any]], mode: str, on_each: Progress) -> JudgedAnswers:
    """Return what the product answers to golden rows in a mode; a citation shows its quote, not a closest passage."""
    told: list[CitedSentence] = []
    for row in rows:
        response = await ask(row["question"], mode=mode, history=history_of(row))
        quotes = {cited["n"]: cited["quote"] for cited in response["citations"]}
        told += [
            CitedSentence(sentence["text"], tuple(quotes[number] for number in sentence["citations"]))
            for sentence in response["sentences"]
            if sentence["kind"] == "factual" and response["outcome"] != CLOSEST
        ]
        on_each()
    return JudgedAnswers(tuple(told))


@dataclass(frozen=True, slots=True)
class ParaphraseClaim:
    """A paraphrase, the passage that it was written from, and its document's notes in the order a model sees them."""

    text: str
    source: Passage
    notes: tuple[Passage, ...]
    question: str

    def cited(self, manner: str, chance: random.Random) -> str:
        """Return the claim with the marker that a writer of this manner sets."""
        if manner == "not at all":
            return self.text
        noted = [
            place for place, note in enumerate(self.notes, start=1) if (note is self.source) == (manner == "rightly")
        ]
        return f"{self.text} [^{chance.choice(noted)}]"


def claims(material: Material, seed: int, most: int) -> Iterator[ParaphraseClaim]:
    """Yield the paraphrases of at most `most` documents, the sources in turn."""
    chance = random.Random(seed)
    for document in _in_turn(material)[:most]:
        others = chance.sample(document.others, min(MOST_OTHERS, len(document.others)))
        notes = [*document.gold, *others]
        chance.shuffle(notes)
        for passage in document.gold:
            for text in material.paraphrases.get(key_of(passage.text), ()):
                yield ParaphraseClaim(text, passage, tuple(notes), document.question)


async def written(told: Sequence[ParaphraseClaim], manner: str, seed: int, on_each: Progress) -> JudgedAnswers:
    """Return what is shown of claims whose writer cites them in a manner; a citation shows its passage."""
    gate, chance = asyncio.Semaphore(AT_ONCE), random.Random(seed)

    async def shown(claim: ParaphraseClaim, text: str) -> list[CitedSentence]:
        async with gate:
            seen = await examine(claim.question, claim.notes, ScriptedChat(Reply.of(text)))
        on_each()
        return [
            _told(claim, sentence["text"], sentence["citations"]) for sentence in seen["sentences"] if sentence["shown"]
        ]

    found = await asyncio.gather(*(shown(claim, claim.cited(manner, chance)) for claim in told))
    return JudgedAnswers(tuple(one for several in found for one in several), written=len(told))


def _told(claim: ParaphraseClaim, text: str, citations: Sequence[int]) -> CitedSentence:
    cited = [claim.notes[number - 1] for number in citations]
    return CitedSentence(text, tuple(one.text for one in cited), tuple(one.text == claim.source.text for one in cited))


def _in_turn(material: Material) -> list[Document]:
    reworded = [
        [
            document
            for document in documents
            if any(key_of(passage.text) in material.paraphrases for passage in document.gold)
        ]
        for documents in material.documents.values()
    ]
    longest = max(map(len, reworded), default=0)
    return [documents[place] for place in range(longest) for documents in reworded if place < len(documents)]
