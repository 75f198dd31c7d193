"""The forms of accounts, with our words: each fault is one sentence that says what to do."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm, UserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from accounts.models import Profile
from accounts.own_retention import offered_days

BAD_ADDRESS = _("This is not an e-mail address. One looks like name@example.org.")
NAME_TAKEN = _("This username is taken. Choose another.")
BAD_NAME = _("A username may contain only letters, digits and @ . + - _")
LONG_NAME = _("A username may have at most 150 characters.")
MISMATCH = _("The two passwords are not the same.")
WRONG_PASSWORD = _("This is not your password. Try again.")
PASSWORD_HINT = _("At least 8 characters; not only digits, not like your name, and not a common password.")


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"invalid": BAD_ADDRESS, "max_length": BAD_ADDRESS},
    )


def _password_field() -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
    return forms.CharField(label=_("Password"), strip=False, widget=widget)


class NewAddressForm(AddressForm):
    """A new address, and the password that proves whose account it is."""

    password = _password_field()


class NewAccountForm(UserCreationForm):  # type: ignore[type-arg]  # Django itself takes no parameter
    """A name and a password for an address that is known already."""

    error_messages = {"password_mismatch": MISMATCH}

    class Meta:
        model = User
        fields = ("username",)

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.email = email  # so that a password like it is refused
        name = self.fields["username"]
        name.help_text = ""
        name.error_messages |= {"unique": NAME_TAKEN, "invalid": BAD_NAME, "max_length": LONG_NAME}
        self.fields["password1"].help_text = PASSWORD_HINT
        self.fields["password2"].help_text = ""
        self.fields["password2"].label = _("The password again")


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    error_messages = {"password_mismatch": MISMATCH}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _with_our_words(self.fields)


class ChangedPasswordForm(PasswordChangeForm):
    error_messages = {"password_mismatch": MISMATCH, "password_incorrect": WRONG_PASSWORD}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _with_our_words(self.fields)
        self.fields["old_password"].label = _("Current password")


class PasswordForm(forms.Form):
    password = _password_field()


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    language = forms.ChoiceField(
        label=_("Language"), required=False, help_text=_("Set in each browser when you sign in there.")
    )
    keep_days = forms.TypedChoiceField(
        label=_("Keep my conversations"), required=False, coerce=int, empty_value=None,
        help_text=_("What is older is deleted every night, for good."),
    )  # fmt: skip

    class Meta:
        model = Profile
        fields = ("language", "mode", "keep_days")
        labels = {"mode": _("Default mode")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("As the browser asks")), *settings.LANGUAGES]  # type: ignore[attr-defined]
        self.fields["keep_days"].choices = [  # type: ignore[attr-defined]
            ("", _("As long as this site keeps them")),
            *((days, DAYS[days]) for days in offered_days()),
        ]


DAYS = {7: _("7 days"), 30: _("30 days"), 90: _("90 days"), 365: _("a year")}


def _with_our_words(fields: dict[str, forms.Field]) -> None:
    fields["new_password1"].help_text = PASSWORD_HINT
    fields["new_password2"].help_text = ""
    fields["new_password2"].label = _("The new password again")
