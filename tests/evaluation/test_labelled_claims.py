from evaluation.labelled_claims import LabelledVerdict, claims_report, run_claims, table

EVIDENCE = "Raja-Yoga is divided into eight steps. The first is Yama."
ROWS = [
    {"address": "talk:1", "evidence": EVIDENCE, "claim": claim, "label": label, "error_type": error}
    for claim, label, error in (
        ("Raja-Yoga is divided into eight steps.", "supported", "none"),
        ("Raja-Yoga is divided into seven steps", "contradicted", "changed_number"),
        ("Lions sleep in winter.", "unsupported", "added_detail"),
    )
]


async def test_each_claim_comes_to_the_verdict_a_reader_would_see():
    judged = await run_claims(ROWS, lambda: None)
    assert [one.verdict for one in judged] == ["supported", "withheld: contradicted", "withheld: unsupported"]


async def test_the_report_counts_by_label_and_by_kind_of_error():
    judged = await run_claims(ROWS, lambda: None)
    counts = table(judged)
    assert list(counts) == [
        "supported",
        "contradicted",
        "contradicted: changed_number",
        "unsupported",
        "unsupported: added_detail",
    ]
    assert sum(counts["contradicted"].values()) == 1
    text = claims_report(judged, "overlap")
    assert "| – changed number | 0 | 0 | 0 | 0 | 1 |" in text
    assert "False ones shown at all: 0/2" in text
    assert "What limits it: no false claims shown; no true claims withheld." in text
    escaped = [*judged, LabelledVerdict("contradicted", "changed_number", "partial")]
    assert "of the 1 false claims shown, most are of “changed number”: 1/1" in claims_report(escaped, "overlap")
