"""One attempt at a written answer: what it does, step by step. Which attempt comes next is decided in turn.py."""

import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from django.conf import settings

from chat.domain.checking import Checked, CheckRules
from chat.domain.footnotes import Footnote, minted
from chat.domain.writing import Degraded, WritingRules
from chat.journal import Journal
from chat.showing import show, show_sources
from chat.stages.verify import Verification
from chat.stages.write import Draft, answer_slots
from chat.streaming import checked_stream
from lectorium.ladder import calling
from lectorium.ladder.selectors import Served, chain, prompt
from lectorium.providers.errors import PermanentError, ProviderError
from lectorium.providers.registry import verifier
from lectorium.threads import in_thread

log = logging.getLogger(__name__)


@dataclass
class Attempt:
    """A written answer in the making. `whole`: nothing is shown before all of it is checked (thinking mode)."""

    journal: Journal
    notes: tuple[Footnote, ...]
    whole: bool
    rules: WritingRules
    pending: list[Checked] = field(default_factory=list)
    in_a_row: int = 0  # withheld since a factual sentence passed
    cited: bool = False

    @property
    def passed(self) -> list[Checked]:
        return [one for one in self.pending if one.proofs and not one.withheld]

    @property
    def confidence(self) -> float:
        """Return the weakest support of the sentences that passed, 0 where none did."""
        return min((one.support for one in self.passed), default=0.0)

    async def take(self, one: Checked) -> bool:
        """Take a checked sentence; False where the model only says what cannot be shown, and should be stopped."""
        self.cited = self.cited or bool(one.drafted.markers)
        self.in_a_row = self.in_a_row + 1 if one.withheld else 0 if one.proofs else self.in_a_row
        self.pending.append(one)
        if not self.whole and (self.journal.sentences or self.passed):
            await self.release()
        return self.in_a_row < self.rules.patience

    async def release(self) -> None:
        """Show what is pending; what leads over waits for something to lead to."""
        if not self.journal.sentences and self.passed:
            await show_sources(self.journal, self.notes)
        for one in self.pending:
            await show(self.journal, one)
        self.pending = []


async def authors(journal: Journal, spent: set[str]) -> list[Served]:
    """Return the chat models that may write this turn's answer, first choice first; none where none is configured."""
    served = await in_thread(chain, "synthesize", str(journal.turn_id))
    return [one for one in served if not one.is_builtin and one.model not in spent]


async def write(attempt: Attempt, served: Sequence[Served], spent: set[str]) -> Draft:
    """Let the first model that can write the answer; one that fails for good goes to `spent`. Raises Degraded."""
    fault = "no_model"
    for one in served:
        try:
            return await _write(attempt, one)
        except ProviderError as error:
            log.warning("turn %s: %s failed: %s", attempt.journal.turn_id, one.model, error)
            fault = error.fault
            spent.update({one.model} if isinstance(error, PermanentError) else ())
            if attempt.journal.sentences:
                break
        attempt.pending.clear()
    raise Degraded(fault)


async def _write(attempt: Attempt, served: Served) -> Draft:
    journal, rules = attempt.journal, attempt.rules
    asked = await in_thread(prompt, "synthesize", served.prompt)
    served = replace(served, prompt=asked.version)
    question = journal.plan.standalone if journal.plan else journal.question.text
    messages = asked.fill(**answer_slots(question, attempt.notes, journal.question.history, rules))
    draft = Draft(calling.stream(served, messages), minted(attempt.notes), silence=settings.CHAT_SILENCE)
    check = Verification(attempt.notes, verifier(), CheckRules(), question=question).check
    seconds: list[float] = []
    fault = ""
    try:
        async with aclosing(checked_stream(draft.sentences(), check, seconds)) as stream:
            async for one in stream:
                if not await attempt.take(one):
                    break
    except ProviderError as error:
        fault = error.fault
        raise
    finally:
        journal.trace.setdefault("writing", []).append(
            {
                "served": served.as_dict(),
                "whole": attempt.whole,
                "fault": fault,
                "abstained": draft.abstained,
                "dropped": dict(Counter(dropped.reason.value for dropped in draft.dropped)),
                "checks_ms": [round(1000 * one, 1) for one in seconds],
            }
        )
    return draft
