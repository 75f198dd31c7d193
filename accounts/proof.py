"""Whether it is the reader who asks, before what cannot be undone."""

from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest

from accounts.forms import WRONG_PASSWORD
from accounts.fresh_sign_in import is_fresh


def is_proved(request: HttpRequest, user: User, form: Any) -> bool:
    """By the password in the form, or for an account without one by a fresh sign-in.

    A wrong password counts toward the pause of signing in. form: None where nothing is filled in.
    """
    if not user.has_usable_password():
        return is_fresh(request.session)
    if not form.is_valid():
        return False
    if authenticate(request, username=user.get_username(), password=form.cleaned_data["password"]) is not None:
        return True
    form.add_error("password", str(WRONG_PASSWORD))
    return False
