"""Writes the measured figures as Markdown."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from training.build.reading import SQUAD2_TEST
from training.limits import grounding_limits, limits, robustness_limits

Result = dict[str, Any]


def report(found: Result) -> str:
    """Return the page for docs/results from the figures of `evaluate`."""
    parts = [
        "## The shipped cross-encoder\n",
        f'Weights `{found["weights"]}`; "supported" from {found["threshold"]:.2f} on, frozen on held-back rows of the '
        "training sets. Intervals are 95 % bootstrap. Regenerate: `python -m training evaluate`, then `report`.\n",
        *_grounding(found["grounding"]),
        *_guarded(found["grounding"]),
        *_answerability(found),
        *(_relevance(found["relevance"]) if "relevance" in found else ["\nRelevance was not measured in this run."]),
        *_robustness(found["robustness"]),
        *_speed(found["speed"]),
        *_runtimes(found.get("runtimes", {"not_run": "not measured in this run"})),
    ]
    return "\n".join(parts) + "\n"


def model_card(found: Result, weights: Path) -> str:
    """Return the model card: the written part with the facts of the run in `weights`, then the figures."""
    run = json.loads((weights / "run.json").read_text(encoding="utf-8"))
    card = Path(__file__).with_name("model_card.md").read_text(encoding="utf-8")
    return card.format(
        sha256=hashlib.sha256((weights / "cross_encoder.safetensors").read_bytes()).hexdigest(),
        minutes=run["minutes"],
        pairs=run["pairs"],
        articles=", ".join(sorted(SQUAD2_TEST)),
        limits=_listed(limits(found)),
        figures=report(found).split("\n", 2)[2],
    )


MEASURES = ("auroc", "balanced_accuracy", "ece", "cosine_auroc", "overlap_auroc")
CALLED = ("true_supported", "false_supported")
MACROS = {
    "rows not trained on": "some corpora were, see above",
    "strictly unseen": "no claim of their corpora was trained on",
    "all sets": "",
}


def _grounding(found: Result) -> Iterable[str]:
    yield "### Grounding: does the evidence support the claim?\n"
    yield from _head("set", "rows", "trained on?", "AUROC", "balanced accuracy", "ECE", "cosine AUROC", "overlap AUROC")
    for row in found["sets"]:
        yield _line(row["set"], row["auroc"]["rows"], row["seen"], *(_shown(row[key]) for key in MEASURES))
    for name, which in MACROS.items():
        row = found["macros"].get(name)
        if row:
            shown = (_shown(row[key]) for key in MEASURES)
            yield _line(f"**macro, {name}** ({len(row['sets'])} sets)", row["auroc"]["rows"], which, *shown)
    yield (
        "\nEvery set counts alike in a macro; its interval resamples the rows within each set. Resamples have higher "
        "ECE than the rows themselves, so a macro's ECE may lie below its interval.\n"
    )
    yield _listed(grounding_limits(found))
    yield "\nLecture claims by kind of error (AUROC against the supported ones):\n"
    yield from _head("kind", "errors", "AUROC", "with the guards")
    for kind, value in found["sets"][0]["by_kind"].items():
        yield _line(kind, value["errors"], _shown(value), _shown(value["guarded"]))


def _guarded(found: Result) -> Iterable[str]:
    yield "\n### What `manage.py verify` answers: the model, and guards that may contradict it\n"
    yield (
        "Each kind of objection (a number that the evidence lacks, a negation put in, words in no order) halves the "
        "support, which leaves it below the bar. Supported: the share of the true and of the false claims at or above "
        "the bar, by the model alone → with the guards.\n"
    )
    yield from _head("set", "AUROC", "balanced accuracy", "ECE", "true ones supported", "false ones supported")
    macros = {f"**macro, {name}**": found["macros"][name] for name in MACROS if name in found["macros"]}
    for name, row in {**{row["set"]: row for row in found["sets"]}, **macros}.items():
        shown = (_shown(row[f"guarded_{key}"]) for key in MEASURES[:3])
        called = (f"{row[key]['value']:.3f} → {_shown(row[f'guarded_{key}'])}" for key in CALLED)
        yield _line(name, *shown, *called)


def _answerability(found: Result) -> Iterable[str]:
    asked = found["answerability"]
    yield "\n### Answerability: does this passage answer this question?\n"
    yield "SQuAD 2, eight articles kept from training; the last row is the golden near-miss pairs.\n"
    yield from _head("measure", "value", "rows")
    names = {
        "auroc": "AUROC of the abstain score",
        "ece": "ECE of the abstain score",
        "unanswerable_answered_at_0.70": "unanswerable answered at 0.70 coverage",
    }
    for key, name in names.items():
        yield _line(name, _shown(asked[key]), asked[key]["rows"])
    twins = found["twins"]["auroc"]
    yield _line("AUROC, golden question against its false twin", _shown(twins), twins["rows"])
    shipped, whole = asked["answers"]
    yield f"\nAnswers, given from an answerability of {shipped} on, as shipped, and of {whole}, the whole fitted bar:\n"
    yield from _head("measure", f"from {shipped} on", f"from {whole} on", "rows")
    names = {
        "exact": "exact match",
        "f1": "F1",
        "has_answer_exact": "exact match, answerable",
        "has_answer_f1": "F1, answerable",
        "no_answer_accuracy": "abstained, unanswerable",
    }
    for key, name in names.items():
        values = [row[key] for row in asked["answers"].values()]
        yield _line(name, *map(_shown, values), values[0]["rows"])


def _relevance(sets: Result) -> Iterable[str]:
    yield "\n### Relevance: the first stage's order against the reranked one\n"
    yield "First stage: embedder cosine + tf-idf. Both: the mean of the two standardised scores.\n"
    yield from _head("set", "rows", "measure", "first stage", "reranked", "both")
    for name, orders in sets.items():
        for measure in ("ndcg@10", "mrr"):
            shown = (_shown(orders[order][measure]) for order in ("first stage", "reranked", "both"))
            yield _line(name, orders["reranked"][measure]["rows"], measure, *shown)
    together = "Both together, as the product orders,"
    for order, is_what, other, than in (
        ("reranked", "The reranked order alone", "first stage", "the first stage"),
        ("both", together, "first stage", "the first stage"),
        ("both", together, "reranked", "the reranked order alone"),
    ):
        worse = [name for name, orders in sets.items() if _ndcg(orders, order) < _ndcg(orders, other)]
        yield f"\n{is_what} is below {than} on {', '.join(worse) or 'no set'} (nDCG@10)."


def _ndcg(orders: Result, order: str) -> float:
    return float(orders[order]["ndcg@10"]["value"])


def _robustness(found: Result) -> Iterable[str]:
    yield "\n### Robustness: support of true claims after a change\n"
    yield (
        'Lectures, WiCE and FoolMeTwice; "no diacritics": lecture sentences against their own paragraphs. '
        "The tokenizer folds case and diacritics, so those two cannot move support. Support fell: by however little. "
        "No longer supported: of those above the bar before, in brackets how many.\n"
    )
    yield from _head("change", "rows", "mean move", "moved by 0.1 at most", "support fell", "no longer supported")
    for name, row in found.items():
        yield _line(name, row["rows"], _shown(row["mean_move"], "+.3f"), *_moves(row))
    yield "\nThe same of what `manage.py verify` answers:\n"
    yield from _head("change", "moved by 0.1 at most", "support fell", "no longer supported")
    for name, row in found.items():
        yield _line(name, *_moves(row["guarded"]))
    yield "\n" + _listed(robustness_limits(found))


def _moves(row: Result) -> Iterable[str]:
    yield _shown(row["within_0.1"])
    yield _shown(row["lost"])
    lost = row["no_longer_supported"]
    yield f"{_shown(lost)} [{lost['rows']}]"


def _speed(found: Result) -> Iterable[str]:
    yield f"\n### Speed on two cores, load average {found['load']:.1f} before\n"
    yield f"Medians and percentiles of {found['runs']} runs over texts that never come twice.\n"
    yield from _head("what", "value")
    for tokens in (64, 128, 256):
        yield _line(f"pairs a second at {tokens} tokens", found[f"pairs_a_second_{tokens}"])
    for key, name in {
        "read_60x200_ms": "60 passages of 200 tokens",
        "verify_6x150_ms": "six claims of 150 tokens",
    }.items():
        yield _line(f"{name}, p50 / p95", f"{found[key]['p50']} / {found[key]['p95']} ms")
    start = found["start"]
    yield _line(f"a fresh process's imports, median of {start['runs']}", f"{start['imports_s']:.2f} s")
    yield _line("from then to its first verdict, weights loaded (goal 2 s)", f"{start['first_verdict_s']:.2f} s")


def _runtimes(found: Result) -> Iterable[str]:
    yield "\n### What runs the weights: bfloat16 in torch, chosen by this table\n"
    if "not_run" in found:
        yield found["not_run"]
        return
    yield (
        "Measured on a processor that computes in bfloat16; where one only emulates it, float32 runs. "
        "Difference: of support, 0..1, from float32 on golden claims.\n"
    )
    yield from _head("runtime", "pairs/s at 64", "at 128", "at 256", "mean difference", "largest")
    for name, row in found.items():
        speeds = (row[f"pairs_a_second_{tokens}"] for tokens in (64, 128, 256))
        yield _line(name, *speeds, row["mean_difference"], row["largest_difference"])


def _listed(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _shown(value: Result, as_: str = ".3f") -> str:
    if not value["rows"]:
        return "no rows"
    return f"{value['value']:{as_}} ({value['low']:.2f}–{value['high']:.2f})"


def _head(*names: str) -> Iterable[str]:
    yield _line(*names)
    yield _line(*("---" for _ in names))


def _line(*cells: Any) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
