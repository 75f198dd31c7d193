"""`manage.py api_token create|list|revoke`: manages tokens of the API."""

from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.api.models import Token
from chat.api.services import token_create, token_revoke


class Command(BaseCommand):
    help = "Create, list and revoke API tokens."

    def add_arguments(self, parser: CommandParser) -> None:
        does = parser.add_subparsers(dest="does", required=True)
        create = does.add_parser("create", help="Create a token and print it on stdout. It cannot be printed again.")
        create.add_argument("--user", required=True, help="The user name of the account that the token acts as.")
        create.add_argument("--name", required=True, help="The purpose of the token.")
        create.add_argument(
            "--access", choices=Token.Access.values, default=Token.Access.READ,
            help="What assistants may do with it; never more than its owner may. Default: read.",
        )  # fmt: skip
        does.add_parser("list", help="List the tokens of an account.").add_argument("--user", required=True)
        does.add_parser("revoke", help="Revoke a token permanently.").add_argument("id", help="As `list` prints it.")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, f"_{options['does']}")(options)

    def _create(self, options: dict[str, Any]) -> None:
        token, secret = token_create(owner=_account(options["user"]), name=options["name"], access=options["access"])
        self.stderr.write(f"Token {token.pk} of {options['user']}. It is shown only now:")
        self.stdout.write(secret)

    def _list(self, options: dict[str, Any]) -> None:
        for token in Token.objects.filter(owner_id=_account(options["user"]).pk):
            used = f"last used {token.last_used_at:%Y-%m-%d %H:%M}" if token.last_used_at else "never used"
            state = f"revoked {token.revoked_at:%Y-%m-%d %H:%M}" if token.revoked_at else used
            self.stdout.write(f"{token.pk}  made {token.created_at:%Y-%m-%d}  {state}  {token.access}  {token.name}")

    def _revoke(self, options: dict[str, Any]) -> None:
        try:
            revoked = token_revoke(token_id=UUID(options["id"]))
        except ValueError as error:
            raise CommandError(f"{options['id']!r} is not a token id; `list` prints them.") from error
        if not revoked:
            raise CommandError(f"There is no valid token {options['id']}.")
        self.stdout.write(f"Token {options['id']} is revoked.")


def _account(name: str) -> AbstractBaseUser:
    user = get_user_model().objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"There is no account named {name!r}.")
    return user
