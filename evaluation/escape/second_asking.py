"""Questions asked again after the passages that an answer cited were left out of what is searched.

Asked in quotation mode, so that whatever comes back stands in a source. The same words from elsewhere were said twice;
another answer must come of other passages; where there is none, a refusal is right.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from audit.domain.metrics import Share
from corpus.domain.text.folding import fold
from evaluation.golden import history_of
from lectorium.asking import sift

Quotes = Sequence[Mapping[str, Any]]
RETURNS = ("the same words from elsewhere", "another answer", "a refusal")


async def ask_again(rows: Sequence[Mapping[str, Any]], on_each: Callable[[], object]) -> Counter[str]:
    """Return how many of the golden rows that were answered came to each of RETURNS without what was cited."""
    returned: Counter[str] = Counter()
    for row in rows:
        history = history_of(row)
        first: Quotes = (await sift(row["question"], history=history))["quotes"]
        if first:
            cited = {one["chunk"] for one in first}
            again = await sift(row["question"], history=history, leaving=cited)
            returned[what_returned(first, again["quotes"])] += 1
        on_each()
    return returned


def what_returned(first: Quotes, again: Quotes) -> str:
    """Return which of RETURNS it is; one clip led by the same words is enough for the first."""
    if not again:
        return RETURNS[2]
    leads = [fold(quote["lead"]) for quote in first]
    same = any(words in lead or lead in words for quote in again for lead in leads if (words := fold(quote["lead"])))
    return RETURNS[0] if same else RETURNS[1]


def again_section(returned: Mapping[str, int]) -> str:
    """Return what follows the claims in docs/results/counterfactual.md."""
    total = sum(returned.values())
    lines = [
        "",
        f"{total} answerable golden questions (`golden/dev.jsonl`, section A) that were answered by quotation, asked "
        "again after every passage that the answer cited was left out of what the lanes found.",
        "",
        "| without what it cited there comes | share |",
        "|---|---|",
        *(f"| {name} | {Share(returned.get(name, 0), total)} |" for name in RETURNS),
    ]
    return "\n".join(lines) + "\n"
