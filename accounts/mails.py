"""The mails of accounts. The worker writes and sends them, so that a page takes as long for a known address as for an
unknown one, and a mail server that is down loses nothing."""

from urllib.parse import urljoin

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.formats import date_format
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language, gettext
from django_q.tasks import async_task

from accounts.links import invitation_token, new_address_token, sign_up_token
from accounts.models import Invitation


def mail_queue(job: str, subject: object, site: str) -> None:
    """Queue a mail once the transaction is committed. Of what succeeds no record is kept, because it names an address.

    job: of `accounts.tasks`. site: the address that links begin with.
    """
    values = (str(subject), site, get_language() or settings.LANGUAGE_CODE)
    transaction.on_commit(lambda: async_task(f"accounts.tasks.{job}", *values, save=False))


def sign_up_mail(email: str, site: str) -> None:
    link = urljoin(site, reverse("sign_up_finish", args=[sign_up_token(email)]))
    text = gettext(
        "Someone, hopefully you, asked for an account on %(site)s with this address.\n\n"
        "Open this link within three days to choose a username and a password:\n\n%(link)s\n\n"
        "If it was not you, do nothing: without the link there is no account."
    )
    _send(email, gettext("Your account"), text % {"site": site, "link": link})


def known_address_mail(user: User, site: str) -> None:
    text = gettext(
        "Someone, hopefully you, asked for an account on %(site)s with this address, which has one already. "
        "Its username is %(name)s.\n\nSign in:\n\n%(sign_in)s\n\nIf you have forgotten the password:\n\n%(reset)s\n\n"
        "If it was not you, do nothing: your account is as it was."
    )
    pages = {"sign_in": urljoin(site, reverse("login")), "reset": urljoin(site, reverse("password_reset"))}
    _send(user.email, gettext("Your account"), text % {"site": site, "name": user.get_username(), **pages})


def reset_mail(user: User, site: str) -> None:
    key = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("password_reset_confirm", args=[key, default_token_generator.make_token(user)])
    text = gettext(
        "Someone, hopefully you, asked for a new password on %(site)s. Your username there is %(name)s.\n\n"
        "Open this link within three days to choose one:\n\n%(link)s\n\n"
        "If it was not you, do nothing: your password is as it was."
    )
    values = {"site": site, "name": user.get_username(), "link": urljoin(site, path)}
    _send(user.email, gettext("A new password"), text % values)


def no_password_mail(user: User, site: str) -> None:
    text = gettext(
        "Someone, hopefully you, asked for a new password on %(site)s. Your account there has none: "
        "you sign in with %(provider)s:\n\n%(sign_in)s"
    )
    values = {"site": site, "provider": settings.OIDC_NAME, "sign_in": urljoin(site, reverse("login"))}
    _send(user.email, gettext("A new password"), text % values)


def new_address_mail(user: User, email: str, site: str) -> None:
    text = gettext(
        "Someone, hopefully you, wants to use this address for the account %(name)s on %(site)s.\n\n"
        "Open this link within three days to confirm it:\n\n%(link)s\n\n"
        "If it was not you, do nothing: the account is as it was."
    )
    link = urljoin(site, reverse("new_address_confirm", args=[new_address_token(user, email)]))
    _send(email, gettext("Your new address"), text % {"site": site, "name": user.get_username(), "link": link})


def old_address_mail(user: User, email: str, site: str) -> None:
    """Tell the address until now while the link to the new one can still be made useless."""
    text = gettext(
        "Someone, hopefully you, asked to change the address of your account %(name)s on %(site)s to %(email)s. "
        "It changes once the link in the mail to that address is opened.\n\n"
        "If it was not you, change your password now, and the link no longer works:\n\n%(page)s"
    )
    page = urljoin(site, reverse("password_change"))
    values = {"site": site, "name": user.get_username(), "email": email, "page": page}
    _send(user.email, gettext("Your address is to change"), text % values)


def invitation_link(invitation: Invitation, site: str) -> str:
    return urljoin(site, reverse("invitation", args=[invitation_token(invitation.pk)]))


def invitation_mail(invitation: Invitation, site: str) -> None:
    text = gettext(
        "You are invited to %(site)s.\n\nOpen this link by %(day)s to choose a username and a password:\n\n%(link)s"
    )
    values = {
        "site": site,
        "day": date_format(invitation.expires_at, gettext("j F Y")),
        "link": invitation_link(invitation, site),
    }
    _send(invitation.email, gettext("An invitation"), text % values)


def _send(to: str, subject: str, text: str) -> None:
    send_mail(f"Lectorium: {subject}", text, settings.DEFAULT_FROM_EMAIL, [to])
