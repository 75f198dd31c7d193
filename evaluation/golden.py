"""Scoring answers to the golden question set (its README gives the rules)."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from audit.domain.metrics import Share
from audit.domain.outcomes import ANSWERED

CLOSEST = "closest_passage"

Response = Mapping[str, Any]

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GoldenScore:
    """One golden row with what was answered. `kind` is the row's kind, category, or side of a near-miss pair.

    closest: met by a closest passage, which counts neither as an answer nor as a refusal.
    """

    kind: str
    answerable: bool
    answered: bool
    closest: bool
    cites_gold: bool
    right_refusal: bool


def score(row: Row, response: Response) -> GoldenScore:
    """Score one response: a false premise may be corrected, an underspecified question asked back."""
    answerable = is_answerable(row)
    cited = {citation["address"] for citation in response["citations"]}
    outcome = response["outcome"]
    allowed = {"refused"} | ({"asked_back"} if row.get("category") == "underspecified" else set())
    return GoldenScore(
        kind=kind_of(row),
        answerable=answerable,
        answered=outcome in ANSWERED,
        closest=outcome == CLOSEST,
        cites_gold=holds_one(gold_sets(row), cited),
        right_refusal=outcome in allowed or outcome == "no_retrieval",
    )


def is_answerable(row: Row) -> bool:
    return row["section"] == "A" or bool(row.get("answerable"))


def kind_of(row: Row) -> str:
    if row["section"] == "C":
        return "near-miss, true" if row["answerable"] else "near-miss, false twin"
    return str(row.get("kind") or row.get("category"))


def gold_sets(row: Row) -> list[list[str]]:
    """Return the lists of addresses of which any one, whole, suffices."""
    return [gold for gold in [row.get("gold") or [], *(row.get("gold_alternatives") or [])] if gold]


def holds_one(golds: Iterable[Iterable[str]], addresses: AbstractSet[str]) -> bool:
    """Do these addresses hold one of the lists whole?"""
    return any(addresses >= set(gold) for gold in golds)


def history_of(row: Row) -> tuple[tuple[str, str], ...]:
    """Return what was said before the question: (role, content), oldest first."""
    return tuple((turn["role"], turn["content"]) for turn in row.get("history") or [])


def groups_of(rows: Sequence[Row]) -> list[str]:
    """Return what each row must not be split from where something is fitted: its lecture, a false twin's its twin's.

    A row of no lecture is a group of its own.
    """
    lectures = {row["pair"]: _lecture(row) for row in rows if row.get("pair") and row.get("gold")}
    return [_lecture(row) or lectures.get(row.get("pair"), "") or str(row["id"]) for row in rows]


def _lecture(row: Row) -> str:
    return str(row["gold"][0]).rsplit(":", 1)[0] if row.get("gold") else ""


def by_kind(scored: Iterable[GoldenScore]) -> dict[str, Sequence[GoldenScore]]:
    """Group scores by kind, in the order first met."""
    groups: dict[str, list[GoldenScore]] = {}
    for one in scored:
        groups.setdefault(one.kind, []).append(one)
    return dict(groups)


def shares(scored: Sequence[GoldenScore]) -> dict[str, Share]:
    """Return the shares a set of scores comes down to; only those that its questions can have."""
    yes = [one for one in scored if one.answerable]
    no = [one for one in scored if not one.answerable]
    found: dict[str, Share] = {"closest": Share.of(one.closest for one in scored)}
    if yes:
        found["answered"] = Share.of(one.answered for one in yes)
        found["answered with gold"] = Share.of(one.answered and one.cites_gold for one in yes)
        found["shown with gold"] = Share.of((one.answered or one.closest) and one.cites_gold for one in yes)
    if no:
        found["refused"] = Share.of(one.right_refusal for one in no)
    return found
