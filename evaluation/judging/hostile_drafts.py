"""A comparison whose better side is known: drafts with planted falsehoods, before and after the product's checks.

It asks no database: the drafts are those of the escape test, over its held-out passages. A judge that does not find
the checked side more faithful is of no use.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.escape.material import Material
from evaluation.escape.run import AT_ONCE, HostileDraft, drafts
from evaluation.judging.run import Answers, JudgedQuestion
from evaluation.judging.sides import AnswerSide, SideAnswer
from lectorium.asking import History, ReplayOptions, examine

A_DRAFT = 3  # planted falsehoods a draft, on average
SIDES = (
    AnswerSide("hostile drafts, checked", ReplayOptions("auto")),
    AnswerSide("hostile drafts, as written", ReplayOptions("auto"), draft=True),
)


async def hostile_pairs(material: Material, questions: int, seed: int) -> tuple[list[JudgedQuestion], Answers]:
    """The questions, and what gives both answers to each. key_facts: the true lines of the draft."""
    gate, written = asyncio.Semaphore(AT_ONCE), list(drafts(material, A_DRAFT * questions, seed))[:questions]

    async def examined(draft: HostileDraft) -> dict[str, Any]:
        async with gate:
            return await examine(draft.case.document.question, draft.case.notes, draft.author)

    seen = await asyncio.gather(*map(examined, written))
    texts = [f"{draft.case.document.question} ({number})" for number, draft in enumerate(written, 1)]
    pairs = {text: _pair(draft, found) for text, draft, found in zip(texts, written, seen, strict=True)}
    asked = [
        JudgedQuestion(f"h{n}", text, tuple(line.text for line in draft.lines if not line.kind))
        for n, (text, draft) in enumerate(zip(pairs, written, strict=True), 1)
    ]

    async def answers(sides: Sequence[AnswerSide], question: str, history: History) -> list[SideAnswer]:
        return list(pairs[question])

    return asked, answers


def _pair(draft: HostileDraft, seen: Mapping[str, Any]) -> tuple[SideAnswer, SideAnswer]:
    """The draft's sentences that were shown, and all of them; the evidence of each is every note."""
    notes = tuple(note.text for note in draft.case.notes)
    evidence, author = "\n".join(notes), frozenset({draft.author.name})

    def answer(rows: Sequence[Mapping[str, Any]]) -> SideAnswer:
        message = "" if rows else "Nothing could be traced to its source."
        return SideAnswer(tuple((row["text"], evidence) for row in rows), message, "grounded", author, notes)

    return answer([row for row in seen["sentences"] if row["shown"]]), answer(seen["sentences"])
