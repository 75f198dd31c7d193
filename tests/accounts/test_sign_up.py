"""Signing up by a mailed link or an invitation: what is made, when, and what each bad input is told."""

import time

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse
from django.utils import timezone

from accounts.links import BadLink, address_of, invitation_key_of, invitation_token, sign_up_token
from accounts.models import Invitation
from accounts.services import INVITATION_VALID, account_create
from accounts.tasks import mail_invitation
from tests.accounts.conftest import PASSWORD, link_in, mails_of_the_worker

pytestmark = pytest.mark.django_db
BOB = {"email": "Bob@site.test"}
NEW = {"username": "bob", "password1": PASSWORD, "password2": PASSWORD}


def text_of(response):
    return response.content.decode()


def invited(email="bob@site.test", **facts):
    return Invitation.objects.create(email=email, **{"expires_at": timezone.now() + INVITATION_VALID, **facts})


def path_of(invitation):
    return reverse("invitation", args=[invitation_token(invitation.pk)])


def test_a_stranger_signs_up_by_a_mail_and_is_signed_in(site, client, send):
    assert "on its way" in text_of(send("/sign-up/", BOB))
    assert not User.objects.exists()
    [message] = mails_of_the_worker()
    assert message.to == ["Bob@site.test"]
    path = link_in(message)
    assert "For the address Bob@site.test" in text_of(client.get(path))
    assert client.post(path, NEW).headers["Location"] == "/"
    bob = User.objects.get()
    assert (bob.username, bob.email, bob.is_staff, bob.check_password(PASSWORD)) == (
        "bob",
        "Bob@site.test",
        False,
        True,
    )
    assert [group.name for group in bob.groups.all()] == ["reader"]
    assert client.session["_auth_user_id"] == str(bob.pk)


def test_the_answer_and_its_queries_are_the_same_for_an_address_that_has_an_account(
    site, alice, client, send, django_assert_num_queries
):
    with django_assert_num_queries(1):
        unknown = text_of(send("/sign-up/", {"email": "nobody@site.test"}))
    with django_assert_num_queries(1):
        known = text_of(send("/sign-up/", {"email": "ALICE@site.test"}))
    assert known.replace("ALICE@", "nobody@").split("csrf")[0] == unknown.split("csrf")[0]
    *_, message = mails_of_the_worker()
    assert "which has one already. Its username is alice." in message.body
    assert message.to == ["alice@site.test"]


@pytest.mark.parametrize(("language", "subject"), [("de", "Ihr Konto"), ("hi", "आपका खाता"), ("fr", "Your account")])
def test_a_mail_is_in_the_language_of_the_page_that_it_was_asked_for_on(site, send, language, subject):
    send("/sign-up/", BOB, headers={"accept-language": language})
    [message] = mails_of_the_worker()
    assert message.subject == f"Lectorium: {subject}"


def test_a_mail_that_the_server_refuses_stays_in_the_queue_and_is_sent_later(site, send, monkeypatch):
    send("/sign-up/", BOB)
    with monkeypatch.context() as broken:
        broken.setattr("accounts.mails.send_mail", lambda *mail: (_ for _ in ()).throw(ConnectionRefusedError()))
        with pytest.raises(ConnectionRefusedError):
            mails_of_the_worker()
    assert len(mails_of_the_worker()) == 1


def test_mails_to_an_address_and_at_the_wish_of_a_network_are_limited(site, send):
    pages = [text_of(send("/sign-up/", BOB)) for _ in range(5)]
    assert all("on its way" in page for page in pages)  # who asks does not learn that others have asked
    assert len(mails_of_the_worker()) == site.ACCOUNT_MAILS_TO_AN_ADDRESS == 3
    answers = [send("/password/reset/", {"email": f"{n}@site.test"}).status_code for n in range(26)]
    assert answers == [200] * 25 + [429]
    assert send("/sign-up/", BOB, REMOTE_ADDR="192.0.2.9").status_code == 200
    assert "Try again in an hour" in text_of(send("/sign-up/", BOB))


