from dataclasses import replace

from evaluation.escape.handwritten.checking import verdict_counts
from evaluation.labelled_claims import LABELS, claims_report, run_claims

EVIDENCE = "Raja-Yoga is divided into eight steps. The first is Yama."
ROWS = [
    {"address": "talk:1", "evidence": EVIDENCE, "claim": claim, "label": label, "error_type": error}
    for claim, label, error in (
        ("Raja-Yoga is divided into eight steps.", "supported", "none"),
        ("Raja-Yoga is divided into seven steps", "contradicted", "changed_number"),
        ("Lions sleep in winter.", "unsupported", "added_detail"),
    )
]


async def test_claims_get_the_verdict_a_reader_would_see():
    checked = await run_claims(ROWS, lambda: None)
    assert [claim.outcome for claim in checked] == ["supported", "withheld: contradicted", "withheld: unsupported"]


async def test_the_report_counts_verdicts_by_label_and_kind_of_error():
    checked = await run_claims(ROWS, lambda: None)
    counts = verdict_counts(checked, LABELS)
    assert list(counts) == [
        "supported",
        "contradicted",
        "contradicted: changed_number",
        "unsupported",
        "unsupported: added_detail",
    ]
    assert sum(counts["contradicted"].values()) == 1
    text = "\n".join(claims_report(checked, "overlap"))
    assert "| – changed number | 0 | 0 | 0 | 0 | 0 | 1 |" in text
    assert "False claims shown at all: 0/2" in text
    assert "What limits it: no false claims shown; no true claims withheld." in text
    escaped = [*checked, replace(checked[1], outcome="partial")]
    assert "of the 1 false claims shown, most are of “changed number”: 1/1" in "\n".join(
        claims_report(escaped, "overlap")
    )
