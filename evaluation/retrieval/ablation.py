"""Ablation of retrieval: golden questions searched with all parts, and without one part at a time."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from audit.domain.metrics import Share
from corpus.selectors import corpus_fingerprint
from evaluation.golden import gold_sets, history_of, holds_one, kind_of
from lectorium.asking import explain
from lectorium.report_table import table

KEPT, POOL = 16, 60
CUTS = (5, 10, KEPT)
PARTS: Mapping[str, str] = MappingProxyType(
    {
        "dense": "without the dense lane",
        "sentence": "without the sentence lane",
        "lexical": "without the lexical lane, its spelling too",
        "address": "without the address lane",
        "neighbourhood": "without what stands around the thread's last citation",
        "context": "without the context among the words",
        "calibration": "without the map to the reference scale: the prefloor stands on bare cosines",
        "rewordings": "in the question's own words: no rewording, no synonym",
        "copies": "near-copies of one upload counted each",
        "fusion": "by the best single rank in place of reciprocal rank fusion",
        "reader": "without the cross-encoder: nothing is read, closeness orders",
        "reserves": "without reserves for verses, library passages and the kind asked for",
        "bridges": "without the sources that the best passages name",
        "per_source": "without the cap on passages of one lecture",
    }
)


@dataclass(frozen=True, slots=True)
class GoldRank:
    """rank: from 1, of the last gold paragraph among the passages kept; None if not all were kept.

    pooled: whether all are within the first POOL candidates by fused rank.
    """

    rank: int | None
    pooled: bool

    @property
    def kept(self) -> bool:
        return self.rank is not None


@dataclass(frozen=True, slots=True)
class AblatedQuestion:
    """A question's kind, and the rank of its gold with all parts ("") and without each part."""

    kind: str
    ranks: Mapping[str, GoldRank]


def rows_with_gold(rows: Iterable[Mapping[str, Any]], limit: int, seed: int) -> list[Mapping[str, Any]]:
    """At most `limit` golden rows that name a gold paragraph, drawn at random, in their original order."""
    named = [row for row in rows if gold_sets(row)]
    drawn = random.Random(seed).sample(range(len(named)), min(limit, len(named)))
    return [named[place] for place in sorted(drawn)]


async def run_ablation(rows: Sequence[Mapping[str, Any]], on_each: Callable[[], object]) -> list[AblatedQuestion]:
    """Search for every row with all parts and without each. on_each: called after each search."""
    ablated = []
    for row in rows:
        history = history_of(row)
        ranks = {}
        for part in ("", *PARTS):
            found = await explain(row["question"], history=history, without=part)
            ranks[part] = gold_rank(found["rows"], gold_sets(row))
            on_each()
        ablated.append(AblatedQuestion(kind_of(row), ranks))
    return ablated


def gold_rank(found: Sequence[Mapping[str, Any]], gold: Sequence[Sequence[str]]) -> GoldRank:
    """The rank of the best of the alternative gold lists in the rows of `asking.explain`."""
    kept = [row for row in found if row["cut_by"] is None]
    pool = sorted(found, key=lambda row: -row["fused"])[:POOL]
    ranks = range(1, len(kept) + 1)
    return GoldRank(next((rank for rank in ranks if _holds(kept[:rank], gold)), None), _holds(pool, gold))


def ablation_section(ablated: Sequence[AblatedQuestion], seed: int) -> list[str]:
    """Lines of docs/results/ablation.md."""
    whole = [question.ranks[""] for question in ablated]
    rows = [
        _part_row("with all parts", whole, None),
        *(_part_row(words, [question.ranks[part] for question in ablated], whole) for part, words in PARTS.items()),
    ]
    kinds = dict.fromkeys(question.kind for question in ablated)
    by_kind = {kind: [question.ranks[""] for question in ablated if question.kind == kind] for kind in kinds}
    return [
        "## Ablation of retrieval",
        "",
        f"{len(ablated)} answerable questions of `golden/dev.jsonl` (drawn by seed {seed} if limited), searched over "
        f"{corpus_fingerprint()} with all parts, and without one part at a time. *Kept*: every gold paragraph is among "
        f"the {KEPT} passages kept. *Pool*: every one is among the pool's first {POOL} candidates by fused rank. "
        "Shares with 95 % Wilson intervals. The intervals overlap because the questions are the same, so the table "
        "also counts the questions won and lost against all parts. Regenerate: `manage.py evaluate ablation`.",
        "",
        *table(("searched", "kept", "won / lost", "pool", "won / lost"), rows, right=("won / lost",)),
        "With all parts, by kind of question:",
        "",
        *table(
            ("kind", *(f"in {cut}" for cut in CUTS), "pool"),
            (_kind_row(kind, ranks) for kind, ranks in {**by_kind, "**all**": whole}.items()),
        ),
    ]


def as_json(ablated: Sequence[AblatedQuestion]) -> dict[str, dict[str, int]]:
    """{part: {"kept", "pool", "of"}} in questions; part "" is the search with all parts."""
    return {
        part: {
            "kept": sum(question.ranks[part].kept for question in ablated),
            "pool": sum(question.ranks[part].pooled for question in ablated),
            "of": len(ablated),
        }
        for part in ("", *PARTS)
    }


def _holds(rows: Sequence[Mapping[str, Any]], gold: Sequence[Sequence[str]]) -> bool:
    held = {address for row in rows for address in row["addresses"]}
    return holds_one(gold, held)


def _part_row(words: str, ranks: Sequence[GoldRank], whole: Sequence[GoldRank] | None) -> tuple[object, ...]:
    kept, pooled = [rank.kept for rank in ranks], [rank.pooled for rank in ranks]
    won_kept = won_pool = "–"
    if whole is not None:
        won_kept = _won_lost(kept, [rank.kept for rank in whole])
        won_pool = _won_lost(pooled, [rank.pooled for rank in whole])
    return words, Share.of(kept), won_kept, Share.of(pooled), won_pool


def _won_lost(now: Sequence[bool], before: Sequence[bool]) -> str:
    pairs = list(zip(now, before, strict=True))
    return f"{sum(a and not b for a, b in pairs)} / {sum(b and not a for a, b in pairs)}"


def _kind_row(kind: str, ranks: Sequence[GoldRank]) -> tuple[object, ...]:
    within = (Share.of(gold.rank is not None and gold.rank <= cut for gold in ranks) for cut in CUTS)
    return kind, *within, Share.of(gold.pooled for gold in ranks)
