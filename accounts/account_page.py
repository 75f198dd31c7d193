"""The page of one's own account: preferences, the data as a file, signing out everywhere, and deletion."""

from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.data_export import export_file
from accounts.forms import PasswordForm, ProfileForm
from accounts.fresh_sign_in import is_fresh
from accounts.models import Profile, ProviderIdentity
from accounts.proof import is_proved
from accounts.services import account_delete, sessions_end
from accounts.sign_in import notice, with_language_of

DELETED = _("Your account, your conversations and your feedback are deleted. Backups keep them for a while.")
STAFF = _("This account belongs to the staff, whose edits and reviews carry its name. Ask the operator to delete it.")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Show the account, and store preferences."""
    user = _user(request)
    profile = Profile.objects.filter(user=user).first() or Profile(user=user)
    form = ProfileForm(request.POST or None, instance=profile)
    if request.method == "POST" and form.is_valid():
        form.save()
        with translation.override(profile.language or translation.get_language()):
            messages.success(request, gettext("Saved."))
        return with_language_of(user, redirect("account"))
    context = {
        "form": form,
        "connected": settings.OIDC_NAME if ProviderIdentity.objects.filter(user=user).exists() else "",
        "has_password": user.has_usable_password(),
        "can_mail": settings.MAIL_CONFIGURED,
    }
    return render(request, "accounts/account.html", context)


@login_required
@require_safe
@never_cache
def account_export(request: HttpRequest) -> FileResponse:
    return FileResponse(export_file(request, _user(request)), as_attachment=True, filename="lectorium-my-data.zip")


@login_required
@require_POST
@never_cache
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    sessions_end(user_id=_user(request).pk)
    logout(request)
    back = {"link": reverse("login"), "link_text": _("Sign in")}
    return notice(request, _("Signed out"), _("You are signed out in every browser."), 200, **back)


@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def account_delete_page(request: HttpRequest) -> HttpResponse:
    """Delete the account, with its password or, for one without a password, after a fresh sign-in."""
    user = _user(request)
    if user.is_staff:
        return notice(request, _("Delete my account"), STAFF, status=403)
    form = PasswordForm(request.POST or None) if user.has_usable_password() else None
    if request.method == "POST" and is_proved(request, user, form):
        account_delete(user=user)
        logout(request)
        return notice(request, _("Deleted"), DELETED)
    context = {"form": form, "fresh": is_fresh(request.session), "provider": settings.OIDC_NAME}
    return render(request, "accounts/delete.html", context)


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)  # behind login_required