def test_without_a_cache_no_mail_is_sent(site, send, monkeypatch):
    monkeypatch.setattr("django.core.cache.backends.locmem.LocMemCache.add", lambda *args: 1 / 0)
    assert send("/sign-up/", BOB).status_code == 429
    assert mails_of_the_worker() == []


@pytest.mark.parametrize(
    "email", ["", "bob", "bob@", "@site.test", "bob@site.test\nCc: eve@site.test", "a" * 250 + "@b.c"]
)
def test_what_is_not_an_address_is_refused_in_a_sentence_and_sends_nothing(site, send, email):
    page = text_of(send("/sign-up/", {"email": email}))
    assert "This is not an e-mail address." in page or "This field is required." in page
    assert mails_of_the_worker() == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"username": "alice"}, "This username is taken. Choose another."),
        ({"username": "ALICE"}, "This username is taken. Choose another."),
        ({"username": "bob smith"}, "A username may contain only letters, digits and @ . + - _"),
        ({"username": "b" * 151}, "A username may have at most 150 characters."),
        ({"password2": "other"}, "The two passwords are not the same."),
        ({"password1": "x1y2", "password2": "x1y2"}, "This password is too short."),
        ({"password1": "password1", "password2": "password1"}, "This password is too common."),
        ({"password1": "7306112288", "password2": "7306112288"}, "This password is entirely numeric."),
        ({"password1": "bob@site.test", "password2": "bob@site.test"}, "The password is too similar to the"),
    ],
)  # fmt: skip
def test_a_bad_name_or_password_is_told_in_one_sentence_and_makes_no_account(site, client, alice, change, says):
    page = text_of(client.post(reverse("sign_up_finish", args=[sign_up_token("bob@site.test")]), NEW | change))
    assert says in page
    assert page.count("form-error") == 1
    assert not User.objects.filter(email="bob@site.test").exists()


def test_a_name_that_somebody_takes_meanwhile_is_told_too(site, client, monkeypatch):
    invitation = invited()

    def taken_meanwhile(**values):
        User.objects.create_user("bob")
        return account_create(**values)

    monkeypatch.setattr("accounts.sign_up.account_create", taken_meanwhile)
    assert "This username is taken. Choose another." in text_of(client.post(path_of(invitation), NEW))
    assert not User.objects.filter(email="bob@site.test").exists()
    assert Invitation.objects.get().is_open


@pytest.mark.parametrize(
    ("spoil", "says", "status"),
    [
        (lambda token: token[:-1], "not one of ours", 404),
        (lambda token: token.partition(":")[0], "not one of ours", 404),
        (lambda token: signing.dumps("bob@site.test", salt="another"), "not one of ours", 404),
        (lambda token: invitation_token("00000000-0000-0000-0000-000000000007"), "not one of ours", 404),
    ],
)
def test_a_link_that_is_not_ours_is_told_apart(site, client, spoil, says, status):
    response = client.get(reverse("sign_up_finish", args=[spoil(sign_up_token("bob@site.test"))]))
    assert (response.status_code, says in text_of(response)) == (status, True)


def test_a_link_is_valid_for_three_days_and_makes_one_account(site, client, monkeypatch):
    token, now = sign_up_token("bob@site.test"), time.time()
    path = reverse("sign_up_finish", args=[token])
    with monkeypatch.context() as later:
        later.setattr("django.core.signing.time.time", lambda: now + 3 * 86_400 + 5)
        response = client.get(path)
        assert (response.status_code, "has expired. Ask for a new mail." in text_of(response)) == (410, True)
    assert client.post(path, NEW).status_code == 302
    client.logout()
    for response in (client.get(path), client.post(path, NEW | {"username": "bobby"})):
        assert (response.status_code, "This link has been used" in text_of(response)) == (410, True)
    assert User.objects.count() == 1


def test_of_two_tabs_with_one_link_the_second_makes_no_account(db):
    account_create(email="bob@site.test", username="bob", password=PASSWORD)
    with pytest.raises(BadLink, match="has been used"):
        account_create(email="BOB@site.test", username="bobby", password=PASSWORD)


