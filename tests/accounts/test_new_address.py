"""A reader changes the address of an account: the password, a mail to the new address, a notice to the old one."""

import time

import pytest
from django.contrib.auth.models import User

from tests.accounts.conftest import PASSWORD, link_in, mails_of_the_worker

pytestmark = pytest.mark.django_db
NEW = "alice@elsewhere.test"


@pytest.fixture
def at_home(site, client, alice):
    client.force_login(alice)
    return client


def asked_for(send, email=NEW, password=PASSWORD):
    return send("/account/address/", {"email": email, "password": password})


def address_of_alice():
    return User.objects.get(username="alice").email


def test_the_new_address_confirms_by_a_link_and_a_button_and_the_old_one_is_told(at_home, send):
    assert "a mail with a link is on its way" in asked_for(send).content.decode()
    new, old = mails_of_the_worker()
    assert (new.to, old.to) == ([NEW], ["alice@site.test"])
    assert NEW in old.body
    assert "/account/address/" not in old.body
    path = link_in(new)
    assert f"The address of the account alice becomes {NEW}." in at_home.get(path).content.decode()
    assert address_of_alice() == "alice@site.test"  # a program that looks at mails has opened the link
    done = at_home.post(path, follow=True)
    assert "Your address is changed." in done.content.decode()
    assert address_of_alice() == NEW
    assert at_home.post(path).status_code == 410


def test_a_wrong_password_mails_nobody(at_home, send):
    assert "This is not your password." in asked_for(send, password="wrong").content.decode()
    assert mails_of_the_worker() == []


def test_an_account_without_a_password_needs_a_fresh_sign_in(site, alice, client, send):
    alice.set_unusable_password()
    alice.save()
    client.force_login(alice)
    asked_for(send)
    assert len(mails_of_the_worker()) == 2
    session = client.session
    session["signed_in_at"] -= 301
    session.save()
    assert "Sign in again" in asked_for(send).content.decode()
    assert mails_of_the_worker() == []


def test_an_address_of_another_account_looks_the_same_and_is_never_taken(at_home, send):
    User.objects.create_user("bob", "BOB@site.test")
    free, taken = (asked_for(send, email).content.decode() for email in (NEW, "bob@site.test"))
    assert taken.replace("bob@site.test", NEW) == free
    new, _ = mails_of_the_worker()
    User.objects.create_user("carol", NEW)  # signed up meanwhile
    assert at_home.post(link_in(new)).status_code == 410
    assert address_of_alice() == "alice@site.test"


@pytest.mark.parametrize("change", ["password", "closed", "expired"])
def test_a_link_ends_with_the_password_the_account_and_after_three_days(at_home, send, alice, change, monkeypatch):
    asked_for(send)
    new, _ = mails_of_the_worker()
    if change == "expired":
        later = time.time() + 3 * 86_400 + 5
        monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    elif change == "password":
        alice.set_password("cedar-root-77")
        alice.save()
    else:
        User.objects.update(is_active=False)
    assert at_home.post(link_in(new)).status_code == 410
    assert address_of_alice() == "alice@site.test"


def test_a_link_that_is_not_ours_changes_nothing(at_home):
    assert at_home.post("/account/address/spoilt/").status_code == 404


def test_the_mails_of_an_hour_are_limited(at_home, send, site):
    for number in range(6):
        asked_for(send, f"new{number}@site.test")
    assert len(mails_of_the_worker()) == 2 * site.ACCOUNT_MAILS_TO_AN_ADDRESS
