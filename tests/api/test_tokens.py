import io
import logging
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from chat.api.authentication import REFUSED
from chat.api.models import Token
from chat.api.services import token_create, token_revoke, token_use
from tests.api.conftest import ApiProgram, later, program_of

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "/api/v1/conversations"


def made(*arguments):
    out, err = io.StringIO(), io.StringIO()
    call_command("api_token", *arguments, stdout=out, stderr=err)
    return out.getvalue().strip(), err.getvalue()


def test_only_the_hash_of_a_token_is_kept(people):
    token, secret = token_create(owner=people["alice"], name="reports")
    stored = Token.objects.filter(pk=token.pk).values().get()
    assert secret not in str(stored)
    assert secret.removeprefix("lectorium_") not in str(stored)
    assert token_use(secret.encode()) == token


def test_no_two_tokens_are_alike(people):
    assert len({token_create(owner=people["alice"], name="one")[1] for _ in range(50)}) == 50


def test_that_it_is_used_is_written_down_to_the_minute(people):
    token, secret = token_create(owner=people["alice"], name="reports")
    assert token.last_used_at is None
    token_use(secret.encode())
    first = Token.objects.get().last_used_at
    token_use(secret.encode())
    assert Token.objects.get().last_used_at == first
    Token.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    token_use(secret.encode())
    assert Token.objects.get().last_used_at > first


def test_a_token_is_revoked_once(people):
    token, secret = token_create(owner=people["alice"], name="reports")
    assert token_revoke(token_id=token.pk)
    assert not token_revoke(token_id=token.pk)
    assert token_use(secret.encode()) is None


async def test_a_request_without_a_token_is_told_how_to_bring_one(people):
    response = await ApiProgram().get(LIST)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="Lectorium"'
    assert response.json()["error"] == {
        "code": "not_authenticated",
        "message": "Send your API token with each request: Authorization: Bearer TOKEN.",
    }


@pytest.mark.parametrize("secret", ["x", "lectorium_" + "a" * 43, "two words", "ü" * 40, "x" * 5000, " "])
async def test_a_token_that_is_none_is_refused(people, secret):
    response = await ApiProgram(secret).get(LIST)
    assert (response.status_code, response.json()["error"]["message"]) == (401, REFUSED)
    assert "WWW-Authenticate" in response.headers


async def test_an_address_that_brings_no_valid_token_is_throttled_and_valid_ones_from_there_are_not(alice, settings):
    settings.API_PER_MINUTE = 2
    for stranger in (ApiProgram(), ApiProgram("lectorium_wrong")):
        answers = [await stranger.get(path) for path in (LIST, "/v1/models", "/api/v1/nowhere")]
        cache.clear()
        assert [answer.status_code for answer in answers] == [401, 401, 429]
        assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    for _ in range(3):
        await ApiProgram("lectorium_wrong").get(LIST)
    assert (await alice.get(LIST)).status_code == 200


@pytest.mark.parametrize("ends", ["revoked", "inactive", "deleted"])
async def test_a_token_ends_with_its_revocation_and_with_its_account(people, ends):
    program = await later(program_of, people["alice"])
    assert (await program.get(LIST)).status_code == 200
    if ends == "revoked":
        await Token.objects.aupdate(revoked_at=timezone.now())
    elif ends == "inactive":
        people["alice"].is_active = False
        await people["alice"].asave()
    else:
        await people["alice"].adelete()
    response = await program.get(LIST)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


async def test_a_session_counts_for_nothing_here(people):
    program = ApiProgram()
    await program._client.aforce_login(people["carol"])
    assert (await program.get(LIST)).status_code == 401


async def test_no_token_is_written_to_the_log(alice, caplog, monkeypatch):
    monkeypatch.setattr("chat.api.conversations.page_of", lambda *args: 1 / 0)
    with caplog.at_level(logging.DEBUG):
        assert (await alice.get(LIST)).status_code == 500
        assert (await ApiProgram(alice.secret + "x").get("/api/v1/nowhere")).status_code == 401
    assert "a request of the API failed" in caplog.text
    assert alice.secret not in caplog.text


def test_a_command_makes_lists_and_revokes(people):
    secret, said = made("create", "--user", "alice", "--name", "nightly")
    token = token_use(secret.encode())
    assert (token.owner, token.name) == (people["alice"], "nightly")
    assert secret not in said
    listed, _ = made("list", "--user", "alice")
    assert listed.endswith("nightly")
    assert secret not in listed
    made("revoke", str(token.pk))
    assert token_use(secret.encode()) is None
    assert "revoked" in made("list", "--user", "alice")[0]


def test_a_token_only_reads_unless_it_is_made_to_do_more(people):
    assert token_use(made("create", "--user", "alice", "--name", "x")[0].encode()).access == "read"
    secret, _ = made("create", "--user", "alice", "--name", "y", "--access", "draft")
    assert token_use(secret.encode()).access == "draft"
    assert "  draft  y" in made("list", "--user", "alice")[0]
    with pytest.raises(CommandError, match="invalid choice"):
        made("create", "--user", "alice", "--name", "x", "--access", "all")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("create", "--user", "nobody", "--name", "x"), "no account named 'nobody'"),
        (("revoke", "x"), "not a token id"),
        (("revoke", "00000000-0000-4000-8000-000000000000"), "no valid token"),
    ],
)
def test_what_the_command_cannot_do_it_says(people, arguments, said):
    with pytest.raises(CommandError, match=said):
        made(*arguments)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def clerk(people):
    """Bob, as a member of staff who may keep tokens."""
    bob = people["bob"]
    bob.is_staff = True
    bob.save()
    bob.user_permissions.set(Permission.objects.filter(content_type__app_label="api"))
    return signed_in(bob)


def test_admin_shows_a_new_token_once_and_never_again(people):
    carol = signed_in(people["carol"])
    page = carol.post("/admin/api/token/add/", {"name": "for alice", "owner": people["alice"].pk, "access": "draft"})
    assert page.status_code == 200
    assert "no-store" in page.headers["Cache-Control"]
    secret = page.context["secret"]
    assert secret in page.content.decode()
    token = token_use(secret.encode())
    assert (token.owner, token.access) == (people["alice"], "draft")
    for path in ("/admin/api/token/", f"/admin/api/token/{token.pk}/change/"):
        shown = carol.get(path).content.decode()
        assert "for alice" in shown
        assert secret not in shown
        assert token.digest not in shown


def test_staff_make_tokens_that_act_as_themselves_alone(people, clerk):
    page = clerk.post("/admin/api/token/add/", {"name": "mine", "owner": people["carol"].pk, "access": "read"})
    assert token_use(page.context["secret"].encode()).owner == people["bob"]


def test_staff_see_and_revoke_tokens_of_their_own_alone(people, clerk):
    hers, _ = token_create(owner=people["carol"], name="of carol")
    his, _ = token_create(owner=people["bob"], name="of bob")
    assert "of carol" not in clerk.get("/admin/api/token/").content.decode()
    assert clerk.get(f"/admin/api/token/{hers.pk}/change/").status_code == 302
    clerk.post("/admin/api/token/", {"action": "revoke", "_selected_action": [hers.pk, his.pk]})
    assert set(Token.objects.filter(revoked_at=None)) == {hers}
