"""`manage.py mcp`: tools for an assistant that starts this process, over stdin and stdout (docs/seeding.md)."""

from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.api.models import Token
from chat.mcp.callers import ToolRefused, caller_named, caller_of_token, caller_source
from chat.mcp.server import tool_server


class Command(BaseCommand):
    help = "Serve the tools for an assistant over stdin and stdout, as an account or with LECTORIUM_MCP_TOKEN."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", help="The account to act as. Without it, the owner of LECTORIUM_MCP_TOKEN.")
        parser.add_argument(
            "--access", choices=Token.Access.values, default=Token.Access.DRAFT,
            help="With --user: what the assistant may do; never more than the account may. Default: draft.",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        if options["user"]:
            source = partial(caller_named, options["user"], options["access"])
        elif settings.MCP_TOKEN:
            source = partial(caller_of_token, settings.MCP_TOKEN, "stdio")
        else:
            raise CommandError("Name an account with --user NAME, or set LECTORIUM_MCP_TOKEN to a token.")
        try:
            source()
        except ToolRefused as error:
            raise CommandError(str(error)) from error
        caller_source.set(source)
        tool_server().run("stdio")
