"""What Langfuse is told of a turn, where an operator set its keys: what the audit keeps, and less of its words."""

from django.conf import settings

from audit.domain.redaction import Redaction, redacted
from audit.pseudonyms import asker_of
from chat.answering.journal import Journal
from lectorium import langfuse_tracing


def report_turn(journal: Journal) -> None:
    """Have Langfuse told of a recorded turn; question and answer as LECTORIUM_REDACT lets them be kept."""
    if settings.LANGFUSE is None:
        return
    how, viewer, timings = Redaction(settings.REDACT), journal.question.viewer, journal.timings_ms()
    response = journal.response()
    facts = ("mode", "outcome", "reason", "confidence", "complete", "timings_ms", "versions")
    langfuse_tracing.send_turn(
        langfuse_tracing.ObservedTurn(
            turn=journal.turn_id,
            conversation=journal.conversation_id,
            asker=asker_of(viewer.user_id, viewer.visitor),
            question=redacted(journal.question.text, how),
            answer=redacted(response["answer"], how),
            began=journal.began,
            seconds=timings["total"] / 1000,
            facts={name: response[name] for name in facts}
            | {"warnings": [warning.type for warning in journal.warnings]},
            calls=tuple(journal.calls),
        )
    )
