"""Writes the measured figures as Markdown."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lectorium.report_table import table
from training.big_reader_report import ABSTAINING, CALLED, MACROS, big_reader_lines
from training.big_reader_report import estimate_text as _estimate
from training.build.reading import SQUAD2_TEST
from training.limits import grounding_limits, limits, robustness_limits

Result = dict[str, Any]


def report(found: Result, big: Result | None = None) -> str:
    """The page docs/results/cross_encoder.md from the figures of `evaluate`; big: those of the big reader."""
    lines = [
        "## The shipped cross-encoder",
        "",
        f'Weights `{found["weights"]}`; "supported" from {found["threshold"]:.2f} on, fitted on held-back rows of the '
        "training sets. Intervals are 95 % bootstrap. Regenerate: `python -m training evaluate`, then `report`.",
        "",
        *_grounding(found["grounding"]),
        *_guarded(found["grounding"]),
        *_answerability(found),
        *(big_reader_lines(found, big) if big else ()),
        *(_relevance(found["relevance"]) if "relevance" in found else ["Relevance was not measured in this run.", ""]),
        *_robustness(found["robustness"]),
        *_speed(found["speed"]),
        *_runtimes(found.get("runtimes", {"not_run": "not measured in this run"})),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def model_card(found: Result, weights: Path) -> str:
    """The model card: model_card.md with the facts of the run in `weights`, then the figures."""
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
Rows = Iterator[tuple[object, ...]]


def _grounding(found: Result) -> Iterator[str]:
    columns = (
        "set", "rows", "trained on?", "AUROC", "balanced accuracy", "ECE", "cosine AUROC", "overlap AUROC",
    )  # fmt: skip
    yield from ("### Grounding: does the evidence support the claim?", "")
    yield from table(columns, _grounding_rows(found))
    yield (
        "Every set has the same weight in a macro; its interval resamples the rows within each set. Resamples have a "
        "higher ECE than the rows themselves, so a macro's ECE may lie below its interval."
    )
    yield from ("", _listed(grounding_limits(found)), "")
    yield from ("Lecture claims by kind of error (AUROC against the supported ones):", "")
    kinds = found["sets"][0]["by_kind"].items()
    rows = ((kind, row["errors"], _estimate(row), _estimate(row["guarded"])) for kind, row in kinds)
    yield from table(("kind", "errors", "AUROC", "with the guards"), rows)


def _grounding_rows(found: Result) -> Rows:
    for row in found["sets"]:
        yield row["set"], row["auroc"]["rows"], row["seen"], *(_estimate(row[key]) for key in MEASURES)
    for name, seen in MACROS.items():
        if row := found["macros"].get(name):
            title = f"**macro, {name}** ({len(row['sets'])} sets)"
            yield title, row["auroc"]["rows"], seen, *(_estimate(row[key]) for key in MEASURES)


def _guarded(found: Result) -> Iterator[str]:
    yield from ("### What `manage.py verify` answers: the model with the guards", "")
    yield (
        "Each kind of objection (a number missing from the evidence, an added negation, words without order) halves "
        "the support, which puts it below the threshold. Supported: the share of true and of false claims at or above "
        "the threshold, by the model alone → with the guards."
    )
    yield ""
    columns = ("set", "AUROC", "balanced accuracy", "ECE", "true claims supported", "false claims supported")
    macros = {f"**macro, {name}**": found["macros"][name] for name in MACROS if name in found["macros"]}
    yield from table(
        columns,
        (
            (
                name,
                *(_estimate(row[f"guarded_{key}"]) for key in MEASURES[:3]),
                *(f"{row[key]['value']:.3f} → {_estimate(row[f'guarded_{key}'])}" for key in CALLED),
            )
            for name, row in {**{row["set"]: row for row in found["sets"]}, **macros}.items()
        ),
    )


def _answerability(found: Result) -> Iterator[str]:
    asked, twins = found["answerability"], found["twins"]["auroc"]
    yield from ("### Answerability: does this passage answer this question?", "")
    yield from ("SQuAD 2, eight held-back articles; the last row is the golden near-miss pairs.", "")
    rows = [(name, _estimate(asked[key]), asked[key]["rows"]) for key, name in ABSTAINING.items() if key in asked]
    rows.append(("AUROC, golden question against its false twin", _estimate(twins), twins["rows"]))
    yield from table(("measure", "value", "rows"), rows)
    shipped, full = asked["answers"]
    yield f"Answers from an answerability of {shipped} on, as shipped, and from {full}, the full fitted threshold:"
    yield ""
    names = {
        "exact": "exact match",
        "f1": "F1",
        "has_answer_exact": "exact match, answerable",
        "has_answer_f1": "F1, answerable",
        "no_answer_accuracy": "abstained, unanswerable",
    }
    yield from table(
        ("measure", f"from {shipped} on", f"from {full} on", "rows"),
        (
            (name, *(_estimate(row[key]) for row in asked["answers"].values()), asked["answers"][shipped][key]["rows"])
            for key, name in names.items()
        ),
    )


def _relevance(sets: Result) -> Iterator[str]:
    orders = ("first stage", "reranked", "both")
    yield from ("### Relevance: first-stage order against reranked order", "")
    yield from ("First stage: embedder cosine + tf-idf. Both: the mean of the two standardised scores.", "")
    yield from table(
        ("set", "rows", "measure", *orders),
        (
            (name, row["reranked"][measure]["rows"], measure, *(_estimate(row[order][measure]) for order in orders))
            for name, row in sets.items()
            for measure in ("ndcg@10", "mrr")
        ),
    )
    both = "Both together, as the product orders,"
    for order, words, other, other_words in (
        ("reranked", "The reranked order alone", "first stage", "the first stage"),
        ("both", both, "first stage", "the first stage"),
        ("both", both, "reranked", "the reranked order alone"),
    ):
        worse = [name for name, row in sets.items() if _ndcg(row, order) < _ndcg(row, other)]
        yield from (f"{words} is below {other_words} on {', '.join(worse) or 'no set'} (nDCG@10).", "")


def _ndcg(orders: Result, order: str) -> float:
    return float(orders[order]["ndcg@10"]["value"])


def _robustness(found: Result) -> Iterator[str]:
    columns = ("change", "rows", "mean move", "moved by 0.1 at most", "support fell", "no longer supported")
    yield from ("### Robustness: support of true claims after a change", "")
    yield (
        'Lectures, WiCE and FoolMeTwice; "no diacritics": lecture sentences with their own paragraphs. The tokenizer '
        "folds case and diacritics, so those two changes cannot move support. Support fell: by any amount. No longer "
        "supported: of the claims above the threshold before, whose number is in brackets."
    )
    yield ""
    rows = ((name, row["rows"], _estimate(row["mean_move"], "+.3f"), *_moves(row)) for name, row in found.items())
    yield from table(columns, rows)
    yield from ("The same for `manage.py verify`:", "")
    yield from table((columns[0], *columns[3:]), ((name, *_moves(row["guarded"])) for name, row in found.items()))
    yield from (_listed(robustness_limits(found)), "")


def _moves(row: Result) -> Iterator[str]:
    lost = row["no_longer_supported"]
    yield from (_estimate(row["within_0.1"]), _estimate(row["lost"]), f"{_estimate(lost)} [{lost['rows']}]")


def _speed(found: Result) -> Iterator[str]:
    yield from (f"### Speed on two cores, load average {found['load']:.1f} before", "")
    yield from (f"Medians and percentiles of {found['runs']} runs over distinct texts.", "")
    timed = {"read_60x200_ms": "60 passages of 200 tokens", "verify_6x150_ms": "six claims of 150 tokens"}
    start = found["start"]
    yield from table(
        ("what", "value"),
        [
            *((f"pairs a second at {tokens} tokens", found[f"pairs_a_second_{tokens}"]) for tokens in (64, 128, 256)),
            *((f"{name}, p50 / p95", f"{found[key]['p50']} / {found[key]['p95']} ms") for key, name in timed.items()),
            (f"imports in a new process, median of {start['runs']}", f"{start['imports_s']:.2f} s"),
            ("first verdict after that, with loading weights (goal 2 s)", f"{start['first_verdict_s']:.2f} s"),
        ],
    )


def _runtimes(found: Result) -> Iterator[str]:
    yield from ("### Runtimes: bfloat16 in torch was chosen by this table", "")
    if "not_run" in found:
        yield found["not_run"]
        return
    yield (
        "Measured on a processor that computes in bfloat16; where one only emulates it, float32 is used. Difference: "
        "of support, 0..1, from float32 on golden claims."
    )
    yield ""
    lengths = (64, 128, 256)
    yield from table(
        ("runtime", *(f"pairs/s at {tokens}" for tokens in lengths), "mean difference", "largest"),
        (
            (
                name,
                *(row[f"pairs_a_second_{tokens}"] for tokens in lengths),
                row["mean_difference"],
                row["largest_difference"],
            )
            for name, row in found.items()
        ),
    )


def _listed(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences)
