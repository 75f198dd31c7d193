"""What a prompt comes to for a turn that was once asked: tried on paper, before readers meet it."""

from uuid import UUID

from chat.domain.footnotes import mint
from chat.domain.writing import WritingRules
from chat.models import Turn
from chat.stages.write import answer_slots
from corpus.selectors import passages
from lectorium.ladder.prompts import Prompt, check_replaces
from lectorium.providers.protocols import Message

PROMPT = "synthesize"


def preview(turn: Turn, text: str) -> tuple[Message, ...]:
    """Return the messages that `text`, as the prompt of an answer, would send for the turn's question and passages.

    The passages are those that the turn kept, as they read today; what was withdrawn since is left out, and so is the
    conversation before it. Raises ValueError where the text cannot replace the prompt.
    """
    check_replaces(PROMPT, text)
    rules = WritingRules()
    audit = turn.audits.first()
    candidates = audit.trace.get("candidates", ()) if audit else ()
    kept = [UUID(one["chunk"]) for one in candidates if one.get("kept")]
    notes = mint(passages(kept[: rules.notes]))
    slots = answer_slots(turn.standalone_question or turn.question, notes, (), rules)
    return Prompt(PROMPT, text).fill(**slots)