@pytest.mark.parametrize("token", ["", "x", "a:b:c", "é", "%00", "a" * 5000, "1:2"])
def test_any_text_in_place_of_a_token_is_an_unknown_link(token):
    for read in (address_of, invitation_key_of):
        with pytest.raises(BadLink, match="not one of ours"):
            read(token)


def test_who_is_invited_signs_up_once(site, client):
    site.SIGN_UP = "invitation"
    path = path_of(invited())
    assert "For the address bob@site.test" in text_of(client.get(path))
    assert client.post(path, NEW).status_code == 302
    assert Invitation.objects.get().used_at
    client.logout()
    response = client.post(path, NEW | {"username": "bobby"})
    assert (response.status_code, "has been used" in text_of(response)) == (410, True)


def test_an_invitation_that_expired_was_withdrawn_or_is_another_sites_is_told_apart(site, client):
    expired, withdrawn = invited(expires_at=timezone.now()), invited("eve@site.test")
    withdrawn_path = path_of(withdrawn)
    withdrawn.delete()
    for path, says, status in (
        (path_of(expired), "has expired. Ask the person who invited you", 410),
        (withdrawn_path, "was withdrawn. Ask the person who invited you", 410),
        (path_of(expired)[:-3] + "/", "not one of ours", 404),
    ):
        response = client.post(path, NEW)
        assert (response.status_code, says in text_of(response)) == (status, True), path
    assert not User.objects.exists()


def test_an_invitation_is_mailed_while_it_can_be_used(site):
    invitation = invited()
    assert mail_invitation(str(invitation.pk), "http://testserver/", "de") == "1 mail sent"
    Invitation.objects.update(used_at=timezone.now())
    assert "not open any more" in mail_invitation(str(invitation.pk), "http://testserver/", "de")


@pytest.mark.parametrize(
    ("mode", "statuses"),
    [("off", (404, 404, 404)), ("invitation", (200, 404, 200)), ("open", (200, 200, 200))],
)
def test_each_setting_opens_the_pages_that_it_names(site, client, mode, statuses):
    site.SIGN_UP = mode
    paths = ("/sign-up/", reverse("sign_up_finish", args=[sign_up_token("bob@site.test")]), path_of(invited()))
    assert tuple(client.get(path).status_code for path in paths) == statuses
    assert ("Create an account" in text_of(client.get("/login/"))) is (mode == "open")


def test_by_invitation_the_page_asks_for_no_address(site, client, send):
    site.SIGN_UP = "invitation"
    assert "by invitation" in text_of(send("/sign-up/", BOB))
    assert mails_of_the_worker() == []


def test_a_site_without_mail_says_so_and_offers_no_mail(site, client):
    site.MAIL_CONFIGURED = False
    for path in ("/sign-up/", "/password/reset/"):
        response = client.post(path, BOB)
        assert (response.status_code, "cannot send mail at present" in text_of(response)) == (503, True)
    assert "Forgot your password" not in text_of(client.get("/login/"))


def test_staff_invite_in_admin_by_mail_or_where_there_is_none_by_hand(site, client, alice, send):
    client.force_login(User.objects.create_superuser("root"))
    add = reverse("admin:accounts_invitation_add")
    assert send(add, {"email": "bob@site.test"}).status_code == 302
    [message] = mails_of_the_worker()
    assert (message.to, Invitation.objects.get().made_by.username) == (["bob@site.test"], "root")
    assert client.get(link_in(message)).status_code == 200
    assert "There is an account with this address." in text_of(send(add, {"email": "Alice@site.test"}))
    again = {"action": "send_again", "_selected_action": [str(Invitation.objects.get().pk)]}
    send(reverse("admin:accounts_invitation_changelist"), again)
    assert len(mails_of_the_worker()) == 1
    site.MAIL_CONFIGURED = False
    page = text_of(send(add, {"email": "eve@site.test"}, follow=True))
    assert "/invitation/" in page
