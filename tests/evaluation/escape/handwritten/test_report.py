import json

from evaluation.escape.handwritten.checking import CheckedHandwritten
from evaluation.escape.handwritten.claims import HandwrittenClaim
from evaluation.escape.handwritten.report import as_json, section, shares


def checked(label, kind, outcome, proof="", source="lecture"):
    return CheckedHandwritten(HandwrittenClaim("It is so.", label, kind, "a", "So it is.", source), outcome, proof)


CHECKED = [
    checked("contradicted", "tense", "supported", "verified"),
    checked("contradicted", "tense", "supported", "checked", "verses"),
    checked("not_mentioned", "order", "partial", "checked"),
    checked("contradicted", "order", "withheld: contradicted"),
    checked("supported", "close", "supported", "quoted"),
    checked("supported", "inference", "withheld: unsupported", source="verses"),
]


def counts(found):
    return {name: (share.hits, share.total) for name, share in found.items()}


def test_shares_match_the_outcomes():
    assert counts(shares(CHECKED)) == {
        "false_verified": (1, 4),
        "false_supported": (2, 4),
        "false_shown": (3, 4),
        "true_withheld": (1, 2),
        "true_verified": (1, 2),
        "true_supported": (1, 2),
    }


def test_halves_are_counted_by_kind_and_source():
    figures = as_json({"dev": CHECKED, "unseen": CHECKED[:1]})
    assert figures["dev"]["false_shown"]["hits"] == 3
    assert figures["dev"]["by_kind"]["order"]["false_shown"]["rate"] == 0.5
    assert figures["dev"]["by_source"]["verses"]["true_withheld"]["hits"] == 1
    assert "true_withheld" not in figures["unseen"]
    assert "true_withheld" not in figures["dev"]["by_kind"]["tense"]
    json.dumps(figures)


def test_the_page_reports_missed_goals_and_the_bar():
    text = "\n".join(section({"dev": CHECKED, "unseen": CHECKED[2:]}, "overlap", passed_bar=False))
    assert "Verifier: overlap, which has not passed the hand-written bar" in text
    assert "| measure | at most | development half | unseen half |" in text
    shown = "1/4 = 25.0 % [4.6, 69.9] – missed | 0/2 = 0.0 % [0.0, 65.8]"
    assert f"| falsehoods shown as verified | 2 % | {shown} |" in text
    assert "#### Unseen half, by kind and by source" in text
    assert "| *verses* | 0/1" in text
    assert "which has passed" in "\n".join(section({"dev": CHECKED}, "overlap", passed_bar=True))
