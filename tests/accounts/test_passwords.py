"""A lost password is replaced by a mailed link, a known one on the account's page."""

import pytest
from django.urls import reverse

from tests.accounts.conftest import PASSWORD, link_in, mails_of_the_worker

pytestmark = pytest.mark.django_db
NEW = {"new_password1": "cedar-root-77", "new_password2": "cedar-root-77"}


def reset_path(send):
    send("/password/reset/", {"email": "alice@site.test"})
    [message] = mails_of_the_worker()
    assert "Your username there is alice." in message.body
    return link_in(message)


def test_a_mailed_link_sets_a_new_password_once_and_signs_other_browsers_out(site, alice, client, send, admin_client):
    other = type(client)()
    other.force_login(alice)
    path = reset_path(send)
    form = client.get(path)
    assert form.status_code == 302  # the token moves into the session
    done = client.post(form.headers["Location"], NEW, follow=True)
    assert "Your password is changed." in done.content.decode()
    alice.refresh_from_db()
    assert alice.check_password("cedar-root-77")
    assert other.get("/account/").status_code == 302
    client.logout()
    again = client.get(path)
    assert (again.status_code, "This link was used or has expired" in again.content.decode()) == (410, True)


def test_a_page_says_and_asks_the_same_of_known_and_unknown_addresses(site, alice, send, django_assert_num_queries):
    pages = []
    for email in ("alice@site.test", "nobody@site.test"):
        with django_assert_num_queries(1):
            pages.append(send("/password/reset/", {"email": email}).content.decode().split("csrf")[0])
    assert pages[0].replace("alice@", "nobody@") == pages[1]
    assert [message.to for message in mails_of_the_worker()] == [["alice@site.test"]]


def test_no_link_is_mailed_to_a_closed_account_nor_a_password_to_one_that_a_provider_signs_in(site, alice, send):
    alice.set_unusable_password()
    alice.save()
    send("/password/reset/", {"email": "alice@site.test"})
    [message] = mails_of_the_worker()
    assert "you sign in with OpenID Connect" in message.body
    assert "/password/" not in message.body
    alice.is_active = False
    alice.save()
    send("/password/reset/", {"email": "alice@site.test"})
    assert mails_of_the_worker() == []


@pytest.mark.parametrize(
    "spoilt", ["/password/reset/x/y/", "/password/reset/MQ/set-password/", "/password/reset/Lw/a-b/"]
)
def test_a_link_that_is_not_ours_changes_nothing(site, alice, client, spoilt):
    response = client.post(spoilt, NEW)
    assert (response.status_code, "a part of it is missing" in response.content.decode()) == (410, True)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"old_password": "wrong"}, "This is not your password."),
        ({"new_password2": "other"}, "The two passwords are not the same."),
        ({"new_password1": "short", "new_password2": "short"}, "This password is too short."),
    ],
)
def test_a_change_needs_the_password_until_now_and_a_good_new_one(alice, client, change, says):
    client.force_login(alice)
    page = client.post(reverse("password_change"), {"old_password": PASSWORD, **NEW, **change}).content.decode()
    assert says in page
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_a_change_keeps_this_browser_and_ends_the_others(alice, client):
    other = type(client)()
    for browser in (client, other):
        browser.force_login(alice)
    client.post(reverse("password_change"), {"old_password": PASSWORD, **NEW})
    assert client.get("/account/").status_code == 200
    assert other.get("/account/").status_code == 302
