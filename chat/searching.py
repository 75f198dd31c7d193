"""What the lanes find for a question, without answering it."""

from dataclasses import replace
from typing import Any

from chat.asking import operator
from chat.domain.pool import Candidate, PoolLimits
from chat.domain.question import Message, Question
from chat.domain.selection import DiscardRules, select
from chat.presenting import scores_of
from chat.stages.plan import plan_question
from chat.stages.read import read
from chat.stages.retrieve import retrieve
from corpus.selectors import serving_space
from lectorium.threads import in_thread

LANES = ("dense", "lexical", "spelling", "address", "curated")


async def search(
    text: str,
    *,
    history: tuple[tuple[str, str], ...] = (),
    lane: str | None = None,
    limit: int = 10,
    explain: bool = False,
) -> list[dict[str, Any]]:
    """Return up to `limit` rows, best first; see lectorium.asking.search."""
    viewer = await in_thread(operator)
    thread = tuple(Message(role, content) for role, content in history)
    plan = await in_thread(plan_question, Question(text, viewer, history=thread))
    pool = await retrieve(plan, viewer, PoolLimits(), await in_thread(serving_space))
    if lane:
        found = sorted((one for one in pool.candidates if lane in one.lanes), key=lambda one: one.lanes[lane].rank)
        return [_row(one) for one in found[:limit]]
    pool = await in_thread(read, plan, pool, DiscardRules())
    selection = select(pool.candidates, replace(DiscardRules(), top_k=limit), wanted=plan.wanted_kinds)
    if explain:
        cut = [one for one in pool.candidates if one.passage.chunk_id in selection.cut]
        return [_row(one, selection.cut.get(one.passage.chunk_id)) for one in (*selection.kept, *cut)]
    return [_row(one) for one in selection.kept]


def _row(one: Candidate, cut: str | None = None) -> dict[str, Any]:
    return {
        "address": one.passage.address,
        "addresses": [paragraph.address for paragraph in one.passage.paragraphs] or [one.passage.address],
        "kind": one.passage.kind,
        "title": one.passage.title,
        "text": one.passage.text,
        **scores_of(one),
        "lanes": {name: hit.rank for name, hit in one.lanes.items()},
        "forced": one.forced,
        "cut_by": cut,
    }
