"""Invitations in admin: made, mailed, sent again, and withdrawn by deletion."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.mails import invitation_link, mail_queue
from accounts.models import Invitation
from accounts.services import INVITATION_VALID, account_with


class InvitationForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        if account_with(email):
            raise ValidationError(gettext("There is an account with this address."))
        return email


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = InvitationForm
    list_display = ("email", "made_by", "made_at", "expires_at", "used_at")
    list_select_related = ("made_by",)
    search_fields = ("email",)
    actions = ("send_again",)
    fields = ("email",)

    def get_readonly_fields(self, request: HttpRequest, obj: Invitation | None = None) -> tuple[str, ...]:
        return ("email", "made_by", "made_at", "expires_at", "used_at") if obj else ()

    def get_fields(self, request: HttpRequest, obj: Invitation | None = None) -> tuple[str, ...]:
        return self.get_readonly_fields(request, obj) or ("email",)

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        if not change:
            obj.made_by, obj.expires_at = request.user, timezone.now() + INVITATION_VALID  # type: ignore[assignment]
            super().save_model(request, obj, form, change)
            self._send(request, obj)

    @admin.action(description=_("Send the selected invitations again"), permissions=["change"])
    def send_again(self, request: HttpRequest, invitations: QuerySet[Invitation]) -> None:
        for invitation in invitations.filter(used_at=None):
            Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now() + INVITATION_VALID)
            self._send(request, invitation)

    def _send(self, request: HttpRequest, invitation: Invitation) -> None:
        site = request.build_absolute_uri("/")
        if settings.SIGN_UP == "off":
            self.message_user(
                request, gettext("LECTORIUM_SIGN_UP is off, so the link does not work yet."), messages.WARNING
            )
        if settings.MAIL_CONFIGURED:
            mail_queue("mail_invitation", invitation.pk, site)
            self.message_user(
                request,
                gettext("A mail to {address} is on its way.").format(address=invitation.email),
                messages.SUCCESS,
            )
        else:
            link = invitation_link(invitation, site)
            said = gettext("No mail is set up. Send {address} this link: {link}")
            self.message_user(request, said.format(address=invitation.email, link=link), messages.WARNING)
