"""What each part of retrieval is worth: golden questions searched with everything, and without one part at a time."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from audit.domain.metrics import Share
from corpus.selectors import corpus_fingerprint
from evaluation.golden import gold_sets, history_of, holds_one, kind_of
from lectorium.asking import explain

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
        "fusion": "by the best single rank in place of reciprocal rank fusion",
        "reader": "without the cross-encoder: nothing is read, closeness orders",
        "reserves": "without reserves for verses, library passages and the kind asked for",
        "parts": "without places for what leads a lane for a part of the question",
        "bridges": "without the sources that the best passages name",
        "per_source": "without the cap on passages of one lecture",
    }
)


@dataclass(frozen=True, slots=True)
class GoldRank:
    """Where a question's gold paragraphs stood: the least of so many kept that holds them all, and in the pool at all.

    rank: from 1; None where they were not all kept. pooled: all within the pool's first sixty, by fused rank.
    """

    rank: int | None
    pooled: bool

    @property
    def kept(self) -> bool:
        return self.rank is not None


@dataclass(frozen=True, slots=True)
class AblatedQuestion:
    """A question by kind, with where its gold stood with everything ("") and without each part."""

    kind: str
    standings: Mapping[str, GoldRank]


def askable(rows: Iterable[Mapping[str, Any]], limit: int, seed: int) -> list[Mapping[str, Any]]:
    """Return golden rows that name a gold paragraph: at most so many, drawn by the seed, in their own order."""
    named = [row for row in rows if gold_sets(row)]
    drawn = random.Random(seed).sample(range(len(named)), min(limit, len(named)))
    return [named[place] for place in sorted(drawn)]


async def run_ablation(rows: Sequence[Mapping[str, Any]], on_each: Callable[[], object]) -> list[AblatedQuestion]:
    """Search every row in every way; `on_each` follows each search, one more a row than there are parts."""
    ablated = []
    for row in rows:
        history = history_of(row)
        standings = {}
        for part in ("", *PARTS):
            found = await explain(row["question"], history=history, without=part)
            standings[part] = standing(found["rows"], gold_sets(row))
            on_each()
        ablated.append(AblatedQuestion(kind_of(row), standings))
    return ablated


def standing(found: Sequence[Mapping[str, Any]], gold: Sequence[Sequence[str]]) -> GoldRank:
    """Return where the first of the gold lists to be held whole stands, in what a search explains itself by."""
    kept = [row for row in found if row["cut_by"] is None]
    pool = sorted(found, key=lambda row: -row["fused"])[:POOL]
    ranks = range(1, len(kept) + 1)
    return GoldRank(next((rank for rank in ranks if _holds(kept[:rank], gold)), None), _holds(pool, gold))


def ablation_section(ablated: Sequence[AblatedQuestion], seed: int) -> str:
    """Return the page docs/results/ablation.md."""
    whole = [question.standings[""] for question in ablated]
    lines = [
        "## What each part of retrieval is worth",
        "",
        f"{len(ablated)} answerable questions of `golden/dev.jsonl` (all, or as many as were asked for, drawn by seed "
        f"{seed}), searched over {corpus_fingerprint()} with everything, and then without one part at a time. *Kept*: "
        f"every gold paragraph within the {KEPT} passages kept. *Pool*: within the pool's first {POOL} by its own "
        "order. Shares with 95 % Wilson intervals; they overlap because the questions are the same, so beside them "
        "stands how many questions are won and lost against the whole. Read by: `manage.py evaluate ablation`.",
        "",
        "| searched | kept | won / lost | pool | won / lost |",
        "|---|---|---:|---|---:|",
        _line("with everything", whole, None),
    ]
    lines += [_line(told, [question.standings[part] for question in ablated], whole) for part, told in PARTS.items()]
    lines += ["", "With everything, by kind of question:", "", _row("kind", (f"in {cut}" for cut in CUTS), "pool")]
    lines.append("|---|" + "---|" * (len(CUTS) + 1))
    for kind in dict.fromkeys(question.kind for question in ablated):
        lines.append(_kind_line(kind, [question.standings[""] for question in ablated if question.kind == kind]))
    return "\n".join([*lines, _kind_line("**all**", whole)]) + "\n"


def as_json(ablated: Sequence[AblatedQuestion]) -> dict[str, dict[str, int]]:
    """Return how many questions had their gold kept and pooled, {part: {"kept", "pool", "of"}}; "" is the whole."""
    return {
        part: {
            "kept": sum(question.standings[part].kept for question in ablated),
            "pool": sum(question.standings[part].pooled for question in ablated),
            "of": len(ablated),
        }
        for part in ("", *PARTS)
    }


def _holds(rows: Sequence[Mapping[str, Any]], gold: Sequence[Sequence[str]]) -> bool:
    held = {address for row in rows for address in row["addresses"]}
    return holds_one(gold, held)


def _line(told: str, standings: Sequence[GoldRank], whole: Sequence[GoldRank] | None) -> str:
    kept, pooled = [one.kept for one in standings], [one.pooled for one in standings]
    won_kept = won_pool = "–"
    if whole is not None:
        won_kept = _won_lost(kept, [one.kept for one in whole])
        won_pool = _won_lost(pooled, [one.pooled for one in whole])
    return f"| {told} | {Share.of(kept)} | {won_kept} | {Share.of(pooled)} | {won_pool} |"


def _won_lost(now: Sequence[bool], before: Sequence[bool]) -> str:
    pairs = list(zip(now, before, strict=True))
    return f"{sum(a and not b for a, b in pairs)} / {sum(b and not a for a, b in pairs)}"


def _kind_line(kind: str, standings: Sequence[GoldRank]) -> str:
    within = (Share.of(one.rank is not None and one.rank <= cut for one in standings) for cut in CUTS)
    return _row(kind, within, Share.of(one.pooled for one in standings))


def _row(first: str, cells: Iterable[object], last: object) -> str:
    return f"| {first} | {' | '.join(map(str, cells))} | {last} |"
