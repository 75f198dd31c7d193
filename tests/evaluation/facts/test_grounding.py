import json

import pytest

from evaluation.facts.grounding import ground_candidates, grounding_part, read_candidates

PARAGRAPH = "The Gita has eighteen chapters. It is a part of the Mahabharata, and Arjuna hears it from Krishna."
ROWS = [
    ("The Gita has eighteen chapters.", "supported", "quantity"),
    ("The Gita is a part of the Mahabharata.", "supported", "relation"),
    ("Arjuna hears the Gita from Krishna.", "supported", "relation"),
    ("The Gita has twenty chapters.", "planted", "quantity"),
    ("The Gita has no eighteen chapters.", "planted", "negation"),
    ("The Gita was printed by Google.", "planted", "entity"),
    ("The Gita has 95 chapters.", "planted", "quantity"),
    ("Bhima hears the Gita from Krishna.", "planted", "entity"),
    ("The Gita always has eighteen chapters.", "planted", "generalisation"),
    ("The Gita has 18 chapters and 700 verses.", "planted", "quantity"),
]


@pytest.fixture
def candidates(tmp_path):
    path = tmp_path / "candidates.jsonl"
    halves = "1111111111" + "22"  # judged, fitted
    every = zip(halves, [*ROWS, ROWS[0], ROWS[-1]], strict=True)
    rows = [
        {"passage": half, "evidence": PARAGRAPH, "claim": claim, "label": label, "kind": kind}
        for half, (claim, label, kind) in every
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.mark.django_db
def test_candidates_are_grounded_and_reported_by_kind(candidates):
    found = list(ground_candidates(read_candidates(candidates), lambda number: None))
    assert [row.row.claim for row in found if row.is_planted and row.kept and row.verdict == "supported"] == []
    assert all(row.kept for row in found if not row.is_planted)
    page = "\n".join(grounding_part(found, "overlap", "candidates.jsonl"))
    assert "| entity | planted | 2 |" in page
    assert "| false keeps: planted facts stored as they are | ≤ 0.05 | 0/7 " in page
    assert "| false drops: true facts not stored | ≤ 0.10 | 0/1 " in page


def test_a_line_that_is_no_candidate_is_named(tmp_path):
    path = tmp_path / "wrong.jsonl"
    for text, said in (
        ("prose", "line 1"),
        ('{"passage": "", "evidence": "", "claim": "", "label": "true", "kind": ""}', "label"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=said):
            read_candidates(path)
