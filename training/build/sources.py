"""Texts shared by several builders: lecture paragraphs and encyclopedia passages, with their splits."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from training.build.lectures import WORKS, lecture_paragraphs, lecture_split
from training.build.reading import squad2_split
from training.lexicon import Lexicon
from training.rows import Split, read_json_lines, split_of


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A text, its document, and the document's split."""

    document: str
    text: str
    split: Split


def lecture_texts(data: Path) -> Iterator[SourceDocument]:
    """English lecture paragraphs of at least 40 words; those of golden lectures have split "test"."""
    for work in WORKS:
        for row in lecture_paragraphs(data, work):
            if len(row["text"].split()) >= 40 and row["text"].isprintable():
                yield SourceDocument(row["lecture"], row["text"], lecture_split(data, row["lecture"]))


def encyclopedia_texts(data: Path) -> Iterator[SourceDocument]:
    """Passages of SQuAD 2 without its test articles, the retrieval pairs, HotpotQA and 2Wiki."""
    for row in read_json_lines(data / "qa/squad2/passages.jsonl"):
        if squad2_split(row["title"]) == "train":
            yield SourceDocument(row["title"], row["text"], "train")
    seen = set()
    for row in read_json_lines(data / "train/retrieval_pairs/train.jsonl"):
        if row["source"].startswith("squad_v1_dev") and row["passage"] not in seen:
            seen.add(row["passage"])
            yield SourceDocument(row["passage"][:80], row["passage"], split_of(row["passage"][:80], calibrate=0.02))
    for row in read_json_lines(data / "qa/2wiki_passages/corpus.jsonl"):
        if len(row["text"].split()) >= 25:
            yield SourceDocument(row["title"], row["text"], split_of(row["title"], calibrate=0.02))


@cache
def lexicon(data: Path) -> Lexicon:
    """Replacements learned from both kinds of text."""
    texts = (*lecture_texts(data), *encyclopedia_texts(data))
    return Lexicon([entry.text for entry in texts if entry.split != "test"])
