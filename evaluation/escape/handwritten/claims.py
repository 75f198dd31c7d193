"""Reads the hand-written claims with their passages."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from lectorium.management.json_lines import placed_objects

FOLDER = Path(__file__).parent
DEV, UNSEEN = "dev", "unseen"
HALVES = (DEV, UNSEEN)
LABELS = ("supported", "contradicted", "not_mentioned")
SOURCES = ("lecture", "encyclopedia", "verses")
CLAIM_FIELDS = {"passage": str, "label": str, "kind": str, "claim": str}
PASSAGE_FIELDS = {"passage": str, "source": str, "text": str}
DIGEST_CHARS = 12


@dataclass(frozen=True, slots=True)
class HandwrittenClaim:
    """A claim about a passage. label: one of LABELS. kind: of paraphrase or falsehood. source: one of SOURCES."""

    text: str
    label: str
    kind: str
    passage: str
    evidence: str
    source: str

    @property
    def is_false(self) -> bool:
        return self.label != "supported"


@dataclass(frozen=True, slots=True)
class HandwrittenSet:
    """One half of the claims. digest: of its file, recorded with every result."""

    name: str
    digest: str
    claims: tuple[HandwrittenClaim, ...]


def read_half(name: str, folder: Path | None = None) -> HandwrittenSet:
    """Read one half. Raises CommandError with file and line if a file is missing or a row is malformed."""
    folder = folder or FOLDER
    path = folder / f"{name}.jsonl"
    passages = _passages(folder / "passages.jsonl")
    claims = tuple(_claim(where, row, passages) for where, row in placed_objects(path, CLAIM_FIELDS))
    if not {claim.is_false for claim in claims} == {True, False}:
        raise CommandError(f"{path} must contain both true and false claims; restore it from the repository.")
    return HandwrittenSet(name, hashlib.sha256(path.read_bytes()).hexdigest()[:DIGEST_CHARS], claims)


def _passages(path: Path) -> dict[str, dict[str, Any]]:
    rows = placed_objects(path, PASSAGE_FIELDS)
    for where, row in rows:
        _check_word(where, "source", row["source"], SOURCES)
    return {row["passage"]: row for _, row in rows}


def _claim(where: str, row: dict[str, Any], passages: dict[str, dict[str, Any]]) -> HandwrittenClaim:
    _check_word(where, "label", row["label"], LABELS)
    if row["passage"] not in passages:
        raise CommandError(f"{where}: passages.jsonl has no passage {row['passage']!r}.")
    if not row["claim"].strip() or not row["kind"].strip():
        raise CommandError(f"{where}: 'claim' and 'kind' must not be empty.")
    passage = passages[row["passage"]]
    return HandwrittenClaim(
        row["claim"].strip(), row["label"], row["kind"], row["passage"], passage["text"], passage["source"]
    )


def _check_word(where: str, field: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise CommandError(f"{where}: {field!r} must be one of {', '.join(known)}, not {word!r}.")
