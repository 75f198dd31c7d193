"""Whose conversations a command is about."""

from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError, CommandParser
from django.db.models import QuerySet

from chat.models import Conversation


def add_reader_arguments(parser: CommandParser) -> None:
    """Ask for an account, or for one conversation: that is how a reader without an account can be served."""
    whose = parser.add_mutually_exclusive_group(required=True)
    whose.add_argument("--user", help="All conversations of the account of this name.")
    whose.add_argument("--conversation", help="One conversation, by the id in its page's address.")


def conversations_of(options: dict[str, Any]) -> QuerySet[Conversation]:
    """Return the conversations meant, oldest first. Raises CommandError where the account or conversation is none."""
    if options["user"]:
        user = get_user_model().objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no account named {options['user']!r}.")
        return Conversation.objects.filter(owner_id=user.pk).order_by("created_at")
    try:
        found = Conversation.objects.filter(pk=UUID(options["conversation"]))
    except ValueError as error:
        raise CommandError(f"{options['conversation']!r} is not the id of a conversation.") from error
    if not found.exists():
        raise CommandError(f"There is no conversation {options['conversation']}.")
    return found
