"""Counterfactual citations: a claim whose cited passage is taken away must disappear, or be cited to another one.

The model of this measurement says the same whatever it is shown, which is the worst a model can do; so what is
measured is whether the checks let a claim stand that no longer has its source.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from audit.domain.metrics import Share
from corpus.domain.passage import Passage
from evaluation.escape.material import MOST_OTHERS, Document, Material
from lectorium.asking import examine
from lectorium.providers.planting.lines import key_of, sentences
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat

CLAIMS, AT_ONCE = 400, 12
FATES = ("gone", "cited elsewhere", "standing without a source")


@dataclass(frozen=True, slots=True)
class CounterfactualClaim:
    """A true claim of the first passage, beside others of the same source."""

    text: str
    question: str
    notes: tuple[Passage, ...]


async def run_counterfactual(material: Material, seed: int, on_each: Callable[[], object]) -> Counter[str]:
    """Return how many claims that were shown with their source came to each of FATES without it."""
    gate = asyncio.Semaphore(AT_ONCE)
    fates: Counter[str] = Counter()

    async def follow(claim: CounterfactualClaim) -> None:
        async with gate:
            if await _citations(claim, claim.notes, " [^1]"):
                left = await _citations(claim, claim.notes[1:], "")
                fates["gone" if left is None else "cited elsewhere" if left else FATES[2]] += 1
            on_each()

    await asyncio.gather(*(follow(claim) for claim in claims(material, seed)))
    return fates


def claims(material: Material, seed: int) -> Iterator[CounterfactualClaim]:
    """Yield at most CLAIMS claims: every paraphrase, then the first sentences of the other passages."""
    chance = random.Random(seed)
    told = [
        (text, document)
        for documents in material.documents.values()
        for document in documents
        for text in _true_of(document, material)
    ]
    for text, document in sorted(told, key=lambda one: one[0] in one[1].gold[0].text)[:CLAIMS]:
        others = chance.sample(document.others, min(MOST_OTHERS, len(document.others)))
        yield CounterfactualClaim(text, document.question, (document.gold[0], *others))


def counterfactual_section(fates: Counter[str]) -> str:
    """Return the page docs/results/counterfactual.md."""
    total = sum(fates.values())
    lines = [
        "## Counterfactual citations",
        "",
        f"{total} true claims that were shown with a citation, said again after the passage that holds them was taken "
        "from the notes, by a model that says the same whatever it is shown. Each must disappear or be cited to a "
        "passage that the checks find to hold it. Read by: `manage.py evaluate counterfactual`.",
        "",
        "| without its passage the claim is | share |",
        "|---|---|",
        *(f"| {fate} | {Share(fates[fate], total)} |" for fate in FATES),
    ]
    return "\n".join(lines) + "\n"


def _true_of(document: Document, material: Material) -> Sequence[str]:
    reworded = material.paraphrases.get(key_of(document.gold[0].text), ())
    return reworded or sentences(document.gold[0].text)[:1]


async def _citations(claim: CounterfactualClaim, notes: Sequence[Passage], marker: str) -> list[int] | None:
    """Return what the claim would be shown citing; None where it would not be shown."""
    author = ScriptedChat(Reply.of(f"{claim.text}{marker}"))
    seen = (await examine(claim.question, notes, author))["sentences"]
    shown = [sentence for sentence in seen if sentence["shown"]]
    return (
        [number for sentence in shown for number in sentence["citations"]] if len(shown) == len(seen) and seen else None
    )
