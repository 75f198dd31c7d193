"""Reads the material of the escape test: held-out documents of three sources, their questions, and paraphrases."""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from corpus.domain.passage import Paragraph, Passage
from evaluation.golden_run import read_rows
from lectorium.providers.planting.lines import key_of, sentences
from lectorium.providers.planting.orders import with_order

Row = dict[str, Any]
HERE = Path(__file__).parent
SOURCES = ("lectures", "hotpotqa", "squad2")
FEWEST_OTHERS, MOST_OTHERS = 3, 7
SHORTEST_NOTE = 12  # words
ENOUGH_STRANGERS = 8
_SPEAKERS = {"vivekananda": "Swami Vivekananda", "william_james": "William James"}


@dataclass(frozen=True, slots=True)
class Document:
    """A question, the passages that answer it, and others of the same source."""

    source: str
    question: str
    gold: tuple[Passage, ...]
    others: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its notes in the order in which a model sees them.

    gold: aliases of the answering notes. strangers: sentences of other documents.
    """

    document: Document
    notes: tuple[Passage, ...]
    gold: tuple[int, ...]
    strangers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """Documents by source, and paraphrases by key_of(passage text)."""

    documents: Mapping[str, Sequence[Document]]
    paraphrases: Mapping[str, Sequence[str]]


def load(data: Path, here: Path | None = None) -> Material:
    """Read everything. here: the folder of the lists and paraphrases.

    Raises FileNotFoundError without the data, and ValueError if a passage differs from the paraphrased one.
    """
    here = here or HERE
    held = json.loads((here / "documents.json").read_text(encoding="utf-8"))
    documents = {
        "lectures": _lectures(data, held, here),
        "hotpotqa": _hotpotqa(data, held),
        "squad2": _squad2(data, held),
    }
    return Material(documents, _paraphrases(documents, here))


def cases(material: Material, seed: int) -> Iterator[Case]:
    """Cases forever, alternating between the sources, documents with paraphrases first; notes differ every time."""
    chance = random.Random(seed)
    by_source = {
        source: sorted(documents, key=lambda document: -_paraphrased(document, material))
        for source, documents in material.documents.items()
        if documents
    }
    turn = 0
    while by_source:
        for place, (source, documents) in enumerate(by_source.items()):
            if turn and turn % len(documents) == 0:
                chance.shuffle(documents)
            number = turn * len(by_source) + place
            yield _case(documents[turn % len(documents)], material.documents[source], number, chance)
        turn += 1


def sha_of(text: str) -> str:
    """The hash by which a paraphrase refers to the text it was written for."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


def passage_of(kind: str, address: str, title: str, text: str, *, speaker: str = "") -> Passage:
    """A passage with one address and one paragraph; its source is derived from the title."""
    flat = " ".join(text.split())
    source = uuid5(NAMESPACE_URL, title)
    chunk = uuid5(source, address)
    whole = (Paragraph(0, len(flat), address),)
    return Passage(chunk, source, kind, address, title, flat, sha_of(flat), 0, speaker=speaker, paragraphs=whole)


def _case(document: Document, among: Sequence[Document], number: int, chance: random.Random) -> Case:
    count = min(len(document.others), chance.randint(FEWEST_OTHERS, MOST_OTHERS))
    notes = [*document.gold, *chance.sample(document.others, count)]
    chance.shuffle(notes)
    place = chance.randrange(len(notes))
    gold = tuple(number for number, note in enumerate(notes, start=1) if note in document.gold)
    notes[place] = _with_order(notes[place], number)
    others = [other for other in among if not set(other.gold) & set(notes)]
    strangers = [
        text
        for other in chance.sample(others, min(len(others), ENOUGH_STRANGERS))
        for passage in other.gold[:1]
        for text in sentences(passage.text)[:2]
    ]
    return Case(document, tuple(notes), gold, tuple(strangers))


def _with_order(passage: Passage, which: int) -> Passage:
    text = with_order(passage.text, which)
    return passage_of(passage.kind, passage.address, passage.title, text, speaker=passage.speaker)


def _paraphrased(document: Document, material: Material) -> int:
    return sum(len(material.paraphrases.get(key_of(passage.text), ())) for passage in document.gold)


def _lectures(data: Path, held: Row, here: Path) -> list[Document]:
    questions = {row["passage"]: row["question"] for row in read_rows(here / "questions.jsonl")}
    passages = [
        passage_of("lecture", row["address"], row["title"], row["text"], speaker=speaker)
        for name, speaker in _SPEAKERS.items()
        for row in read_rows(data / "lectures" / name / "paragraphs.jsonl")
        if row["lecture"] in held["lectures"]
    ]
    passages = [passage for passage in passages if len(passage.text.split()) >= SHORTEST_NOTE]
    return [
        Document(
            "lectures",
            questions[passage.address],
            (passage,),
            tuple(other for other in passages if other is not passage),
        )
        for passage in passages
        if passage.address in questions
    ]


def _hotpotqa(data: Path, held: Row) -> list[Document]:
    found, left_out = [], set(held["hotpotqa_left_out"])
    rows = {row["id"]: row for row in read_rows(data / "qa" / "hotpotqa" / "dev.jsonl")}
    for row in (rows[name] for name in held["hotpotqa"] if name in rows):
        named = {title for title, _ in row["supporting_facts"]}
        passages = [
            passage_of("library", f"{row['id']}/{entry['title']}", entry["title"], "".join(entry["sentences"]))
            for entry in row["context"]
            if entry["title"] not in left_out
        ]
        gold = tuple(passage for passage in passages if passage.title in named)
        found.append(
            Document("hotpotqa", row["question"], gold, tuple(passage for passage in passages if passage not in gold))
        )
    return found


def _squad2(data: Path, held: Row) -> list[Document]:
    asked: dict[str, str] = {}
    for row in read_rows(data / "qa" / "squad2" / "questions_dev.jsonl"):
        if not row["is_impossible"]:
            asked.setdefault(row["passage_id"], row["question"])
    passages = [
        passage_of("library", row["passage_id"], row["title"].replace("_", " "), row["text"])
        for row in read_rows(data / "qa" / "squad2" / "passages.jsonl")
        if row["title"] in held["squad2"]
    ]
    return [
        Document(
            "squad2",
            asked[passage.address],
            (passage,),
            tuple(p for p in passages if p.title == passage.title and p is not passage),
        )
        for passage in passages
        if passage.address in asked
    ]


def _paraphrases(documents: Mapping[str, Sequence[Document]], here: Path) -> dict[str, list[str]]:
    texts = {
        (source, passage.address): passage.text
        for source, found in documents.items()
        for document in found
        for passage in document.gold
    }
    paraphrases: dict[str, list[str]] = {}
    for row in read_rows(here / "paraphrases.jsonl"):
        text = texts.get((row["source"], row["passage"]))
        if text is None or sha_of(text) != row["sha"]:
            message = f"{here / 'paraphrases.jsonl'}: {row['source']} {row['passage']} is missing or has another text; "
            raise ValueError(message + "the paraphrases were written for another version of the data")
        paraphrases.setdefault(key_of(text), []).append(row["claim"])
    return paraphrases
