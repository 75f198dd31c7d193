"""A new password: by a mailed link, or in place of the one until now. Django's views, with our forms and pages."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms import AddressForm, ChangedPasswordForm, NewPasswordForm
from accounts.mails import mail_queue
from accounts.sign_in import PASSWORDS, no_mail, notice, too_many_mails
from accounts.throttle import may_ask_for_mail, may_be_mailed

CHANGED = _("Your password is changed. Every other browser is signed out.")
SENT = _(
    "If there is an account with {email}, a mail with a link is on its way to it. "
    "Nothing came? Look among unwanted mail, or send it again after a minute."
)
BAD_RESET = _("This link was used or has expired, or a part of it is missing. Ask for a new mail.")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def password_reset(request: HttpRequest) -> HttpResponse:
    """Queue a mail to an address. The answer is the same whether it has an account or not."""
    if not settings.MAIL_CONFIGURED:
        return no_mail(request)
    form = AddressForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/password_reset.html", {"form": form})
    if not may_ask_for_mail(request):
        return too_many_mails(request)
    email = form.cleaned_data["email"]
    if may_be_mailed(email):
        mail_queue("mail_reset", email, request.build_absolute_uri("/"))
    return render(request, "accounts/mail_sent.html", {"text": str(SENT).format(email=email), "email": email})


class PasswordResetConfirm(PasswordResetConfirmView):
    """Django moves the token from the address into the session, so that no other page learns it."""

    form_class = NewPasswordForm
    template_name = "accounts/password_new.html"
    success_url = reverse_lazy("account")
    post_reset_login = True
    post_reset_login_backend = PASSWORDS

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        if self.validlink:
            return super().render_to_response(context, **kwargs)
        again = {"link": reverse_lazy("password_reset"), "link_text": _("Ask for a new mail")}
        return notice(self.request, _("A new password"), BAD_RESET, status=410, **again)

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, CHANGED)
        return super().form_valid(form)


class PasswordChange(PasswordChangeView):
    form_class = ChangedPasswordForm
    template_name = "accounts/password_new.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, CHANGED)
        return super().form_valid(form)
