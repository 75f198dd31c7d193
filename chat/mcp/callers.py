"""Who calls a tool: the owner of a token, or the account that an operator named. Looked up anew for every call."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from chat.answering.domain.viewer import Viewer
from chat.api.authentication import REFUSED
from chat.api.models import Token
from chat.api.running_turn import QuestionSender
from chat.api.services import access_covers, token_use
from chat.conversations.viewers import viewer_of

TOO_LITTLE = "This token may not {verb}. Make one with `manage.py api_token create --access {needed}`."
STARTED_WITH_LESS = "This session may not {verb}. Start it with `manage.py mcp --access {needed}`."
NO_RIGHT = "Your account may not {verb}. An administrator gives this right in admin, under Users or Groups."
VERBS = {Token.Access.READ: "read", Token.Access.DRAFT: "draft", Token.Access.PUBLISH: "publish"}


class ToolRefused(Exception):
    """The call cannot be done; the text tells the assistant why, and what to do."""


@dataclass(frozen=True, slots=True)
class ToolCaller:
    """access: of the token, or as the operator chose. token is None for an account that the operator named.

    languages: those that titles are wanted in, the most wanted first.
    """

    user: User
    access: str
    transport: str
    token: UUID | None = None
    address: str = ""
    languages: tuple[str, ...] = ()

    @property
    def sender(self) -> QuestionSender:
        return QuestionSender(self.user, self.address)

    def viewer(self, scope: str | None = None) -> Viewer:
        return viewer_of(self.user, None, scope)

    def require(self, access: Token.Access, *permissions: str) -> None:
        """Check the token's access and the account's rights. Raises ToolRefused."""
        if not access_covers(self.access, access):
            told = TOO_LITTLE if self.token else STARTED_WITH_LESS
            raise ToolRefused(told.format(verb=VERBS[access], needed=access.value))
        if not self.user.has_perms(permissions):
            raise ToolRefused(NO_RIGHT.format(verb=VERBS[access]))


CallerSource = Callable[[], ToolCaller]
caller_source: ContextVar[CallerSource] = ContextVar("caller_source")


def current_caller() -> ToolCaller:
    """The caller of the running call. Raises ToolRefused where the token or the account was closed meanwhile."""
    return caller_source.get()()


def caller_of_token(secret: str, transport: str, address: str = "", languages: tuple[str, ...] = ()) -> ToolCaller:
    """The owner of this token. Raises ToolRefused for one that is not known or no longer valid."""
    token = token_use(secret.encode("utf-8", "replace"))
    if token is None:
        raise ToolRefused(REFUSED)
    return ToolCaller(token.owner, token.access, transport, token.pk, address, languages)


def caller_named(name: str, access: str) -> ToolCaller:
    """The account that the operator named. Raises ToolRefused without an open one."""
    user = get_user_model().objects.filter(username=name, is_active=True).first()
    if user is None:
        raise ToolRefused(f"There is no open account named {name!r}.")
    return ToolCaller(user, access, "stdio")
