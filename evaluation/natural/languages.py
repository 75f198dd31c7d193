"""`manage.py evaluate languages`: natural questions in German, Spanish and Hindi, as this installation serves them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import median
from typing import Any

from tqdm import tqdm

from audit.domain.metrics import Share
from audit.domain.run_comparison import AskedQuestion
from corpus.multilingual import multilingual_space
from corpus.selectors import corpus_fingerprint
from evaluation.natural import NaturalResult, Row, read_half, run_natural
from evaluation.results import publish_part
from evaluation.stored_run import SuiteFigures
from lectorium.report_table import table

NAMES = {"de": "German", "es": "Spanish", "hi": "Hindi"}
WITHOUT = "without a multilingual space"
TOLD = "no_retrieval"
HEAD = """## Questions in German, Spanish and Hindi

60 questions (evaluation/natural/languages.jsonl; 15 answerable and 5 not in each language) over the eight English
sample lectures and the verses, asked with the page in their language, without a chat model. "Told" is a reader who is
told in their language that only English is served. Shares with 95 % Wilson intervals. Regenerate: `manage.py evaluate
languages`, before and after `manage.py space build e5`; each run writes its own part."""


def measure_languages(options: Mapping[str, Any]) -> SuiteFigures:
    rows, mode = read_half("languages"), options["mode"]
    with tqdm(total=len(rows), unit="question") as bar:
        found = asyncio.run(run_natural(rows, mode, bar.update))
    space = multilingual_space()
    title = f"with {space.model}" if space else WITHOUT
    return SuiteFigures(
        {"languages": [asdict(answer) for answer in found]},
        lambda: publish_part("languages", HEAD, title, languages_part(rows, found, mode, corpus_fingerprint())),
        page="languages",
        shares=language_shares(found),
        questions=tuple(
            AskedQuestion(answer.id, answer.outcome, answer.contains if answer.answerable else not answer.answered)
            for answer in found
        ),
    )


def languages_part(rows: Sequence[Row], found: Sequence[NaturalResult], mode: str, corpus: str) -> list[str]:
    """The lines of one part. rows, found: the questions and their results, in one order."""
    groups: dict[str, list[NaturalResult]] = {"all": [*found]}
    for row, result in zip(rows, found, strict=True):
        groups.setdefault(NAMES[row["language"]], []).append(result)
    measured = [language_shares(results) for results in groups.values()]
    lines: list[tuple[object, ...]] = [(name, *(shares[name] for shares in measured)) for name in measured[0]]
    words = ([result.words for result in results if result.words] for results in groups.values())
    lines.append(("words shown where any are, median", *(round(median(shown)) if shown else "–" for shown in words)))
    return [f"In {mode} mode, over {corpus}.", "", *table(("", *groups), lines)]


def language_shares(found: Sequence[NaturalResult]) -> dict[str, Share]:
    """The shares of these results by name, the same for every language."""
    yes = [result for result in found if result.answerable]
    near = [result for result in found if not result.answerable and result.kind != "off_topic"]
    off_topic = [result for result in found if result.kind == "off_topic"]
    return {
        "shown passages contain the answering sentences": Share.of(result.contains for result in yes),
        "the first sentence, or the first clip's lead, answers": Share.of(result.leads for result in yes),
        "answerable, nothing shown": Share.of(not result.words for result in yes),
        "called an answer": Share.of(result.answered for result in found),
        "near misses met by a closest passage": Share.of(result.closest for result in near),
        "off topic met by a closest passage": Share.of(result.closest for result in off_topic),
        "told": Share.of(result.outcome == TOLD for result in found),
    }
