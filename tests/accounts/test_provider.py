"""Signing in with an OpenID Connect provider, against one that runs here; its claims give nobody another's account."""

import socket

import pytest
from django.contrib.auth.models import User

from accounts import provider as signing_in
from accounts.models import ProviderIdentity
from tests.accounts.conftest import PASSWORD
from tests.accounts.local_provider import CLIENT, SECRET, local_provider

pytestmark = [pytest.mark.django_db, pytest.mark.network]


@pytest.fixture
def provider(settings):
    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET, settings.OIDC_NAME = CLIENT, SECRET, "Example University"
    with local_provider() as running:
        settings.OIDC_ISSUER = running.issuer
        yield running
    signing_in._client_of.cache_clear()


def come_back(client, provider, subject="s-1", start="/login/provider/", **claims):
    return client.get(provider.authorize(client.get(start).headers["Location"], subject, **claims))


def signed_in_as(client):
    return User.objects.filter(pk=client.session.get("_auth_user_id")).values_list("username", flat=True).first()


def test_a_first_sign_in_makes_an_account_and_the_next_one_finds_it(client, provider):
    told = {"email": "bob@site.test", "email_verified": True, "preferred_username": "bob smith!"}
    assert (
        come_back(client, provider, start="/login/provider/?next=/lectures/", **told).headers["Location"]
        == "/lectures/"
    )
    bob = User.objects.get()
    assert (bob.username, bob.email, bob.has_usable_password()) == ("bobsmith", "bob@site.test", False)
    client.logout()
    assert come_back(client, provider, email="other@site.test", email_verified=True).headers["Location"] == "/"
    assert signed_in_as(client) == "bobsmith"
    assert User.objects.count() == 1


def test_another_subject_with_a_known_address_gets_no_account_before_its_password_is_given(client, provider, alice):
    told = {"email": "Alice@site.test", "email_verified": True}
    assert come_back(client, provider, "stranger", **told).headers["Location"] == "/login/"
    assert signed_in_as(client) is None
    assert "Example University gives the address Alice@site.test" in client.get("/login/").content.decode()
    client.post("/login/", {"username": "alice", "password": "guessed"})
    assert not ProviderIdentity.objects.exists()
    client.post("/login/", {"username": "alice", "password": PASSWORD})
    assert ProviderIdentity.objects.get().user == alice
    client.logout()
    come_back(client, provider, "stranger", **told)
    assert signed_in_as(client) == "alice"


def test_the_password_of_another_account_connects_nothing(client, provider, alice):
    User.objects.create_user("eve", "eve@site.test", PASSWORD)
    come_back(client, provider, "stranger", email="alice@site.test", email_verified=True)
    client.post("/login/", {"username": "eve", "password": PASSWORD})
    assert not ProviderIdentity.objects.exists()


@pytest.mark.parametrize(("subject", "email"), [("s-1", "bob@site.test"), ("another", "")])
def test_an_address_that_the_token_leaves_out_is_asked_for_and_believed_of_this_subject_alone(
    client, provider, subject, email
):
    provider.userinfo = {"sub": subject, "email": "bob@site.test", "email_verified": True}
    come_back(client, provider)
    assert User.objects.get().email == email


@pytest.mark.parametrize("told", [{"email_verified": False}, {}, {"email_verified": "true"}])
def test_an_address_that_the_provider_has_not_verified_is_no_address(client, provider, alice, told):
    come_back(client, provider, "stranger", email="alice@site.test", preferred_username="alice", **told)
    assert signed_in_as(client).startswith("alice-")
    assert User.objects.exclude(pk=alice.pk).get().email == ""


def test_a_subject_of_another_issuer_is_another_reader(client, provider, alice):
    ProviderIdentity.objects.create(user=alice, issuer="https://elsewhere.test", subject="s-1")
    come_back(client, provider, "s-1")
    assert signed_in_as(client) == "reader"


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://elsewhere.test"},
        {"aud": "another-client"},
        {"nonce": "of-another-sign-in"},
        {"exp": 1},
        {"sub": None},
    ],
)
def test_a_token_for_somebody_or_something_else_signs_nobody_in(client, provider, claims):
    provider.claims = claims
    response = come_back(client, provider)
    assert (response.status_code, signed_in_as(client), User.objects.count()) == (400, None, 0)
    assert "Example University did not sign you in. Try again." in response.content.decode()


def test_a_token_that_another_key_signed_signs_nobody_in(client, provider):
    provider.key = "theirs"
    assert come_back(client, provider).status_code == 400


def test_an_answer_to_another_browsers_sign_in_is_refused(client, provider):
    there = type(client)().get("/login/provider/").headers["Location"]
    assert client.get(provider.authorize(there, "s-1")).status_code == 400
    assert client.get("/login/provider/callback/?error=access_denied").status_code == 400
    assert client.get("/login/provider/callback/").status_code == 400


@pytest.mark.parametrize("listens", [False, True])
def test_a_provider_that_is_away_or_never_answers_is_told_in_a_sentence(
    client, provider, settings, monkeypatch, listens
):
    monkeypatch.setattr(signing_in, "SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if listens:
            silent.listen()
        settings.OIDC_ISSUER = f"http://127.0.0.1:{silent.getsockname()[1]}"
        response = client.get("/login/provider/")
    assert response.status_code == 502
    assert "Example University cannot be reached at present. Try again later." in response.content.decode()


def test_a_closed_account_and_a_site_that_makes_none_say_so(client, provider, alice, settings):
    settings.OIDC_NEW_ACCOUNTS = False
    response = come_back(client, provider)
    assert (response.status_code, "You have no account here." in response.content.decode()) == (403, True)
    ProviderIdentity.objects.create(user=alice, issuer=provider.issuer, subject="s-1")
    User.objects.update(is_active=False)
    response = come_back(client, provider)
    assert (response.status_code, "This account is closed." in response.content.decode()) == (403, True)


def test_no_page_of_another_site_is_led_to(client, provider):
    response = come_back(client, provider, start="/login/provider/?next=https://evil.example/")
    assert response.headers["Location"] == "/"


def test_without_a_provider_there_is_no_such_page(client, settings):
    assert client.get("/login/provider/").status_code == 404
    assert "Sign in with" not in client.get("/login/").content.decode()
