"""An hour's questions and searches are bounded, for a reader, an address and the site, wherever they are made."""

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.live.admission import TooManyTurns
from chat.live.budgets import question_count, search_count
from chat.models import Turn
from lectorium.web import hourly_counts
from tests.api.conftest import connections_are_given_back, program_of  # noqa: F401 - a fixture
from tests.chat.mcp.conftest import assistant, token_of
from tests.chat.sockets import session_for, socket, until_done

QUESTION = {"type": "ask", "question": "Who refused to bow to the newly made man?", "mode": "instant"}


@pytest.fixture
def limits(settings):
    settings.QUESTIONS_OF_A_READER, settings.QUESTIONS_OF_AN_ADDRESS, settings.QUESTIONS_OF_THE_SITE = 2, 3, 4
    return settings


def spend_of_a_reader_and_an_address(count):
    for reader, address in (("a", "1"), ("a", "1"), ("b", "1")):
        count(reader=f"account {reader}", address=address)
    for reader, address, said in (("a", "2", "one reader"), ("c", "1", "Your network")):
        with pytest.raises(TooManyTurns, match=said) as refused:
            count(reader=f"account {reader}", address=address)
        assert 0 < refused.value.seconds <= hourly_counts.HOUR


def test_a_reader_an_address_and_the_site_have_so_many_questions_an_hour(limits):
    spend_of_a_reader_and_an_address(question_count)
    question_count(reader="d", address="4")
    with pytest.raises(TooManyTurns, match="This site"):
        question_count(reader="e", address="5")


def test_readers_without_an_account_have_limits_of_their_own_and_together(limits):
    limits.QUESTIONS_OF_AN_ADDRESS = limits.QUESTIONS_OF_THE_SITE = 0
    limits.QUESTIONS_OF_A_VISITOR, limits.QUESTIONS_OF_VISITORS = 1, 2
    question_count(reader="session-a", address="1")
    with pytest.raises(TooManyTurns, match="one reader"):
        question_count(reader="session-a", address="1")
    question_count(reader="session-b", address="1")
    with pytest.raises(TooManyTurns, match="without an account"):
        question_count(reader="session-c", address="1")
    for _ in range(2):
        question_count(reader="account a", address="1")


def test_searches_have_a_budget_of_their_own(limits):
    limits.SEARCHES_OF_A_READER, limits.SEARCHES_OF_AN_ADDRESS, limits.SEARCHES_OF_THE_SITE = 2, 3, 4
    spend_of_a_reader_and_an_address(search_count)
    question_count(reader="a", address="1")
    search_count(reader="d", address="4")
    with pytest.raises(TooManyTurns, match="This site"):
        search_count(reader="e", address="5")


def test_the_next_hour_has_a_budget_of_its_own_and_zero_is_no_limit(limits, monkeypatch):
    limits.QUESTIONS_OF_AN_ADDRESS = limits.QUESTIONS_OF_THE_SITE = 0
    for hour in range(3):
        monkeypatch.setattr(hourly_counts.time, "time", lambda hour=hour: hour * hourly_counts.HOUR + 5.0)
        for _ in range(2):
            question_count(reader="a", address="1")


def test_without_a_cache_questions_pass(limits, monkeypatch):
    monkeypatch.setattr("django.core.cache.backends.locmem.LocMemCache.add", lambda *args: 1 / 0)
    for _ in range(9):
        question_count(reader="a", address="1")


@pytest.mark.django_db(transaction=True)
async def test_a_spent_budget_is_a_busy_event_on_the_socket_and_429_with_its_wait_over_the_api(corpus, people, limits):
    limits.QUESTIONS_OF_A_READER = 1
    tab = socket(await sync_to_async(session_for)(people["alice"]))
    await tab.connect()
    await tab.send_json_to(QUESTION)
    assert (await until_done(tab))[-1]["outcome"] == "grounded"
    program = await sync_to_async(program_of)(people["alice"])
    asked = {"model": "lectorium-instant", "messages": [{"role": "user", "content": QUESTION["question"]}]}
    for refused in (await program.ask(), await program.post("/v1/chat/completions", asked)):
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "busy")
        assert 0 < int(refused.headers["Retry-After"]) <= hourly_counts.HOUR
    await tab.send_json_to(QUESTION)
    (event,) = await until_done(tab)
    assert (event["code"], event["retryable"]) == ("busy", True)
    assert await Turn.objects.acount() == 1
    await tab.disconnect()


@pytest.mark.django_db(transaction=True)
async def test_a_spent_budget_of_searches_is_429_with_its_wait_on_the_page_and_over_the_api_and_a_refused_call(
    corpus, people, limits
):
    """Searches of one account are counted together, of all its sessions, over the API and by the tools."""
    limits.SEARCHES_OF_A_READER = 1
    page, other = AsyncClient(), AsyncClient()
    for session in (page, other):
        await sync_to_async(session.force_login)(people["alice"])
    program = await sync_to_async(program_of)(people["alice"])
    assert (await page.get("/search/?q=Iblis")).status_code == 200
    async with assistant(await token_of(people["alice"])) as tools:
        assert "searched as often as one reader" in await tools.refused("search", query="Iblis")
    for refused in (
        await page.get("/search/?q=Iblis"), await other.get("/search/?q=Iblis"),
        await program.get("/api/v1/search?q=Iblis"),
    ):  # fmt: skip
        assert refused.status_code == 429
        assert hourly_counts.HOUR >= int(refused.headers["Retry-After"]) > 0
        assert "searched as often as one reader may" in refused.content.decode()
    assert (await program.ask(QUESTION["question"])).status_code == 200
    assert (await page.get("/search/")).status_code == 200
