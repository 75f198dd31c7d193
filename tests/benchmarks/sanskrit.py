"""Does an English rendering of a verse of the Gītā find its Sanskrit among all 701 verses?

    .venv/bin/python -m tests.benchmarks.sanskrit

writes a part of docs/results/languages.md. Needs LECTORIUM_DATA and `make multilingual`, no database.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
import numpy as np
from django.conf import settings

django.setup()

from audit.domain.metrics import Share
from evaluation.natural.languages import HEAD
from evaluation.results import publish_part
from lectorium.providers.protocols import Embedder
from lectorium.providers.registry import embedder
from lectorium.report_table import table

FIRST = (1, 10)
SCRIPTS = {"sanskrit": "Devanagari", "iast": "Latin letters (IAST)"}
TITLE = "the Gītā's Sanskrit"
ABOUT = (
    "Each of the 121 English renderings of the sample corpus is asked as a question over the 701 Sanskrit verses of\n"
    "the evaluation data: how often its own verse is the first found, or among the first ten. Regenerate:\n"
    "`python -m tests.benchmarks.sanskrit`."
)


def main() -> None:
    verses = read_lines(settings.DATA_DIR / "works" / "gita" / "verses.jsonl")
    english = read_lines(settings.BASE_DIR / "samples" / "works" / "gita.jsonl")
    wanted = {verse["ref"]: place for place, verse in enumerate(verses)}
    asked = [verse for verse in english if verse["ref"] in wanted]
    lines: list[tuple[object, ...]] = []
    for name in ("e5", "mpnet"):
        model = embedder(name)
        questions = [verse["text"] for verse in asked]
        for script, title in SCRIPTS.items():
            texts = [" ".join(verse[script]) for verse in verses]
            ranks = ranks_of(model, questions, texts, [wanted[verse["ref"]] for verse in asked])
            lines.append((model.name, title, *(Share.of(rank <= most for rank in ranks) for most in FIRST)))
    publish_part("languages", HEAD, TITLE, [ABOUT, "", *table(("embedder", "script", "first", "in ten"), lines)])


def ranks_of(model: Embedder, questions: Sequence[str], texts: Sequence[str], wanted: Sequence[int]) -> list[int]:
    """The rank of each question's wanted text, from 1."""
    cosines = model.embed_questions(questions) @ model.embed_passages(texts).T
    return [int(1 + np.sum(row > row[place])) for row, place in zip(cosines, wanted, strict=True)]


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
