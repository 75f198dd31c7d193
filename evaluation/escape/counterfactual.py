"""Counterfactual citations: without its cited passage, a claim must disappear or be cited to another passage.

The model writes the same claim whatever it is given, which is the worst case. So this measures whether the checks let
a claim stand without its source.
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
from lectorium.report_table import table

CLAIMS, AT_ONCE = 400, 12
FATES = ("gone", "cited elsewhere", "standing without a source")


@dataclass(frozen=True, slots=True)
class CounterfactualClaim:
    """A true claim from notes[0]; the other notes are passages of the same source."""

    text: str
    question: str
    notes: tuple[Passage, ...]


async def run_counterfactual(material: Material, seed: int, on_each: Callable[[], object]) -> Counter[str]:
    """Numbers of FATES: what becomes of claims without their passage that were shown with it."""
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
    """At most CLAIMS claims: every paraphrase, then the first sentences of the other passages."""
    chance = random.Random(seed)
    texts = [
        (text, document)
        for documents in material.documents.values()
        for document in documents
        for text in _true_claims(document, material)
    ]
    for text, document in sorted(texts, key=lambda pair: pair[0] in pair[1].gold[0].text)[:CLAIMS]:
        others = chance.sample(document.others, min(MOST_OTHERS, len(document.others)))
        yield CounterfactualClaim(text, document.question, (document.gold[0], *others))


def fate_shares(fates: Counter[str]) -> dict[str, Share]:
    return {fate: Share(fates[fate], sum(fates.values())) for fate in FATES}


def counterfactual_section(fates: Counter[str]) -> list[str]:
    """The first lines of docs/results/counterfactual.md."""
    total = sum(fates.values())
    return [
        "## Counterfactual citations",
        "",
        f"{total} true claims that were shown with a citation, written again after their passage was removed from the "
        "notes, by a model that writes the same whatever it is given. Each must disappear or be cited to another "
        "passage that supports it. Regenerate: `manage.py evaluate counterfactual`.",
        "",
        *table(("without its passage the claim is", "share"), fate_shares(fates).items()),
    ]


def _true_claims(document: Document, material: Material) -> Sequence[str]:
    reworded = material.paraphrases.get(key_of(document.gold[0].text), ())
    return reworded or sentences(document.gold[0].text)[:1]


async def _citations(claim: CounterfactualClaim, notes: Sequence[Passage], marker: str) -> list[int] | None:
    """The citations of the claim as shown; None if it is not shown in full."""
    author = ScriptedChat(Reply.of(f"{claim.text}{marker}"))
    seen = (await examine(claim.question, notes, author))["sentences"]
    shown = [sentence for sentence in seen if sentence["shown"]]
    return (
        [number for sentence in shown for number in sentence["citations"]] if len(shown) == len(seen) and seen else None
    )
