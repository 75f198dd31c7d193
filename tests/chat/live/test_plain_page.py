"""Asking by a form, without JavaScript."""

import re
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.conversations.retention import conversation_forget
from chat.live import follow, plain_page
from chat.models import Conversation, Turn
from tests.chat.sockets import session_for

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Who refused to bow to the newly made man?"


@pytest.fixture
async def client(corpus):
    return await client_of()


async def client_of(user=None):
    client = AsyncClient()
    client.cookies["sessionid"] = (await sync_to_async(session_for)(user)).session_key
    return client


async def asked(client, question=QUESTION, **fields):
    """The page that the form leads to."""
    response = await client.post("/ask/", {"question": question, "mode": "instant", **fields})
    assert response.status_code == 303, response.content.decode()
    address, _, fragment = response.headers["Location"].partition("#")
    assert fragment == "latest"
    return address, (await client.get(address)).content.decode()


async def test_an_answer_comes_whole_with_its_clip_its_citation_and_a_link_to_the_moment(client):
    _, page = await asked(client)
    assert "<mark" in page
    assert "Iblis refused to bow" in page
    assert re.search(r'href="http://testserver/lectures/[\w-]+/#t=', page)
    assert 'id="latest"' in page


async def test_a_refusal_comes_with_its_reason(client):
    _, page = await asked(client, "Who discovered penicillin in London?")
    assert "No answer from these sources" in page
    assert (await Turn.objects.aget()).outcome == "refused"


async def test_a_conversation_goes_on_and_keeps_what_was_said(client):
    address, _ = await asked(client)
    conversation = await Conversation.objects.aget()
    followed, page = await asked(client, "What does BG 2.47 say?", conversation=str(conversation.pk))
    assert followed == address
    assert page.count('<article class="turn') == 2
    assert page.index("Iblis refused") < page.index("never its fruits")
    assert page.count('id="latest"') == 1


async def test_the_button_of_an_example_asks_it(client):
    await asked(client, "", example=QUESTION)
    assert (await Turn.objects.aget()).question == QUESTION


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"question": ""}, "question"),
        ({"question": "   "}, "question"),
        ({"question": "why " * 2500}, "2,000"),
        ({"question": QUESTION, "mode": "<b>"}, "mode"),
        ({"question": QUESTION, "scope": "work:"}, "scope"),
        ({"question": QUESTION, "conversation": "no id"}, "conversation"),
    ],
)
async def test_a_form_that_is_not_right_comes_back_with_its_question_and_one_sentence(client, fields, said):
    response = await client.post("/ask/", fields)
    page = response.content.decode()
    assert response.status_code == 400
    [problem] = re.findall(r'role="alert">([^<]+)</p>', page)
    assert said in problem.lower()
    assert fields["question"].strip()[:40] in page
    assert not await Conversation.objects.aexists()


async def test_a_question_over_budget_is_given_back_with_when_to_go_on(client, settings):
    settings.QUESTIONS_OF_A_VISITOR = 1
    address, _ = await asked(client)
    response = await client.post("/ask/", {"question": "What then?", "conversation": address.split("/")[2]})
    page = response.content.decode()
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) > 0
    assert "in an hour" in page
    assert ">What then?</textarea>" in page
    assert "Iblis refused" in page  # the conversation is kept
    assert await Turn.objects.acount() == 1


async def test_a_form_that_is_sent_twice_is_answered_once(client, slow_retrieval, monkeypatch):
    monkeypatch.setattr(plain_page, "WAIT", 0.2)  # the client sends the second request after the first has ended
    form = {"question": QUESTION, "mode": "instant", "turn": str(uuid.uuid4())}
    first, second = [await client.post("/ask/", form) for _ in range(2)]
    assert first.headers["Location"] == second.headers["Location"]
    slow_retrieval.go_on.set()
    monkeypatch.setattr(plain_page, "WAIT", 20)
    assert "Iblis refused" in (await client.get(second.headers["Location"])).content.decode()
    assert await Turn.objects.acount() == 1


async def test_another_question_in_a_form_that_the_browser_has_kept_is_answered(client):
    form = str(uuid.uuid4())
    await asked(client, turn=form)
    _, page = await asked(client, "What does BG 2.47 say?", turn=form)
    assert "never its fruits" in page


async def test_an_answer_that_takes_long_is_looked_for_again(client, slow_retrieval, monkeypatch):
    monkeypatch.setattr(plain_page, "WAIT", 0.2)
    address, page = await asked(client)
    assert "still being answered" in page
    slow_retrieval.go_on.set()
    monkeypatch.setattr(plain_page, "WAIT", 20)
    assert "Iblis refused" in (await client.get(address)).content.decode()


async def test_a_conversation_that_is_forgotten_while_its_page_waits_is_gone(client, slow_retrieval, monkeypatch):
    monkeypatch.setattr(plain_page, "WAIT", 0.2)
    address, _ = await asked(client)
    monkeypatch.setattr(plain_page, "WAIT", 20)

    conversation = await Conversation.objects.aget()

    async def forgotten_and_runs_nowhere(layer, turn_id):
        await sync_to_async(conversation_forget)(conversation_id=conversation.pk)
        return False

    monkeypatch.setattr(follow, "is_running", forgotten_and_runs_nowhere)
    assert (await client.get(address)).status_code == 404
    slow_retrieval.go_on.set()


async def test_what_is_asked_is_shown_as_text(client):
    hostile = '</textarea><script>alert("x")</script> who refused to bow?'
    response = await client.post("/ask/", {"question": hostile, "mode": "loud"})
    assert "<script>alert" not in response.content.decode()
    _, page = await asked(client, hostile)
    assert "<script>alert" not in page


async def test_another_readers_conversation_is_as_good_as_absent(client, people):
    address, _ = await asked(client)
    alice = await client_of(people["alice"])
    assert (await alice.get(address)).status_code == 404
    response = await alice.post("/ask/", {"question": QUESTION, "conversation": address.split("/")[2]})
    assert response.status_code == 404
    assert "does not exist" in response.content.decode()
    assert "Iblis" not in response.content.decode()


async def test_where_accounts_are_required_the_form_leads_to_signing_in(corpus, settings):
    settings.ANONYMOUS_CHAT = False
    response = await (await client_of()).post("/ask/", {"question": QUESTION})
    assert response.headers["Location"].startswith("/login/")
    assert not await Turn.objects.aexists()


async def test_the_address_of_the_form_leads_to_the_chat_and_its_page_speaks_the_readers_language(client):
    assert (await client.get("/ask/")).headers["Location"] == "/"
    response = await client.post("/ask/", {"question": ""}, headers={"accept-language": "de"})
    assert '<html lang="de"' in response.content.decode()
