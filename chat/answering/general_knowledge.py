"""The out-of-corpus fallback, where the operator allows it: a stronger model's own knowledge, under a disclaimer.

The same gauntlet as for any answer, with no notes minted: no citation can come through. Only the coverage gate
triggers it.
"""

import logging
from contextlib import aclosing
from dataclasses import replace

from django.conf import settings

from chat.answering.answer_stream import AnswerStream
from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.checking import VerifiedSentence
from chat.answering.domain.events import Notice
from chat.answering.domain.evidence.evidence import Abstention, Reason
from chat.answering.domain.question import Mode, Question
from chat.answering.domain.refusals import DISCLAIMER
from chat.answering.domain.stream.tokens import MintedMarkers
from chat.answering.domain.writing_rules import degraded_warning
from chat.answering.draft_record import OutsideDraftRecord
from chat.answering.stages.write import Draft
from chat.answering.turn_result import TurnResult, standalone_question
from chat.models import Turn
from lectorium.ladder import calling
from lectorium.ladder.prompts import FencedText
from lectorium.ladder.selectors import ResolvedModel, chain, prompt
from lectorium.providers.errors import ProviderError
from lectorium.threads import in_thread

log = logging.getLogger(__name__)


def may_answer_outside(question: Question, abstention: Abstention) -> bool:
    """May a model's general knowledge answer in place of this refusal?"""
    outside = abstention.reason is Reason.OUTSIDE_CORPUS and not abstention.detail
    return bool(settings.OUT_OF_CORPUS) and outside and question.mode is not Mode.INSTANT


async def answer_from_general_knowledge(
    turn: CurrentTurn, result: TurnResult, stream: AnswerStream
) -> TurnResult | None:
    """Show what a model knows, after the disclaimer; None where no model is configured, or none writes anything."""
    for model in await in_thread(chain, "knowledge", turn.key):
        complete = True
        if model.is_builtin:
            calling.note_builtin(model)
            return None
        try:
            await _write(turn, standalone_question(turn, result), model, stream)
        except ProviderError as error:
            log.warning("turn %s: knowledge by %s failed: %s", turn.turn_id, model.model, error)
            complete = False
            if stream.has_begun:  # what was shown stays, under a warning that it is not everything
                result = result.warned(degraded_warning(turn.question.mode.value, error.fault))
        if stream.has_begun:
            shown = stream.snapshot()
            return result.ended(Turn.Outcome.OUT_OF_CORPUS, shown, message=DISCLAIMER, complete=complete)
    return None


async def _write(turn: CurrentTurn, question: str, model: ResolvedModel, stream: AnswerStream) -> None:
    asked = await in_thread(prompt, "knowledge", model.prompt)
    model = replace(model, prompt=asked.version)
    messages = asked.fill(question=(FencedText("Question", question),))
    draft = Draft(calling.stream(model, messages), MintedMarkers(notes=()))
    stream.drafts.append(OutsideDraftRecord(model))
    async with aclosing(draft.sentences()) as sentences:
        async for sentence in sentences:
            if not stream.has_begun:
                await turn.say(Notice("disclaimer", DISCLAIMER))
            await stream.show_written(VerifiedSentence(sentence, "outside", "unchecked", 0.0))
