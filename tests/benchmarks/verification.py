"""What it costs to check an answer: milliseconds for answers of 1, 3, 6 and 12 claims, by the shipped cross-encoder.

    .venv/bin/python -m tests.benchmarks.verification

writes docs/results/verification.md. Needs the lectures of LECTORIUM_DATA.
"""

from tests.benchmarks import staged  # noqa: F401  # isort: skip  # it sets Django up
import os
import random
import statistics
import time
from uuid import uuid4

from django.conf import settings

from chat.answering.domain.checking import CheckRules
from chat.answering.domain.footnotes import mint
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.stream.tokens import Marker
from chat.answering.stages.verify import Verification
from corpus.domain.passage import Passage
from evaluation.golden_run import read_rows
from evaluation.labelled_claims import CLAIM
from evaluation.results import publish
from lectorium.providers.cross_encoder import CrossEncoder

CLAIMS, ANSWERS, NOTES = (1, 3, 6, 12), 40, 12
GOAL = 150  # milliseconds at p95


def labelled():
    """Return the evidence and the claim of the golden set's labelled claims."""
    rows = read_rows(settings.DATA_DIR / "golden" / "claims_dev.jsonl", CLAIM)
    return [(row["evidence"], row["claim"]) for row in rows]


def passage(text):
    return Passage(uuid4(), uuid4(), "lecture", "talk:1", "", text, "", 0)


def timed(pairs, rng, claims, verifier):
    """Return the milliseconds to check each answer, and its first sentence."""
    whole, first = [], []
    for _ in range(ANSWERS):
        chosen = rng.sample(pairs, NOTES)
        notes = mint(passage(evidence) for evidence, _ in chosen)
        drafts = [
            DraftSentence(claim, "", 0, (Marker("note", alias),))
            for alias, (_, claim) in enumerate(chosen[:claims], start=1)
        ]
        began = time.perf_counter()
        checks = Verification(notes, verifier, CheckRules())
        for place, drafted in enumerate(drafts):
            checks.check(drafted)
            if not place:
                first.append(1000 * (time.perf_counter() - began))
        whole.append(1000 * (time.perf_counter() - began))
    return whole, first


def spread(values):
    ordered = sorted(values)
    return statistics.median(ordered), ordered[round(0.95 * (len(ordered) - 1))]


def main():
    pairs, rng, verifier = labelled(), random.Random(7), CrossEncoder()
    timed(pairs, rng, 1, verifier)
    rows, at_six = [], 0.0
    for claims in CLAIMS:
        whole, first = (spread(values) for values in timed(pairs, rng, claims, verifier))
        at_six = whole[1] if claims == 6 else at_six
        rows.append(f"| {claims} | {whole[0]:.0f} / {whole[1]:.0f} | {first[0]:.0f} / {first[1]:.0f} |")
    held = "met" if at_six <= GOAL else "missed"
    lines = [
        "## What checking costs",
        "",
        f"Milliseconds, p50 / p95, over {ANSWERS} answers each: sentences of one claim, one after the other, each "
        f"against the paragraph it cites among {NOTES} notes, by `{verifier.name}` and every guard; what is not proved "
        f"is looked for in up to {CheckRules().others} other notes. In a turn a sentence is checked while the next is "
        f"written, so a reader waits for one check. Load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores. "
        f"Goal at six claims: p95 ≤ {GOAL} ms — {held}. Read by: `python -m tests.benchmarks.verification`.",
        "",
        "| claims | the whole answer | its first sentence |",
        "|---|---|---|",
        *rows,
    ]
    print(publish("verification", lines))


if __name__ == "__main__":
    main()
