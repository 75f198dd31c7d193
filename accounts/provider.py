"""Signing in with an OpenID Connect provider. Authlib checks state, nonce, PKCE, signature, issuer and audience.

An account belongs to a subject of the provider, never to a mail address that the provider names: a subject that is new
here and names the address of an account is asked for that account's password first.
"""

import logging
from collections.abc import Mapping
from functools import cache
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.django_client import OAuth
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from joserfc.errors import JoseError
from requests import RequestException

from accounts.links import BadLink
from accounts.models import ProviderIdentity
from accounts.services import account_with, provider_account_create
from accounts.sign_in import PASSWORDS, PENDING, notice, with_language_of

log = logging.getLogger(__name__)
NEXT = "provider_next"
SECONDS = 10
# What Authlib raises for a provider that is away, answers nonsense, or answers another request than ours.
FAULTS = (AuthlibBaseError, JoseError, RequestException, ValueError, KeyError, TypeError, RuntimeError)


@require_safe
@never_cache
def provider_start(request: HttpRequest) -> HttpResponse:
    """Lead to the provider. `next`: a page of this site to come back to; `again`: the provider asks who it is anew."""
    client, wanted = _client(), request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    request.session[NEXT] = wanted if is_ours else reverse("chat")
    more = {"prompt": "login"} if "again" in request.GET else {}
    try:
        there: HttpResponse = client.authorize_redirect(
            request, request.build_absolute_uri(reverse("provider_callback")), **more
        )
    except FAULTS as error:
        return _failed(request, error, gettext("%(provider)s cannot be reached at present. Try again later."), 502)
    return there


@require_safe
@never_cache
def provider_callback(request: HttpRequest) -> HttpResponse:
    """Sign in whom the provider names, or say in a sentence why not."""
    try:
        claims = _claims(_client(), request)
    except FAULTS as error:
        return _failed(request, error, gettext("%(provider)s did not sign you in. Try again."), 400)
    issuer, subject = str(claims["iss"]), str(claims["sub"])
    identity = ProviderIdentity.objects.filter(issuer=issuer, subject=subject).select_related("user").first()
    if identity:
        return _signed_in(request, identity.user)
    email = str(claims.get("email") or "") if claims.get("email_verified") is True else ""
    if account_with(email):
        request.session[PENDING] = {"issuer": issuer, "subject": subject, "email": email}
        return redirect("login")
    if not settings.OIDC_NEW_ACCOUNTS:
        return notice(request, _("No account"), _("You have no account here. Ask the operator of this site."), 403)
    wanted_name = str(claims.get("preferred_username") or email.partition("@")[0])
    try:
        user = provider_account_create(issuer=issuer, subject=subject, email=email, wanted_name=wanted_name)
    except (BadLink, IntegrityError):  # the address, the name or the subject got its account meanwhile
        return redirect("login")
    return _signed_in(request, user)


def _claims(client: Any, request: HttpRequest) -> Mapping[str, Any]:
    """The claims of the token, with those that the provider only gives when it is asked for them."""
    token = client.authorize_access_token(request)
    claims: Mapping[str, Any] = token["userinfo"]
    if "email" in claims or not client.load_server_metadata().get("userinfo_endpoint"):
        return claims
    more = client.userinfo(token=token)
    return {**more, **claims} if more["sub"] == claims["sub"] else claims


def _signed_in(request: HttpRequest, user: User) -> HttpResponse:
    if not user.is_active:
        return notice(request, _("No account"), _("This account is closed. Ask the operator of this site."), 403)
    there = request.session.pop(NEXT, reverse("chat"))
    login(request, user, backend=PASSWORDS)
    return with_language_of(user, HttpResponseRedirect(there))


def _failed(request: HttpRequest, error: Exception, text: str, status: int) -> HttpResponse:
    log.warning("signing in with the provider failed: %s: %r", type(error).__name__, str(error)[:200])
    back = {"link": reverse("login"), "link_text": _("Sign in")}
    return notice(request, _("Not signed in"), text % {"provider": settings.OIDC_NAME}, status, **back)


def _client() -> Any:
    if not settings.OIDC_ISSUER:
        raise Http404("No provider is set up.")
    return _client_of(settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)


@cache
def _client_of(issuer: str, client_id: str, secret: str) -> Any:
    """One client for the process, so that the provider's addresses and keys are fetched once."""
    return OAuth().register(
        "provider",
        client_id=client_id,
        client_secret=secret,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256", "default_timeout": SECONDS},
    )
