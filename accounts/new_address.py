"""A new mail address for an account: asked for with the password, confirmed by a link that is mailed to the address."""

from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms import AddressForm, NewAddressForm
from accounts.fresh_sign_in import is_fresh
from accounts.links import BadLink, new_address_of, new_address_token
from accounts.mails import mail_queue
from accounts.proof import is_proved
from accounts.services import USED, account_address_change, account_with
from accounts.sign_in import no_mail, notice, too_many_mails
from accounts.throttle import may_ask_for_mail, may_be_mailed

HEADING = _("A new e-mail address")
SENT = _(
    "If {email} can be used for an account here, a mail with a link is on its way to it. Until you open the link, your "
    "address stays as it is."
)


@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_address(request: HttpRequest) -> HttpResponse:
    """Queue a mail to a new address. The answer is the same whether another account has it or not."""
    if not settings.MAIL_CONFIGURED:
        return no_mail(request)
    user = cast(User, request.user)
    form = (NewAddressForm if user.has_usable_password() else AddressForm)(request.POST or None)
    if request.method != "POST" or not (form.is_valid() and is_proved(request, user, form)):
        fresh = user.has_usable_password() or is_fresh(request.session)
        context = {"form": form, "fresh": fresh, "provider": settings.OIDC_NAME}
        return render(request, "accounts/new_address.html", context)
    if not may_ask_for_mail(request):
        return too_many_mails(request)
    email = form.cleaned_data["email"]
    if may_be_mailed(email) and may_be_mailed(user.email):
        mail_queue("mail_new_address", new_address_token(user, email), request.build_absolute_uri("/"))
    text = str(SENT).format(email=email)
    return notice(request, _("Check your mail"), text, link=reverse("account"), link_text=_("Back to my account"))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_address_confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a mailed link changes, and change it by its button: programs that look at mails open links."""
    try:
        user, email = new_address_of(token)
        if account_with(email):
            raise BadLink(USED, 410)
        if request.method == "POST":
            account_address_change(user=user, email=email)
            messages.success(request, gettext("Your address is changed."))
            return redirect("account")
    except BadLink as fault:
        again = {"link": reverse("new_address"), "link_text": _("Ask for a new mail")}
        return notice(request, HEADING, str(fault), fault.status, **again)
    return render(request, "accounts/new_address_confirm.html", {"name": user.get_username(), "email": email})
