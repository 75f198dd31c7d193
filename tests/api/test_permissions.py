"""What owners may still read, and that a lost token opens nothing. Every route and role: tests/permissions."""

import pytest
from django.utils import timezone

from chat.api.models import Token
from chat.models import Conversation
from corpus.models import Lecture
from corpus.services import source_withdraw
from tests.api.conftest import HIDDEN, ApiProgram, later, program_of

pytestmark = pytest.mark.django_db(transaction=True)

COMPLETION = {"model": "lectorium-instant", "messages": [{"role": "user", "content": HIDDEN}]}
ROUTES = {
    "api_ask": ("POST", "/api/v1/ask", {"question": HIDDEN, "mode": "instant"}),
    "api_search": ("GET", "/api/v1/search?q=silver+compass+gardener", None),
    "api_conversations": ("GET", "/api/v1/conversations", None),
    "api_conversation": ("GET", "/api/v1/conversations/{conversation}", None),
    "api_conversation (delete)": ("DELETE", "/api/v1/conversations/{conversation}", None),
    "api_citation": ("GET", "/api/v1/citations/{id}/1", None),
    "openai_completions": ("POST", "/v1/chat/completions", COMPLETION),
    "openai_models": ("GET", "/v1/models", None),
    "openai_model": ("GET", "/v1/models/lectorium-auto", None),
    "api_nowhere": ("GET", "/api/v1/nowhere", None),
}
OWNED = ("api_conversation", "api_conversation (delete)", "api_citation")


async def sent(program, route, asked):
    method, path, body = ROUTES[route]
    return await program.call(method, path.format_map(asked), body)


async def test_no_route_hears_who_has_no_token_a_revoked_one_or_a_closed_account(asked, people):
    revoked = await later(program_of, people["alice"], "revoked")
    await Token.objects.filter(name="revoked").aupdate(revoked_at=timezone.now())
    inactive = await later(program_of, people["bob"])
    people["bob"].is_active = False
    await people["bob"].asave()
    for program in (ApiProgram(), revoked, inactive):
        for route in ROUTES:
            response = await sent(program, route, asked)
            assert response.status_code == 401, route
            assert "almond" not in response.content.decode()
    assert await Conversation.objects.acount() == 1


async def test_another_reader_finds_nothing_of_anybodys_and_nothing_of_a_hidden_collection(asked, alice, bob, people):
    carol = await later(program_of, people["carol"])  # may see every collection, and owns none of this
    for program in (bob, carol):
        for route in OWNED:
            response = await sent(program, route, asked)
            assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found"), route
        assert (await program.ask("And why?", conversation=asked["conversation"])).status_code == 404
        assert (await sent(program, "api_conversations", asked)).json() == {"conversations": [], "next": None}
    for route in ROUTES:
        shown = (await sent(bob, route, asked)).content.decode()
        assert "almond" not in shown, route
        assert "Hidden Garden" not in shown, route
    named, unknown = [(await bob.ask(HIDDEN, scope=key)).json() for key in ("garden", "no-such-thing")]
    assert (named["outcome"], named["message"]) == (unknown["outcome"], unknown["message"])


@pytest.mark.parametrize("ends", ["leaves the group", "source withdrawn"])
async def test_the_owner_is_shown_it_while_they_may_see_its_sources(asked, alice, people, ends):
    for route in ("api_ask", "api_search", "openai_completions", "api_conversation", "api_citation"):
        response = await sent(alice, route, asked)
        assert (response.status_code, "almond" in response.content.decode()) == (200, True), route
    if ends == "leaves the group":
        await later(people["alice"].groups.clear)
    else:
        await later(lambda: source_withdraw(source=Lecture.objects.get(title="The Hidden Garden")))
    for route in ROUTES:
        if "delete" not in route:
            assert "almond" not in (await sent(alice, route, asked)).content.decode(), route
    assert (await sent(alice, "api_citation", asked)).status_code == 404


async def test_the_owner_deletes_a_conversation_for_good(asked, alice):
    assert (await sent(alice, "api_conversation (delete)", asked)).status_code == 204
    assert not await Conversation.objects.aexists()
    for route in OWNED:
        assert (await sent(alice, route, asked)).status_code == 404
