"""The out-of-corpus fallback, where the operator allows it: a stronger model's own knowledge, under a disclaimer.

The same gauntlet as for any answer, with nothing minted: no citation can come through. Triggered by coverage alone.
"""

import logging
from contextlib import aclosing
from dataclasses import replace

from chat.answering.domain.checking import VerifiedSentence
from chat.answering.domain.events import Notice
from chat.answering.domain.refusals import DISCLAIMER
from chat.answering.domain.stream.tokens import MintedMarkers
from chat.answering.journal import Journal
from chat.answering.presentation import show_sentence
from chat.answering.stages.write import Draft
from chat.models import Turn
from lectorium.ladder import calling
from lectorium.ladder.prompts import FencedText
from lectorium.ladder.selectors import ResolvedModel, chain, prompt
from lectorium.providers.errors import ProviderError
from lectorium.threads import in_thread

log = logging.getLogger(__name__)


async def answer_from_general_knowledge(journal: Journal) -> bool:
    """Tell what a model knows, after the disclaimer; False where no model is configured, or none says anything."""
    for served in await in_thread(chain, "knowledge", str(journal.turn_id)):
        whole = True
        if served.is_builtin:
            calling.note_builtin(served)
            return False
        try:
            await _tell(journal, served)
        except ProviderError as error:
            log.warning("turn %s: knowledge by %s failed: %s", journal.turn_id, served.model, error)
            whole = False
            if journal.sentences:  # what was told stays, and is said not to be all of it
                journal.degrade(journal.question.mode, error.fault)
        if journal.sentences:
            journal.conclude(Turn.Outcome.OUT_OF_CORPUS, message=DISCLAIMER, complete=whole)
            return True
    return False


async def _tell(journal: Journal, served: ResolvedModel) -> None:
    asked = await in_thread(prompt, "knowledge", served.prompt)
    served = replace(served, prompt=asked.version)
    messages = asked.fill(question=(FencedText("Question", journal.standalone),))
    draft = Draft(calling.stream(served, messages), MintedMarkers(notes=()))
    journal.trace.setdefault("writing", []).append({"served": served.as_dict(), "outside": True})
    async with aclosing(draft.sentences()) as sentences:
        async for sentence in sentences:
            if not journal.sentences:
                await journal.say(Notice("disclaimer", DISCLAIMER))
            await show_sentence(journal, VerifiedSentence(sentence, "outside", "unchecked", 0.0))
