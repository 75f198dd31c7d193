"""Texts of Django and its REST framework whose translation there is missing, wrong or not in our tone.

They are listed so that our catalogues, which come before Django's, have them. Nothing calls this.
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext, npgettext, pgettext

SIGN_IN = (
    _("Username"),
    _("Password"),
    _("This field is required."),
    _("This account is inactive."),
    _("Please enter a correct %(username)s and password. Note that both fields may be case-sensitive."),
)
NEW_PASSWORDS = (
    _("New password"),
    _("This password is too common."),
    _("This password is entirely numeric."),
    _("The password is too similar to the %(verbose_name)s."),
    _("username"),
    _("email address"),
)
REFUSED_REQUESTS = (
    _('Method "{method}" not allowed.'),
    _('Unsupported media type "{media_type}" in request.'),
)
MONTHS = (
    _("January"), _("February"), _("March"), _("April"), _("May"), _("June"),
    _("July"), _("August"), _("September"), _("October"), _("November"), _("December"),
)  # fmt: skip


def short_password(count: int) -> str:
    return ngettext(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        count,
    )


def ordinals() -> tuple[str, ...]:
    """What `ordinal` says of a rank, by its last digit."""
    return (
        pgettext("ordinal 11, 12, 13", "{}th"),
        pgettext("ordinal 0", "{}th"),
        pgettext("ordinal 1", "{}st"),
        pgettext("ordinal 2", "{}nd"),
        pgettext("ordinal 3", "{}rd"),
        pgettext("ordinal 4", "{}th"),
        pgettext("ordinal 5", "{}th"),
        pgettext("ordinal 6", "{}th"),
        pgettext("ordinal 7", "{}th"),
        pgettext("ordinal 8", "{}th"),
        pgettext("ordinal 9", "{}th"),
    )


def times_past(count: int) -> tuple[str, ...]:
    """What `naturaltime` says of a moment in the past."""
    return (
        _("now"),
        _("%(delta)s ago"),
        ngettext("a second ago", "%(count)s seconds ago", count),
        ngettext("a minute ago", "%(count)s minutes ago", count),
        ngettext("an hour ago", "%(count)s hours ago", count),
        npgettext("naturaltime-past", "%(num)d year", "%(num)d years", count),
        npgettext("naturaltime-past", "%(num)d month", "%(num)d months", count),
        npgettext("naturaltime-past", "%(num)d week", "%(num)d weeks", count),
        npgettext("naturaltime-past", "%(num)d day", "%(num)d days", count),
        npgettext("naturaltime-past", "%(num)d hour", "%(num)d hours", count),
        npgettext("naturaltime-past", "%(num)d minute", "%(num)d minutes", count),
    )
