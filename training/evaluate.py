"""Measures a weights folder on the test sets: grounding, relevance, answerability, robustness and speed."""

import os
import random
import sys
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from lectorium.providers.cross_encoder import CrossEncoder
from training.build.reading import SQUAD2_TEST
from training.evaluate_claims import grounding
from training.evaluate_ranking import relevance
from training.measures import answer_words, answered_at_coverage, auroc, estimate, mean, word_f1
from training.perturb import swap_name
from training.rows import read_json_lines
from training.testsets import ClaimSet, claim_sets, lecture_questions, squad_questions

Result = dict[str, Any]


def evaluate(data: Path, folder: Path, *, rows: int, only: Sequence[str] | None = None) -> Result:
    """Return every figure (or those of the parts in `only`) as plain numbers; `rows` bounds each test set."""
    model = CrossEncoder(folder)
    parts: dict[str, Callable[[], Any]] = {
        "grounding": lambda: grounding(model, claim_sets(data, rows=rows)),
        "answerability": lambda: answerability(model, data, rows=2 * rows),
        "twins": lambda: twins(model, data),
        "relevance": lambda: relevance(model, data, count=rows // 4),
        "robustness": lambda: robustness(model, claim_sets(data, rows=60)),
        "speed": lambda: speed(model),
        "runtimes": lambda: runtimes(folder, data),
    }
    result: Result = {"weights": model.calibration.version, "threshold": model.calibration.supported}
    for name in only or parts:
        measure = parts[name]
        started = time.monotonic()
        result[name] = measure()
        sys.stderr.write(f"{name}: {time.monotonic() - started:.0f} s\n")
    return result


def runtimes(folder: Path, data: Path) -> Result:
    """Compare runtimes on golden claims; {"not_run": why} where ONNX Runtime is not installed."""
    from training.runtimes import batches_of, compare

    try:
        return compare(folder, batches_of(folder, claim_sets(data, rows=96)[0].rows))
    except ImportError as error:
        return {"not_run": f"{error.name} is not installed: pip install onnx onnxruntime onnxscript"}


def answerability(model: CrossEncoder, data: Path, *, rows: int) -> Result:
    """SQuAD 2, articles kept from training: the abstain score and the answers."""
    passages, questions = squad_questions(data, SQUAD2_TEST)
    questions = random.Random(7).sample(questions, min(rows, len(questions)))
    truth, scores, exact, overlap = [], [], [], []
    for row in questions:
        passage = passages[row["passage_id"]]
        reading = model.read(row["question"], [passage])[0]
        truth.append(float(not row["is_impossible"]))
        scores.append(reading.answerability)
        found = passage[slice(*reading.span)] if reading.span else ""
        golds = row["answers"] or [""]
        exact.append(float(max(answer_words(found) == answer_words(gold) for gold in golds)))
        overlap.append(max(word_f1(found, gold) for gold in golds))
    has = [i for i, value in enumerate(truth) if value]
    none = [i for i, value in enumerate(truth) if not value]
    return {
        "auroc": asdict(estimate(auroc, truth, scores)),
        "unanswerable_answered_at_0.70": asdict(
            estimate(lambda t, s: answered_at_coverage(t, s, 0.70), truth, scores, rounds=200)
        ),
        "exact": _average(exact),
        "f1": _average(overlap),
        "has_answer_exact": _average([exact[i] for i in has]),
        "has_answer_f1": _average([overlap[i] for i in has]),
        "no_answer_accuracy": _average([exact[i] for i in none]),
    }


def _average(values: Sequence[float]) -> Result:
    return asdict(estimate(mean, [0.0] * len(values), values, rounds=200))


def twins(model: CrossEncoder, data: Path) -> Result:
    """Golden near-miss pairs: the answerable question against its false twin, over the same gold paragraphs."""
    passages, _ = lecture_questions(data)
    rows = [row for row in read_json_lines(data / "golden/dev.jsonl") if row.get("pair")]
    gold = {row["pair"]: row["gold"] for row in rows if row.get("gold")}
    truth, scores = [], []
    for row in rows:
        texts = [passages[address] for address in gold.get(row["pair"], []) if address in passages]
        if texts:
            truth.append(float(row["answerable"]))
            scores.append(max(reading.answerability for reading in model.read(row["question"], texts)))
    return {"auroc": asdict(estimate(auroc, truth, scores))}


def robustness(model: CrossEncoder, sets: Sequence[ClaimSet]) -> Result:
    """How far support moves where the meaning stays, and where it is destroyed, over supported claims."""
    from training.lexicon import Lexicon

    rows = [row for test in sets[:3] for row in test.rows if row.supported]
    words = Lexicon([row.evidence for row in rows])
    rng = random.Random(7)
    swapped = [swap_name(row.claim, row.evidence, words, rng) for row in rows]
    changed = {
        "lower case": [row.claim.lower() for row in rows],
        "no punctuation": ["".join(c for c in row.claim if c.isalnum() or c.isspace()) for row in rows],
        "no diacritics": [_folded(row.claim) for row in rows],
        "words reversed": [" ".join(reversed(row.claim.split())) for row in rows],
        "one entity swapped": [change.text if change else row.claim for change, row in zip(swapped, rows, strict=True)],
    }
    before = [judgement.support for judgement in model.verify([(row.evidence, row.claim) for row in rows])]
    found: Result = {}
    for name, claims in changed.items():
        pairs = [(row.evidence, claim) for row, claim in zip(rows, claims, strict=True)]
        moved = [judgement.support - was for judgement, was in zip(model.verify(pairs), before, strict=True)]
        kept = [m for m, claim, row in zip(moved, claims, rows, strict=True) if claim != row.claim]
        if kept:
            within = float(np.mean(np.abs(kept) <= 0.1))
            lost = float(np.mean(np.array(kept) < 0))
            found[name] = {"rows": len(kept), "mean_move": float(np.mean(kept)), "within_0.1": within, "lost": lost}
    return found


def _folded(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def speed(model: CrossEncoder) -> Result:
    """Pairs a second at three lengths; 95th percentile of 60 × 200 tokens and of six claims × 150 tokens, in ms.

    Beside them the load average before.
    """
    found: Result = {"load": os.getloadavg()[0]}
    for tokens in (64, 128, 256):
        pairs = [("mind " * (tokens - 13), "the mind is one of many")] * 64
        found[f"pairs_a_second_{tokens}"] = round(64 / min(_timed(lambda p=pairs: model.verify(p), 3)), 1)
    question = "what does the speaker say of the mind"
    reading = _timed(lambda: model.read(question, ["mind " * 188] * 60), 8)
    checking = _timed(lambda: model.verify([("mind " * 135, "the mind is one of many")] * 6), 12)
    found["read_60x200_ms"] = _percentiles(reading)
    found["verify_6x150_ms"] = _percentiles(checking)
    return found


def _timed(work: Any, times: int) -> list[float]:
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return taken


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    return {f"p{q}": round(1000 * float(np.quantile(seconds, q / 100)), 1) for q in (50, 95)}
