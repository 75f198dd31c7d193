"""Measures how support of true claims moves under changes that keep their meaning, and under ones that destroy it."""

import random
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from chat.answering.guarded_verifier import guard_judgements
from lectorium.providers.protocols import Judgement, Verifier
from training.evaluation.measures import average
from training.evaluation.testsets import ClaimRow
from training.lexicon import Lexicon
from training.perturb import swap_name

Result = dict[str, Any]
Changed = list[tuple[ClaimRow, str]]  # a true claim and its changed text


def robustness(model: Verifier, claims: Sequence[ClaimRow], marked: Sequence[ClaimRow]) -> Result:
    """A row for each change. claims: supported ones. marked: claims with diacritics, for the change that drops them."""
    words = Lexicon([row.evidence for row in claims])
    rng = random.Random(7)
    swapped = [(row, swap_name(row.claim, row.evidence, words, rng)) for row in claims]
    changes: dict[str, Changed] = {
        "lower case": [(row, row.claim.lower()) for row in claims],
        "no punctuation": [(row, "".join(c for c in row.claim if c.isalnum() or c.isspace())) for row in claims],
        "no diacritics": [(row, folded(row.claim)) for row in marked],
        "words reversed": [(row, " ".join(reversed(row.claim.split()))) for row in claims],
        "one entity swapped": [(row, change.text) for row, change in swapped if change],
    }
    return {name: moves(model, changed) for name, changed in changes.items()}


def moves(model: Verifier, changed: Changed) -> Result:
    """Moves of support over the claims whose text changed.

    lost: share whose support fell at all. no_longer_supported: share of those supported before, 0..1. guarded: the same
    measures for `manage.py verify`, where guards may contradict the model.
    """
    changed = [(row, text) for row, text in changed if text != row.claim]
    asked = [(row.evidence, row.claim) for row, _ in changed], [(row.evidence, text) for row, text in changed]
    before, after = map(model.verify, asked)
    with_guards = _moved(
        *(guard_judgements(pairs, judged) for pairs, judged in zip(asked, (before, after), strict=True))
    )
    return {"rows": len(changed), **_moved(before, after), "guarded": with_guards}


def _moved(before: Sequence[Judgement], after: Sequence[Judgement]) -> Result:
    pairs = list(zip(before, after, strict=True))
    moved = [now.support - was.support for was, now in pairs]
    return {
        "mean_move": asdict(average(moved)),
        "within_0.1": asdict(average([float(abs(move) <= 0.1) for move in moved])),
        "lost": asdict(average([float(move < 0) for move in moved])),
        "no_longer_supported": asdict(average([float(not _holds(now)) for was, now in pairs if _holds(was)])),
    }


def folded(text: str) -> str:
    """The text without diacritics."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _holds(judgement: Judgement) -> bool:
    return judgement.label == "supported"
