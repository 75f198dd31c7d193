"""Hand-written claims and questions from training/written. Their passages are in the data folder."""

import hashlib
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from training.build.reading import qmsum_stretches
from training.build.sources import SourceDocument, encyclopedia_texts, lecture_texts
from training.rows import GroundingRow, PassageRow, ReadingRow, Row, Split, read_json_lines, split_of
from training.text import as_speech

HERE = Path(__file__).parent.parent / "written"
SPOKEN = 0.08  # share of the evidence that is turned into speech without punctuation
RIVALS = 2


def written_claims(data: Path, seed: int) -> Iterator[GroundingRow]:
    """Three true and three false claims per passage, equally fluent and equally close to its words."""
    rng = random.Random(seed)
    texts = passages(data)
    for path in sorted(HERE.glob("claims_*.jsonl")):
        for row in read_json_lines(path):
            passage = texts[row["passage"]]
            evidence = as_speech(passage.text, rng) if rng.random() < SPOKEN else passage.text
            split = _split(row["passage"], passage)
            yield GroundingRow("written_claims", split, row["claim"], evidence, row["label"], row["kind"])


def written_questions(data: Path, seed: int) -> Iterator[ReadingRow]:
    """Questions that a passage answers, in other words, and near misses of the same form.

    Other near misses are left out: their words give away that they have no answer (training/written/README.md).
    """
    rng = random.Random(seed)
    texts = passages(data)
    every = [row for path in sorted(HERE.glob("questions*.jsonl")) for row in read_json_lines(path)]
    rows = [row for row in every if row["answer"] is not None or "pair" in row or "twin_of" in row]
    asked = sorted({row["passage"] for row in rows if texts[row["passage"]].split != "test"})
    for row in rows:
        text, split = texts[row["passage"]].text, _split(row["passage"], texts[row["passage"]])
        if row["answer"] is None:
            yield ReadingRow("written_questions", split, row["question"], [PassageRow(text, None, False)], "near miss")
            continue
        start = text.index(row["answer"])
        own = PassageRow(text, True, True, (start, start + len(row["answer"])))
        rivals = [
            PassageRow(texts[name].text, False, False) for name in rng.sample(asked, RIVALS) if name != row["passage"]
        ]
        yield ReadingRow("written_questions", split, row["question"], [own, *rivals])


def _split(name: str, passage: SourceDocument) -> Split:
    return "test" if passage.split == "test" else split_of(name, calibrate=0.08)


@cache
def passages(data: Path) -> dict[str, SourceDocument]:
    """Texts that claims were written for, by the first 12 digits of their SHA-256."""
    texts = [*lecture_texts(data), *encyclopedia_texts(data)]
    for row, own, rest in qmsum_stretches(data, "train"):
        texts += [SourceDocument(row["meeting_id"], text, "train") for text in (*own, *rest)]
    return {hashlib.sha256(entry.text.encode()).hexdigest()[:12]: entry for entry in texts}


BUILDERS: dict[str, Callable[[Path, int], Iterator[Row]]] = {
    "written_claims": written_claims,
    "written_questions": written_questions,
}
