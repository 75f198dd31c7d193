import json

import pytest

from evaluation.escape.handwritten import claims

FERRY = "The ferry at Lorne was built by Hugh Ballard in 1881. Ballard did not sell his share of the ferry."
LAMP = "The mind is like a lamp in a room without wind. Patience is the beginning of every craft."
PASSAGES = [
    {"passage": "a", "source": "lecture", "text": LAMP},
    {"passage": "b", "source": "encyclopedia", "text": FERRY},
]
ROWS = [
    {"passage": "b", "label": "supported", "kind": "close", "claim": "The ferry at Lorne was built in 1881."},
    {"passage": "a", "label": "supported", "kind": "paraphrase", "claim": "Whoever learns must first wait."},
    {"passage": "b", "label": "contradicted", "kind": "quantity", "claim": "The ferry at Lorne was built in 1882."},
    {"passage": "b", "label": "not_mentioned", "kind": "added_detail", "claim": "Somebody painted it red."},
]


def write_set(folder, rows=ROWS, passages=PASSAGES):
    for name, listed in (("dev", rows), ("unseen", rows), ("passages", passages)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in listed), encoding="utf-8")


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Replace the real claims by a set of four; both halves are the same."""
    write_set(tmp_path)
    monkeypatch.setattr(claims, "FOLDER", tmp_path)
    return tmp_path
