"""Runs the measurement: fits the judges, then asks golden questions and has paraphrases written."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.citations.answers import (
    MANNERS,
    MODES,
    JudgedAnswers,
    ParaphraseClaim,
    Progress,
    asked,
    claims,
    written,
)
from evaluation.citations.judges import CitationPair, Judge, by_meaning, by_words, fitted
from evaluation.escape.material import Material
from lectorium.providers.registry import embedder


def judges_of(told: Sequence[ParaphraseClaim], seed: int) -> list[Judge]:
    """Return the judges, fitted on the claims beside their own passages and beside another of their notes."""
    chance = random.Random(seed)
    right = [CitationPair(one.source.text, one.text) for one in told]
    wrong = [CitationPair(chance.choice([n for n in one.notes if n is not one.source]).text, one.text) for one in told]
    return [fitted("words", by_words, right, wrong), fitted("meaning", by_meaning(embedder()), right, wrong)]


async def run(
    rows: Sequence[Mapping[str, Any]], material: Material, most: int, seed: int, on_each: Progress
) -> tuple[dict[str, JudgedAnswers], list[Judge]]:
    """Return the answers by what they are, and the judges; of rows and of documents at most `most` each."""
    told = [claim for claim in claims(material, seed, most) if len(claim.notes) > 1]
    judges = judges_of(told, seed)
    found = {f"asked, {mode}": await asked(rows[:most], mode, on_each) for mode in MODES}
    for manner in MANNERS:
        found[f"written, cited {manner}"] = await written(told, manner, seed, on_each)
    return found, judges
