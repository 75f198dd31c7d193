"""Runs the escape test: hostile drafts through the product's gauntlet and checks."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from evaluation.escape.material import Case, Material, cases
from evaluation.escape.outcome import LineOutcome, outcomes
from lectorium.asking import examine
from lectorium.providers.planting import KINDS, DraftLine, Note
from lectorium.providers.planting.hostile import HostileChat

PLANTED = 3000
A_DRAFT = 6  # most falsehoods per draft
AT_ONCE = 12  # concurrent drafts, which share the verifier's batches
FRUITLESS = 60  # drafts in a row without a new falsehood, after which the documents are exhausted
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class HostileDraft:
    """A case, the hostile model that writes on it, and the labelled lines it will write."""

    case: Case
    author: HostileChat
    lines: tuple[DraftLine, ...]


async def run(material: Material, planted: int, seed: int, on_each: Progress) -> list[LineOutcome]:
    """The outcome of every line, over drafts with `planted` falsehoods, or fewer if the documents are exhausted."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def examined(drafted: HostileDraft) -> list[LineOutcome]:
        async with gate:
            case = drafted.case
            seen = await examine(case.document.question, case.notes, drafted.author)
        on_each(sum(bool(line.kind) for line in drafted.lines))
        return outcomes(case.document.source, drafted.lines, seen)

    found = await asyncio.gather(*(examined(draft) for draft in drafts(material, planted, seed)))
    return list(chain.from_iterable(found))


def drafts(material: Material, planted: int, seed: int) -> Iterator[HostileDraft]:
    """Drafts with `planted` falsehoods in all, as evenly over the kinds as possible."""
    counts: dict[str, Counter[str]] = {}
    told: set[str] = set()
    total = fruitless = 0
    for number, case in enumerate(cases(material, seed)):
        count = counts.setdefault(case.document.source, Counter())
        kinds = sorted(KINDS, key=lambda kind: count[kind])
        author = HostileChat(
            seed * 1_000_000 + number,
            kinds=kinds,
            planted=min(A_DRAFT, planted - total),
            paraphrases=material.paraphrases,
            strangers=case.strangers,
            focus=case.gold,
            told=told,
        )
        lines = author.prepare([Note(alias, note.text) for alias, note in enumerate(case.notes, start=1)])
        made = [line.kind for line in lines if line.kind]
        fruitless = 0 if made else fruitless + 1
        if fruitless == FRUITLESS:
            return
        if made:
            count.update(made)
            total += len(made)
            yield HostileDraft(case, author, lines)
        if total >= planted:
            return
