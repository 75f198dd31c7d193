"""Scores answers to the golden question set by the rules of its README."""

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
    """The score of one answer. kind: the row's kind, category, or side of a near-miss pair.

    closest: the answer was a closest passage, which counts neither as an answer nor as a refusal.
    """

    kind: str
    answerable: bool
    answered: bool
    closest: bool
    cites_gold: bool
    right_refusal: bool


def score(row: Row, response: Response) -> GoldenScore:
    """Score one response. For an underspecified question, a clarifying question counts as a refusal too."""
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
    """Alternative lists of gold addresses; all addresses of one list are needed."""
    return [gold for gold in [row.get("gold") or [], *(row.get("gold_alternatives") or [])] if gold]


def holds_one(golds: Iterable[Iterable[str]], addresses: AbstractSet[str]) -> bool:
    """Whether the addresses contain all of at least one list."""
    return any(addresses >= set(gold) for gold in golds)


def history_of(row: Row) -> tuple[tuple[str, str], ...]:
    """Earlier turns as (role, content), oldest first."""
    return tuple((turn["role"], turn["content"]) for turn in row.get("history") or [])


def groups_of(rows: Sequence[Row]) -> list[str]:
    """Each row's group for cross-validation: its lecture; for a false twin, that of its twin; else the row's id."""
    lectures = {row["pair"]: _lecture(row) for row in rows if row.get("pair") and row.get("gold")}
    return [_lecture(row) or lectures.get(row.get("pair"), "") or str(row["id"]) for row in rows]


def _lecture(row: Row) -> str:
    return str(row["gold"][0]).rsplit(":", 1)[0] if row.get("gold") else ""


def by_kind(scored: Iterable[GoldenScore]) -> dict[str, Sequence[GoldenScore]]:
    """Scores by kind, in the order of their first appearance."""
    groups: dict[str, list[GoldenScore]] = {}
    for answer in scored:
        groups.setdefault(answer.kind, []).append(answer)
    return dict(groups)


def shares(scored: Sequence[GoldenScore]) -> dict[str, Share]:
    """The shares that apply to these scores: some need answerable questions, "refused" needs unanswerable ones."""
    yes = [answer for answer in scored if answer.answerable]
    no = [answer for answer in scored if not answer.answerable]
    found: dict[str, Share] = {"closest": Share.of(answer.closest for answer in scored)}
    if yes:
        found["answered"] = Share.of(answer.answered for answer in yes)
        found["answered with gold"] = Share.of(answer.answered and answer.cites_gold for answer in yes)
        found["shown with gold"] = Share.of((answer.answered or answer.closest) and answer.cites_gold for answer in yes)
    if no:
        found["refused"] = Share.of(answer.right_refusal for answer in no)
    return found
