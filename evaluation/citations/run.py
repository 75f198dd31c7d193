"""Fits the judges, then judges answers to golden questions and written paraphrases."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.citations.answers import (
    MANNERS,
    MODES,
    JudgedAnswers,
    ParaphraseClaim,
    Progress,
    ask_golden,
    paraphrase_claims,
    write_claims,
)
from evaluation.citations.judges import CitationPair, Judge, by_meaning, by_words, fitted
from evaluation.escape.material import Material
from lectorium.providers.registry import embedder


def judges_of(claims: Sequence[ParaphraseClaim], seed: int) -> list[Judge]:
    """Judges fitted on the claims with their source (right) and with another of their notes (wrong)."""
    chance = random.Random(seed)
    right = [CitationPair(claim.source.text, claim.text) for claim in claims]
    wrong = [
        CitationPair(chance.choice([note for note in claim.notes if note is not claim.source]).text, claim.text)
        for claim in claims
    ]
    return [fitted("words", by_words, right, wrong), fitted("meaning", by_meaning(embedder()), right, wrong)]


async def run(
    rows: Sequence[Mapping[str, Any]], material: Material, most: int, seed: int, on_each: Progress
) -> tuple[dict[str, JudgedAnswers], list[Judge]]:
    """The answers by name, and the judges. most: of rows, and of documents."""
    claims = [claim for claim in paraphrase_claims(material, seed, most) if len(claim.notes) > 1]
    judges = judges_of(claims, seed)
    answers = {f"asked, {mode}": await ask_golden(rows[:most], mode, on_each) for mode in MODES}
    for manner in MANNERS:
        answers[f"written, cited {manner}"] = await write_claims(claims, manner, seed, on_each)
    return answers, judges
