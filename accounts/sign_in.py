"""Signing in: with a password, and what every way of signing in does to the browser."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import Profile
from accounts.services import identity_connect

PENDING = "pending_identity"  # of the session: {"issuer", "subject", "email"}
PASSWORDS = "django.contrib.auth.backends.ModelBackend"  # the backend that sessions name, whichever way they began


class SignIn(LoginView):
    """Django's page, and with the right password the connection that a provider's sign-in left open."""

    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        pending = self.request.session.get(PENDING)
        return super().get_context_data(
            **kwargs,
            anonymous_chat=settings.ANONYMOUS_CHAT,
            sign_up_open=settings.SIGN_UP == "open",
            provider=settings.OIDC_NAME if settings.OIDC_ISSUER else "",
            can_reset=settings.MAIL_CONFIGURED,
            pending=pending and {**pending, "provider": settings.OIDC_NAME},
        )

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        user: User = form.get_user()
        pending = self.request.session.pop(PENDING, None)
        if pending and pending["email"].lower() == user.email.lower():
            identity_connect(user=user, issuer=pending["issuer"], subject=pending["subject"])
        return with_language_of(user, response)


def with_language_of(user: User, response: HttpResponse) -> HttpResponse:
    """Give the browser the language that the reader chose, as the switcher does."""
    language = Profile.objects.filter(user=user).values_list("language", flat=True).first()
    if language in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite="Lax",
        )
    return response


def notice(
    request: HttpRequest, heading: str | Promise, text: str | Promise, status: int = 200, **more: Any
) -> HttpResponse:
    """A page of one heading and one sentence. more: `link` with `link_text`."""
    return render(request, "accounts/notice.html", {"heading": heading, "text": text, **more}, status=status)


def too_many_mails(request: HttpRequest) -> HttpResponse:
    response = notice(
        request,
        _("Too many mails"),
        _("Too many mails were asked for from your network. Try again in an hour."),
        status=429,
    )
    response.headers["Retry-After"] = "3600"
    return response


def no_mail(request: HttpRequest) -> HttpResponse:
    return notice(
        request,
        _("Mail is not set up"),
        _("This site cannot send mail at present, so this does not work. Tell the operator of this site."),
        status=503,
    )
