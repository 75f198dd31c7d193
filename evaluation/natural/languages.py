"""The natural questions in German, Spanish and Hindi, as docs/results/languages.md shows them."""

from collections.abc import Sequence
from statistics import median

from audit.domain.metrics import Share
from evaluation.natural import NaturalResult, Row, shares
from lectorium.report_table import table

NAMES = {"de": "German", "es": "Spanish", "hi": "Hindi"}
WITHOUT = "without a multilingual space"
HEAD = """## Questions in German, Spanish and Hindi

60 questions (evaluation/natural/languages.jsonl; 15 answerable and 5 not in each language) over the eight English
sample lectures and the verses, asked with the page in their language, without a chat model. "Told" is a reader who is
told in their language that only English is served. Shares with 95 % Wilson intervals. Regenerate: `manage.py evaluate
languages`, before and after `manage.py space build e5`; each run writes its own part."""


def languages_part(rows: Sequence[Row], found: Sequence[NaturalResult], mode: str, corpus: str) -> list[str]:
    """The lines of one part. rows, found: the questions and their results, in one order."""
    groups: dict[str, list[NaturalResult]] = {"all": [*found]}
    for row, result in zip(rows, found, strict=True):
        groups.setdefault(NAMES[row["language"]], []).append(result)
    by_group = {name: language_shares(results) for name, results in groups.items()}
    names = dict.fromkeys(name for measured in by_group.values() for name in measured)
    lines: list[tuple[object, ...]] = [
        (name, *(measured.get(name, "–") for measured in by_group.values())) for name in names
    ]
    words = ([result.words for result in results if result.words] for results in groups.values())
    lines.append(("words shown where any are, median", *(round(median(shown)) if shown else "–" for shown in words)))
    return [f"In {mode} mode, over {corpus}.", "", *table(("", *groups), lines)]


def language_shares(found: Sequence[NaturalResult]) -> dict[str, Share]:
    """The shares of natural questions, those of unanswerable ones by whether they are off topic, and who was told."""
    off_topic = [result for result in found if result.kind == "off_topic"]
    near = [result for result in found if not result.answerable and result.kind != "off_topic"]
    return {
        **shares(found),
        "near misses met by a closest passage": Share.of(result.closest for result in near),
        "off topic met by a closest passage": Share.of(result.closest for result in off_topic),
        "told": Share.of(result.outcome == "no_retrieval" for result in found),
    }
