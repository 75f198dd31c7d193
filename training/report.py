"""Writes the measured figures as Markdown."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.build.reading import SQUAD2_TEST
from training.config import TrainingConfig

Result = dict[str, Any]


def report(found: Result) -> str:
    """Return the page for docs/results from the figures of `evaluate`."""
    parts = [
        "## The shipped cross-encoder\n",
        f'Weights `{found["weights"]}`; "supported" from {found["threshold"]:.2f} on, frozen on held-back rows of the '
        "training sets. Intervals are 95 % bootstrap. Regenerate: `python -m training evaluate`, then `report`.\n",
        *_grounding(found["grounding"]),
        *_answerability(found),
        *(_relevance(found["relevance"]) if "relevance" in found else ["\nRelevance was not measured in this run."]),
        *_robustness(found["robustness"]),
        *_speed(found["speed"]),
        *_runtimes(found.get("runtimes", {"not_run": "not measured in this run"})),
    ]
    return "\n".join(parts) + "\n"


def model_card(found: Result, config: TrainingConfig, weights: Path) -> str:
    """Return the model card: the written part with this run's facts, then the figures."""
    progress = torch.load(config.run / "checkpoint.pt", weights_only=True, mmap=True)["progress"]
    card = Path(__file__).with_name("model_card.md").read_text(encoding="utf-8")
    return card.format(
        sha256=hashlib.sha256((weights / "cross_encoder.safetensors").read_bytes()).hexdigest(),
        minutes=progress["seconds"] / 60,
        pairs=config.loop.workers * sum(progress["pairs"].values()),  # the checkpoint counts one worker's
        articles=", ".join(sorted(SQUAD2_TEST)),
        figures=report(found).split("\n", 2)[2],
    )


def _grounding(rows: list[Result]) -> Iterable[str]:
    yield "### Grounding: does the evidence support the claim?\n"
    yield from _head("set", "rows", "trained on?", "AUROC", "balanced accuracy", "ECE", "cosine AUROC", "overlap AUROC")
    for row in rows:
        shown = (_shown(row[key]) for key in ("auroc", "balanced_accuracy", "ece", "cosine_auroc", "overlap_auroc"))
        yield _line(row["set"], row["auroc"]["rows"], row["seen"], *shown)
    for name, kept in {
        "unseen sets": [row for row in rows if row["seen"].startswith("unseen")],
        "all sets": rows,
    }.items():
        means = [_macro(kept, key) for key in ("auroc", "balanced_accuracy", "ece", "cosine_auroc", "overlap_auroc")]
        yield _line(f"**macro, {name}**", "", "", *means)
    yield "\nLecture claims by kind of error (AUROC against the supported ones):\n"
    yield from _head("kind", "AUROC")
    for kind, value in rows[0]["by_kind"].items():
        yield _line(kind, f"{value:.3f}")


def _macro(rows: list[Result], key: str) -> str:
    return f"{np.nanmean([row[key]['value'] for row in rows]):.3f}"


def _answerability(found: Result) -> Iterable[str]:
    yield "\n### Answerability: does this passage answer this question?\n"
    yield "SQuAD 2, eight articles kept from training; the last row is the golden near-miss pairs.\n"
    yield from _head("measure", "value", "rows")
    names = {
        "auroc": "AUROC of the abstain score",
        "unanswerable_answered_at_0.70": "unanswerable answered at 0.70 coverage",
        "exact": "exact match",
        "f1": "F1",
        "has_answer_exact": "exact match, answerable",
        "has_answer_f1": "F1, answerable",
        "no_answer_accuracy": "abstained, unanswerable",
    }
    for key, name in names.items():
        yield _line(name, _shown(found["answerability"][key]), found["answerability"][key]["rows"])
    yield _line(
        "AUROC, golden question against its false twin",
        _shown(found["twins"]["auroc"]),
        found["twins"]["auroc"]["rows"],
    )


def _relevance(sets: Result) -> Iterable[str]:
    yield "\n### Relevance: the first stage's order against the reranked one\n"
    yield "First stage: embedder cosine + tf-idf. Both: the mean of the two standardised scores.\n"
    yield from _head("set", "rows", "measure", "first stage", "reranked", "both")
    for name, orders in sets.items():
        for measure in ("ndcg@10", "mrr"):
            shown = (_shown(orders[order][measure]) for order in ("first stage", "reranked", "both"))
            yield _line(name, orders["reranked"][measure]["rows"], measure, *shown)
    for order, is_what in (("reranked", "The reranked order alone"), ("both", "Both together, as the product orders,")):
        worse = [name for name, orders in sets.items() if _ndcg(orders, order) < _ndcg(orders, "first stage")]
        said = f"is below the first stage on {', '.join(worse)}" if worse else "is below the first stage on no set"
        yield f"\n{is_what} {said} (nDCG@10)."


def _ndcg(orders: Result, order: str) -> float:
    return float(orders[order]["ndcg@10"]["value"])


def _robustness(found: Result) -> Iterable[str]:
    yield "\n### Robustness: support of true claims after a change\n"
    yield from _head("change", "rows", "mean move", "moved by 0.1 at most", "lost support")
    for name, row in found.items():
        yield _line(name, row["rows"], f"{row['mean_move']:+.3f}", f"{row['within_0.1']:.0%}", f"{row['lost']:.0%}")


def _speed(found: Result) -> Iterable[str]:
    yield f"\n### Speed on two cores, load average {found['load']:.1f} before\n"
    yield from _head("what", "value")
    for tokens in (64, 128, 256):
        yield _line(f"pairs a second at {tokens} tokens", found[f"pairs_a_second_{tokens}"])
    for key, name in {
        "read_60x200_ms": "60 passages of 200 tokens",
        "verify_6x150_ms": "six claims of 150 tokens",
    }.items():
        yield _line(f"{name}, p50 / p95", f"{found[key]['p50']} / {found[key]['p95']} ms")


def _runtimes(found: Result) -> Iterable[str]:
    yield "\n### What runs the weights: bfloat16 in torch, chosen by this table\n"
    if "not_run" in found:
        yield found["not_run"]
        return
    yield "Difference: of support, 0..1, from float32 on golden claims.\n"
    yield from _head("runtime", "pairs/s at 64", "at 128", "at 256", "mean difference", "largest")
    for name, row in found.items():
        speeds = (row[f"pairs_a_second_{tokens}"] for tokens in (64, 128, 256))
        yield _line(name, *speeds, row["mean_difference"], row["largest_difference"])


def _shown(value: Result) -> str:
    return f"{value['value']:.3f} ({value['low']:.2f}–{value['high']:.2f})"


def _head(*names: str) -> Iterable[str]:
    yield _line(*names)
    yield _line(*("---" for _ in names))


def _line(*cells: Any) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
