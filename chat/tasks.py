"""Scheduled jobs for conversations. Safe to run twice; each returns a line for the job's record."""

from chat.answering.turn_records import turns_close_abandoned
from chat.api.idempotency import keys_expire
from chat.api.services import tool_calls_expire
from chat.conversations.retention import deleted_conversations_expire, turns_expire
from chat.conversations.services import events_forget


def tidy_conversations() -> str:
    """Close abandoned turns, delete old events, keys and conversations; return one line for the job's record."""
    return (
        f"{turns_close_abandoned()} abandoned turns closed, {events_forget()} old events forgotten, "
        f"{deleted_conversations_expire()} deleted conversations removed, {keys_expire()} keys expired"
    )


def expire_turns() -> str:
    """Delete turns and calls of tools older than LECTORIUM_RETENTION_DAYS."""
    return f"{turns_expire()} expired turns and {tool_calls_expire()} tool calls deleted"
