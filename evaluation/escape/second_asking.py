"""Asks questions again without the passages that their first answer cited.

Answers are quotations, so every answer comes from a source. The second one may quote the same words from another place,
answer from other passages, or refuse.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from audit.domain.metrics import Share
from corpus.domain.text.folding import fold
from evaluation.golden import history_of
from lectorium.asking import sift
from lectorium.report_table import table

Quotes = Sequence[Mapping[str, Any]]
RETURNS = ("the same words from elsewhere", "another answer", "a refusal")


async def ask_again(rows: Sequence[Mapping[str, Any]], on_each: Callable[[], object]) -> Counter[str]:
    """Numbers of RETURNS over the golden rows that were answered the first time."""
    returned: Counter[str] = Counter()
    for row in rows:
        history = history_of(row)
        first: Quotes = (await sift(row["question"], history=history))["quotes"]
        if first:
            cited = {quote["chunk"] for quote in first}
            again = await sift(row["question"], history=history, leaving=cited)
            returned[what_returned(first, again["quotes"])] += 1
        on_each()
    return returned


def what_returned(first: Quotes, again: Quotes) -> str:
    """One of RETURNS; a single clip with the same leading sentence counts as the same words."""
    if not again:
        return RETURNS[2]
    leads = [fold(quote["lead"]) for quote in first]
    same = any(words in lead or lead in words for quote in again for lead in leads if (words := fold(quote["lead"])))
    return RETURNS[0] if same else RETURNS[1]


def return_shares(returned: Mapping[str, int]) -> dict[str, Share]:
    total = sum(returned.values())
    return {name: Share(returned.get(name, 0), total) for name in RETURNS}


def again_section(returned: Mapping[str, int]) -> list[str]:
    """The last lines of docs/results/counterfactual.md."""
    total = sum(returned.values())
    return [
        f"{total} answerable golden questions (`golden/dev.jsonl`, section A) that were answered by quotation, asked "
        "again without the passages that the answer cited.",
        "",
        *table(("without the cited passages", "share"), return_shares(returned).items()),
    ]
