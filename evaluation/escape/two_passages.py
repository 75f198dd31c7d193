"""Claims that cite two passages, of which neither says them: 40 follow from both together and 60 do not.

Written by an author who has read neither the checks nor another set; report only. A reader may see none of the 60.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from audit.domain.metrics import Share
from corpus.domain.passage import Passage
from lectorium.asking import examine
from lectorium.management.json_lines import read_objects
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat
from lectorium.report_table import table

FOLLOWS = "follows"
FIELDS = {"id": str, "passages": list, "claim": str, "label": str, "kind": str}
OUTCOMES = ("supported", "partial", "inferred", "withheld")


@dataclass(frozen=True, slots=True)
class TwoPassageClaim:
    """A claim as a reader would see it. outcome: one of OUTCOMES."""

    id: str
    kind: str
    follows: bool
    outcome: str

    @property
    def is_shown(self) -> bool:
        return self.outcome != "withheld"


def read_claims() -> list[dict[str, Any]]:
    return read_objects(Path(__file__).with_suffix(".jsonl"), FIELDS)


async def check_two_passages(rows: Sequence[Mapping[str, Any]], on_each: Callable[[], object]) -> list[TwoPassageClaim]:
    """Check each claim as a written sentence that cites both passages, by the verifier in use."""
    found = []
    for row in rows:
        author = ScriptedChat(Reply.of(f"{row['claim']} [^1][^2]"))
        examined = await examine("", [_passage(text) for text in row["passages"]], author, None)
        found.append(TwoPassageClaim(row["id"], row["kind"], row["label"] == FOLLOWS, _outcome(examined["sentences"])))
        on_each()
    return found


def shares_of(found: Sequence[TwoPassageClaim]) -> dict[str, Share]:
    return {
        "what does not follow, shown": Share.of(claim.is_shown for claim in found if not claim.follows),
        "what follows, shown": Share.of(claim.is_shown for claim in found if claim.follows),
    }


def two_passages_page(found: Sequence[TwoPassageClaim], verifier: str) -> list[str]:
    """Lines of docs/results/two_passages.md."""
    counts: dict[tuple[bool, str], Counter[str]] = {}
    for claim in sorted(found, key=lambda claim: (claim.follows, claim.kind)):
        counts.setdefault((claim.follows, claim.kind), Counter())[claim.outcome] += 1
    rows = [
        (kind, "yes" if follows else "no", *(by_outcome[outcome] for outcome in OUTCOMES))
        for (follows, kind), by_outcome in counts.items()
    ]
    figures = "; ".join(f"{name}: {share}" for name, share in shares_of(found).items())
    return [
        "## Claims that cite two passages",
        "",
        f"{len(found)} claims by an author who knew no code (evaluation/escape/two_passages.jsonl): neither passage "
        f"says them, and some follow from both together. Checked by `{verifier}` and the guards. {figures}. "
        "Regenerate: `manage.py evaluate two_passages`.",
        "",
        *table(("kind", "follows", *OUTCOMES), rows, right=OUTCOMES),
    ]


def measure(on_each: Callable[[], object]) -> list[TwoPassageClaim]:
    return asyncio.run(check_two_passages(read_claims(), on_each))


def _outcome(sentences: Sequence[Mapping[str, Any]]) -> str:
    """The weakest sentence decides."""
    if not sentences or not all(sentence["shown"] for sentence in sentences):
        return "withheld"
    verdicts: list[str] = [sentence["verdict"] for sentence in sentences]
    return max(verdicts, key=OUTCOMES.index)


def _passage(text: str) -> Passage:
    key = uuid5(NAMESPACE_URL, text)
    return Passage(key, key, "lecture", str(key), "", text, "", 0)
