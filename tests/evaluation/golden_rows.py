"""Golden rows about the tests' lecture and verses, in the layout of golden/dev.jsonl."""

import json

IBLIS = {
    "id": "a1", "section": "A", "kind": "name", "question": "Who refused to bow to the newly made man?", "history": [],
    "gold": ["first-steps:1"], "gold_alternatives": [],
}  # fmt: skip
FRUITS = {**IBLIS, "id": "a2", "kind": "single", "question": "Whose fruits are never yours?", "gold": ["BG 2.47"]}
NAMED = {**IBLIS, "id": "a3", "kind": "address", "question": "What does BG 2.48 say?", "gold": ["BG 2.48"]}
PENICILLIN = {"id": "b1", "section": "B", "category": "out_of_database", "question": "Who discovered penicillin?"}
VAGUE = {"id": "b2", "section": "B", "category": "underspecified", "question": "Why?"}
TREE = {**IBLIS, "id": "c1", "section": "C", "pair": "p1", "answerable": True, "gold": ["first-steps:2"],
        "question": "How long does the banyan tree sometimes live?"}  # fmt: skip
TWIN = {"id": "c2", "section": "C", "pair": "p1", "answerable": False,
        "question": "How long does the almond tree sometimes live?"}  # fmt: skip
ROWS = (IBLIS, FRUITS, NAMED, PENICILLIN, VAGUE, TREE, TWIN)


def write_golden(data, rows=ROWS):
    """Write golden/dev.jsonl under the data folder and return that folder."""
    (data / "golden").mkdir(parents=True)
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (data / "golden" / "dev.jsonl").write_text(lines, encoding="utf-8")
    return data
