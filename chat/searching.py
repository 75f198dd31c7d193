"""What the lanes find for a question, without answering it."""

from dataclasses import replace
from typing import Any

from chat.asking import operator
from chat.domain.coverage import DiscardRules, keep
from chat.domain.pool import Candidate, PoolLimits
from chat.domain.question import Message, Question
from chat.stages.discard import weigh
from chat.stages.plan import plan_question
from chat.stages.retrieve import retrieve
from corpus.terms import term_statistics
from lectorium.threads import in_thread

LANES = ("dense", "lexical", "spelling", "address")


async def search(
    text: str, *, history: tuple[tuple[str, str], ...] = (), lane: str | None = None, limit: int = 10
) -> list[dict[str, Any]]:
    """Return up to `limit` rows, closest first; of one lane, in its own order. See lectorium.asking.search."""
    viewer = await in_thread(operator)
    thread = tuple(Message(role, content) for role, content in history)
    plan = await in_thread(plan_question, Question(text, viewer, history=thread))
    pool = await retrieve(plan, viewer, PoolLimits())
    if lane:
        found = sorted((one for one in pool.candidates if lane in one.lanes), key=lambda one: one.lanes[lane].rank)
        return [_row(one) for one in found[:limit]]
    terms = await in_thread(term_statistics, plan.words)
    return [_row(one) for one in keep(weigh(plan, pool.candidates, terms), replace(DiscardRules(), top_k=limit))]


def _row(one: Candidate) -> dict[str, Any]:
    return {
        "address": one.passage.address,
        "addresses": [paragraph.address for paragraph in one.passage.paragraphs] or [one.passage.address],
        "kind": one.passage.kind,
        "title": one.passage.title,
        "text": one.passage.text,
        "similarity": None if one.similarity is None else round(one.similarity, 4),
        "term_share": round(one.term_share, 4),
        "fused": round(one.fused, 5),
        "lanes": {name: hit.rank for name, hit in one.lanes.items()},
    }
