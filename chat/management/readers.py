"""The --user and --conversation options of commands about a reader's conversations."""

from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError, CommandParser
from django.db.models import QuerySet

from chat.models import Conversation


def add_reader_arguments(parser: CommandParser) -> None:
    """--conversation serves readers without an account."""
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--user", help="All conversations of this account, by user name.")
    choice.add_argument("--conversation", help="One conversation, by the id in its URL.")


def conversations_of(options: dict[str, Any]) -> QuerySet[Conversation]:
    """The chosen conversations, oldest first. Raises CommandError for an unknown account or conversation."""
    if options["user"]:
        user = get_user_model().objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no account named {options['user']!r}.")
        return Conversation.objects.filter(owner_id=user.pk).order_by("created_at")
    try:
        found = Conversation.objects.filter(pk=UUID(options["conversation"]))
    except ValueError as error:
        raise CommandError(f"{options['conversation']!r} is not a conversation id.") from error
    if not found.exists():
        raise CommandError(f"There is no conversation {options['conversation']}.")
    return found
