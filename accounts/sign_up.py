"""Signing up: an address, a mail with a link, then a name and a password. The account is made with the last step."""

from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms import NAME_TAKEN, AddressForm, NewAccountForm
from accounts.links import BadLink, address_of, invitation_key_of
from accounts.mails import mail_queue
from accounts.models import Invitation
from accounts.services import USED, account_create, account_with, invitation_of
from accounts.sign_in import PASSWORDS, no_mail, notice, too_many_mails
from accounts.throttle import may_ask_for_mail, may_be_mailed

BY_INVITATION = _("This site is by invitation. Open the link in the mail that invited you.")
SENT = _(
    "If {email} can have an account here, a mail with a link is on its way to it. "
    "Nothing came? Look among unwanted mail, or send it again after a minute."
)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sign_up(request: HttpRequest) -> HttpResponse:
    """Ask for an address and queue a mail to it. The answer is the same for known and unknown addresses."""
    if settings.SIGN_UP == "off":
        raise Http404("Nobody can sign up here.")
    if request.user.is_authenticated:
        return redirect("account")
    if settings.SIGN_UP == "invitation":
        return notice(request, _("Create an account"), BY_INVITATION)
    if not settings.MAIL_CONFIGURED:
        return no_mail(request)
    form = AddressForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/sign_up.html", {"form": form})
    if not may_ask_for_mail(request):
        return too_many_mails(request)
    email = form.cleaned_data["email"]
    if may_be_mailed(email):
        mail_queue("mail_sign_up", email, request.build_absolute_uri("/"))
    return mail_sent(request, email)


def mail_sent(request: HttpRequest, email: str) -> HttpResponse:
    """The page after a mail was asked for, from which it can be sent again."""
    context = {"text": str(SENT).format(email=email), "email": email}
    return render(request, "accounts/mail_sent.html", context)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sign_up_finish(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account of a mailed link."""
    if settings.SIGN_UP != "open":
        raise Http404("Nobody can sign up here without an invitation.")
    try:
        email = address_of(token)
        if account_with(email):
            raise BadLink(USED, 410)
        return _name_and_password(request, email)
    except BadLink as fault:
        again = {"link": reverse("sign_up"), "link_text": _("Ask for a new mail")}
        return notice(request, _("Create an account"), str(fault), fault.status, **again)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account of an invitation."""
    if settings.SIGN_UP == "off":
        raise Http404("Nobody can sign up here.")
    try:
        invited = invitation_of(invitation_key_of(token))
        return _name_and_password(request, invited.email, invited)
    except BadLink as fault:
        return notice(request, _("Create an account"), str(fault), status=fault.status)


def _name_and_password(request: HttpRequest, email: str, invited: Invitation | None = None) -> HttpResponse:
    """Raises BadLink where another tab has used the link meanwhile."""
    form = NewAccountForm(request.POST or None, email=email)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/sign_up_finish.html", {"form": form, "email": email})
    name, password = form.cleaned_data["username"], form.cleaned_data["password1"]
    try:
        user = account_create(email=email, username=name, password=password, invitation=invited)
    except IntegrityError:  # somebody took the name meanwhile
        form.add_error("username", str(NAME_TAKEN))
        return render(request, "accounts/sign_up_finish.html", {"form": form, "email": email})
    login(request, user, backend=PASSWORDS)
    return redirect("chat")
