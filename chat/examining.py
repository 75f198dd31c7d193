"""Examines a draft that any model writes from given passages: the gauntlet and the checks of a turn, without the turn.

The one place where a measurement of the checks meets them (the escape test, through lectorium.asking).
"""

from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

from chat.domain.checking import Checked, CheckRules
from chat.domain.footnotes import mint, minted
from chat.domain.writing import WritingRules
from chat.stages.verify import Verification
from chat.stages.write import Draft, answer_slots
from chat.streaming import checked_stream
from corpus.domain.passage import Passage
from lectorium.ladder.prompts import shipped
from lectorium.providers.protocols import ChatModel
from lectorium.providers.registry import verifier

LONGEST = 4000  # words of a draft; nobody pays for them


async def examine(question: str, passages: Sequence[Passage], author: ChatModel) -> dict[str, Any]:
    """Return what would be shown of the author's draft. See lectorium.asking.examine."""
    notes = mint(passages)
    messages = shipped("synthesize").fill(**answer_slots(question, notes, (), WritingRules()))
    pieces = author.stream(messages, max_tokens=LONGEST, temperature=0.0)
    draft = Draft(pieces, minted(notes))  # type: ignore[arg-type]
    check = Verification(notes, verifier(), CheckRules(), question=question).check
    async with aclosing(checked_stream(draft.sentences(), check, [])) as stream:
        checked = [one async for one in stream]
    return {
        "sentences": [_sentence(one) for one in checked],
        "dropped": [{"reason": one.reason.value, "text": one.text} for one in draft.dropped],
    }


def _sentence(one: Checked) -> dict[str, Any]:
    return {
        "text": one.drafted.text,
        "verdict": one.verdict,
        "shown": one.withheld is None,
        "reason": one.withheld.reason if one.withheld else "",
        "citations": [proof.note for proof in one.proofs],
        "quote": next((proof.passage.text[slice(*proof.span)] for proof in one.proofs), ""),
        "guards": sorted({objection.guard for objection in one.objections}),
    }
