"""The API's caller is the owner of the token in the request. Sessions are ignored."""

from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext_noop as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from chat.api.models import Token
from chat.api.services import token_use
from chat.api.throttling import count_stranger
from lectorium.web.lockout import client_address

SCHEME = "Bearer"
REFUSED = _("This token is not known, was revoked, or belongs to an account that is closed.")


class BearerAuthentication(BaseAuthentication):
    """Reads `Authorization: Bearer TOKEN`. Throttles addresses that bring no valid one."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, Token] | None:
        scheme, _, secret = get_authorization_header(request).partition(b" ")
        is_bearer = scheme.lower() == SCHEME.lower().encode()
        token = token_use(secret.strip()) if is_bearer else None
        if token is None:
            count_stranger(client_address(request._request) or "")
        if not is_bearer:
            return None
        if token is None:
            raise AuthenticationFailed(REFUSED)
        return token.owner, token

    def authenticate_header(self, request: Request) -> str:
        return f'{SCHEME} realm="Lectorium"'
