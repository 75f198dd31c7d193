"""One's own account: preferences that are used, the data in a file, sessions that end, and deletion of all it has."""

import json
import re
import zipfile
from datetime import timedelta
from io import BytesIO

import pytest
from axes.models import AccessLog
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.urls import reverse
from django.utils import timezone

from accounts.models import Invitation, Profile, ProviderIdentity
from accounts.services import account_delete
from accounts.tasks import expire_own_turns
from audit.models import DeletedTurns, Feedback, TurnAudit
from chat.api.models import Token
from chat.api.services import token_create
from chat.models import Conversation, Turn
from tests.accounts.conftest import PASSWORD
from tests.chat.conversations.test_retention import a_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_home(client, alice):
    client.post("/login/", {"username": "alice", "password": PASSWORD})
    return client


@pytest.fixture
def asked(alice):
    """A conversation of Alice's with a turn of today and one of ten days ago, and one of Bob's."""
    bob = User.objects.create_user("bob")
    mine, his = (Conversation.objects.create(owner=owner, title="On bows") for owner in (alice, bob))
    for conversation in (mine, his):
        a_turn(conversation)
        a_turn(conversation, days_ago=10)
    return mine


def saved(client, **preferences):
    return client.post("/account/", {"language": "", "mode": "auto", "keep_days": "", **preferences})


@pytest.mark.parametrize(
    ("name", "method"),
    [("account", "get"), ("account_export", "get"), ("account_delete", "post"), ("sign_out_everywhere", "post"),
     ("password_change", "get")],
)  # fmt: skip
def test_who_has_not_signed_in_is_led_to_sign_in(client, name, method):
    assert getattr(client, method)(reverse(name)).headers["Location"].startswith("/login/?next=")


def test_the_language_is_set_in_the_browser_at_once_and_in_every_browser_that_signs_in(at_home, alice, client):
    assert saved(at_home, language="de").cookies["django_language"].value == "de"
    assert "Mein Konto" in at_home.get("/account/").content.decode()
    elsewhere = type(client)()
    elsewhere.post("/login/", {"username": "alice", "password": PASSWORD})
    assert elsewhere.cookies["django_language"].value == "de"


@pytest.mark.parametrize(("chosen", "says"), [("", "Gespeichert."), ("es", "Guardado."), ("en", "Saved.")])
def test_what_was_saved_is_told_in_the_language_that_the_page_then_has(at_home, chosen, says):
    german = {"accept-language": "de"}
    at_home.post("/account/", {"language": chosen, "mode": "auto", "keep_days": ""}, headers=german)
    assert says in at_home.get("/account/", headers=german).content.decode()


def test_the_mode_to_begin_with_is_chosen_on_the_page_of_questions(at_home):
    saved(at_home, mode="thinking")
    page = at_home.get("/").content.decode()
    assert re.search('<option value="thinking"[^>]* selected', page)
    assert page.count(" selected") == 1


@pytest.mark.parametrize("preferences", [{"language": "tlh"}, {"mode": "psychic"}, {"keep_days": "3"}, {"mode": ""}])
def test_a_preference_that_is_not_offered_is_not_stored(at_home, preferences):
    assert "form-error" in saved(at_home, **preferences).content.decode()
    assert not Profile.objects.exists()


def test_own_turns_are_kept_as_long_as_their_reader_chose_and_not_longer_than_the_site_offers(at_home, asked, settings):
    saved(at_home, keep_days="7")
    assert expire_own_turns() == "1 turns deleted that their readers did not keep"
    assert Turn.objects.filter(conversation=asked).count() == 1
    assert Turn.objects.count() == 3
    settings.RETENTION_DAYS = 30
    page = at_home.get("/account/").content.decode()
    assert ("7 days" in page, "30 days" in page, "90 days" in page) == (True, False, False)


