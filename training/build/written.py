"""Claims and questions written by hand for this training, kept beside the program; their passages stay in the data."""

import hashlib
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from training.build.reading import qmsum_stretches
from training.build.sources import encyclopedia_texts, lecture_texts
from training.rows import GroundingRow, PassageRow, ReadingRow, Row, read_json_lines, split_of
from training.text import as_speech

HERE = Path(__file__).parent.parent / "written"
SPOKEN = 0.08  # share of the evidence that is read as speech without punctuation
RIVALS = 2


def written_claims(data: Path, seed: int) -> Iterator[GroundingRow]:
    """Three true and three false claims a passage, the false ones as fluent and as close to its words as the true."""
    rng = random.Random(seed)
    texts = passages(data)
    for path in sorted(HERE.glob("claims_*.jsonl")):
        for row in read_json_lines(path):
            text = texts[row["passage"]]
            evidence = as_speech(text, rng) if rng.random() < SPOKEN else text
            split = split_of(row["passage"], calibrate=0.08)
            yield GroundingRow("written_claims", split, row["claim"], evidence, row["label"], row["kind"])


def written_questions(data: Path, seed: int) -> Iterator[ReadingRow]:
    """Three questions a passage that it answers, in other words than its own, and three that it does not."""
    rng = random.Random(seed)
    texts = passages(data)
    rows = list(read_json_lines(HERE / "questions.jsonl"))
    asked = sorted({row["passage"] for row in rows})
    for row in rows:
        text, split = texts[row["passage"]], split_of(row["passage"], calibrate=0.08)
        if row["answer"] is None:
            yield ReadingRow("written_questions", split, row["question"], [PassageRow(text, None, False)], "near miss")
            continue
        start = text.index(row["answer"])
        own = PassageRow(text, True, True, (start, start + len(row["answer"])))
        rivals = [PassageRow(texts[name], False, False) for name in rng.sample(asked, RIVALS) if name != row["passage"]]
        yield ReadingRow("written_questions", split, row["question"], [own, *rivals])


@cache
def passages(data: Path) -> dict[str, str]:
    """Return the texts that claims were written for, by the first 12 digits of their sha256."""
    texts = [entry.text for entry in (*lecture_texts(data), *encyclopedia_texts(data))]
    texts += [text for _, own, rest in qmsum_stretches(data, "train") for text in (*own, *rest)]
    return {hashlib.sha256(text.encode()).hexdigest()[:12]: text for text in texts}


BUILDERS: dict[str, Callable[[Path, int], Iterator[Row]]] = {
    "written_claims": written_claims,
    "written_questions": written_questions,
}
