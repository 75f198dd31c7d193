"""`manage.py forget_user --user NAME --yes`: deletes a reader's conversations. Export them first to keep a copy."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from chat.conversations.retention import conversations_forget
from chat.management.readers import add_reader_arguments, conversations_of
from chat.models import Turn


class Command(BaseCommand):
    help = (
        "Delete conversations with their turns, events, citations, audits and feedback. "
        "The account and the counts in reports stay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_reader_arguments(parser)
        parser.add_argument("--yes", action="store_true", help="Delete. Without it, only print what would be deleted.")

    def handle(self, *args: Any, **options: Any) -> None:
        keys = list(conversations_of(options).values_list("pk", flat=True))
        if not options["yes"]:
            turns = Turn.objects.filter(conversation_id__in=keys).count()
            self.stdout.write(f"Would delete {turns} turns of {len(keys)} conversations. Add --yes to delete them.")
            return
        turns = conversations_forget(conversation_ids=keys)
        self.stdout.write(f"{turns} turns of {len(keys)} conversations deleted.")