def test_the_export_holds_the_account_the_conversations_and_the_feedback_and_nobody_elses(at_home, alice, asked):
    for owner, name in ((User.objects.get(username="bob"), "bob's"), (alice, "notebook")):
        token_create(owner=owner, name=name)
    Conversation.objects.create(owner=alice, title="Gone", deleted_at=timezone.now())
    response = at_home.get("/account/export.zip")
    assert response.headers["Content-Disposition"] == 'attachment; filename="lectorium-my-data.zip"'
    archive = zipfile.ZipFile(BytesIO(b"".join(response.streaming_content)))
    today = timezone.now().date()
    assert archive.namelist() == ["account.json", f"conversations/{today}-{asked.pk}.json", "feedback.json"]
    account, conversation, feedback = (json.loads(archive.read(name)) for name in archive.namelist())
    assert (account["username"], account["email"], [token["name"] for token in account["tokens"]]) == (
        "alice", "alice@site.test", ["notebook"],
    )  # fmt: skip
    assert (conversation["title"], len(conversation["turns"])) == ("On bows", 2)
    assert {row["conversation"] for row in feedback} == {str(asked.pk)}
    assert PASSWORD not in str(account)
    assert alice.password not in str(account)


def test_signing_out_everywhere_ends_every_session_of_this_account_and_no_other(at_home, alice, asked, client):
    other, bobs = type(client)(), type(client)()
    other.force_login(alice)
    bobs.force_login(User.objects.get(username="bob"))
    assert "signed out in every browser" in at_home.post(reverse("sign_out_everywhere")).content.decode()
    assert [browser.get("/account/").status_code for browser in (at_home, other, bobs)] == [302, 302, 200]
    assert Session.objects.count() == 1


def test_deletion_takes_all_that_belongs_to_the_account_and_leaves_counts(at_home, alice, asked):
    token_create(owner=alice, name="notebook")
    Profile.objects.create(user=alice)
    ProviderIdentity.objects.create(user=alice, issuer="i", subject="s")
    Invitation.objects.create(email="ALICE@site.test", expires_at=timezone.now() + timedelta(days=1))
    Conversation.objects.create(owner=alice, deleted_at=timezone.now())
    page = at_home.post("/account/delete/", {"password": PASSWORD}).content.decode()
    assert "are deleted" in page
    assert [user.username for user in User.objects.all()] == ["bob"]
    assert not any(model.objects.exists() for model in (Token, Profile, ProviderIdentity, Invitation, AccessLog))
    assert [model.objects.count() for model in (Conversation, Turn, TurnAudit, Feedback)] == [1, 2, 2, 2]
    assert sum(DeletedTurns.objects.values_list("turns", flat=True)) == 2
    assert at_home.get("/account/").status_code == 302


def test_a_wrong_password_deletes_nothing_and_ten_of_them_pause_the_name(at_home, alice, asked):
    answers = [at_home.post("/account/delete/", {"password": "wrong"}) for _ in range(10)]
    assert "This is not your password." in answers[0].content.decode()
    assert [answer.status_code for answer in answers] == [200] * 9 + [429]
    assert at_home.post("/account/delete/", {"password": PASSWORD}).status_code == 429
    assert User.objects.filter(username="alice", is_active=True).exists()


def test_an_account_without_a_password_is_deleted_after_a_fresh_sign_in_only(client, alice):
    alice.set_unusable_password()
    alice.save()
    client.force_login(alice)
    session = client.session
    session["signed_in_at"] -= 301
    session.save()
    assert "Sign in again" in client.post("/account/delete/").content.decode()
    assert User.objects.exists()
    client.force_login(alice)
    assert "are deleted" in client.post("/account/delete/").content.decode()
    assert not User.objects.exists()


def test_staff_do_not_delete_their_own_account(client):
    client.force_login(User.objects.create_user("editor", password=PASSWORD, is_staff=True))
    response = client.post("/account/delete/", {"password": PASSWORD})
    assert (response.status_code, User.objects.count()) == (403, 1)
    assert "belongs to the staff" in response.content.decode()


def test_a_deletion_that_fails_leaves_everything(alice, asked, monkeypatch):
    monkeypatch.setattr(User, "delete", lambda user: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        account_delete(user=alice)
    assert User.objects.get(pk=alice.pk).is_active
    assert Turn.objects.count() == 4
