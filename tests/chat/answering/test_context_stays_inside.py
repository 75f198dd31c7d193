"""The context of a chunk, and a model's sentence in it, help to find it; no reader and no author ever meets them."""

import json
from contextlib import ExitStack

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from audit.models import TurnAudit
from chat.answering.ask import ask
from chat.conversations.viewers import viewer_of
from corpus.models import Chunk, Lecture, Work
from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking
from tests.chat.turns import run_recorded

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Who refused to bow to the newly made man?"
SENTENCE = "A zanzibar firefly tells of every angel, the almond tree and the work of yoga."
GOOD = "Only Iblis refused to bow to the newly made man [^1]. Every angel bowed to him [^1]."
TOLD = "zanzibar"
LINE = "quillback"
AUTHORS = {
    "synthesize": GOOD,
    "outline": json.dumps({"points": [{"thesis": "Iblis refused to bow", "notes": [1]}]}),
    "suggest": json.dumps({"questions": ["What bowed to the newly made man?"]}),
    "cove": GOOD,
    "verify": json.dumps({"verdict": "supported", "support": 0.9, "quote": "Only Iblis refused to bow"}),
}


@pytest.fixture
def situated(corpus):
    """The small corpus, each chunk of which has a sentence by a model and a line of context with words of their own."""
    Chunk.objects.update(context=f"{LINE.title()}.")
    rung_save(rung=Rung(job="contextualize", model="scripted:contextualize", max_tokens=100), by="tests")
    with speaking("contextualize", SENTENCE):
        call_command("index", contextualize=True, verbosity=0)


def hidden_in(*texts):
    return [word for word in (TOLD, "firefly", LINE) if word in " ".join(texts).lower()]


async def with_authors(work):
    """Return what `work` returns while models do every job of a turn that sees passages, and all they were shown."""
    await give(*AUTHORS)
    with ExitStack() as stack:
        models = [stack.enter_context(speaking(job, reply)) for job, reply in AUTHORS.items()]
        answer = await work
    return answer, [message.text for model in models for messages in model.asked for message in messages]


async def test_it_is_searched_by(situated):
    found = await in_thread(lambda: set(Chunk.objects.filter(search_vector=TOLD).values_list("pk", flat=True)))
    assert found == await in_thread(lambda: set(Chunk.objects.values_list("pk", flat=True)))


@pytest.mark.parametrize("mode", ["auto", "thinking"])
async def test_no_prompt_and_no_response_of_a_written_answer_holds_it(situated, mode):
    response, shown = await with_authors(ask(QUESTION, mode=mode))
    assert response["citations"]
    assert any("Iblis refused to bow" in text for text in shown)
    assert not hidden_in(*shown, json.dumps(response))


@pytest.mark.parametrize("question", [QUESTION, f"What does the {TOLD} firefly tell of every angel?"])
async def test_no_quotation_and_no_refusal_holds_it_though_it_was_found_by_it(situated, question):
    response = await ask(question, mode="instant")
    asked = {name: response.pop(name) for name in ("question", "standalone_question")}
    assert asked["question"] == question
    assert not hidden_in(json.dumps(response))


async def test_no_event_no_record_and_no_page_holds_it(situated, people):
    carol = people["carol"]
    viewer = await in_thread(viewer_of, carol, None)
    ended, events = await run_recorded(QUESTION, viewer)
    assert ended.citations
    assert not hidden_in(*map(str, events))
    trace = await in_thread(lambda: TurnAudit.objects.get().trace)
    assert not hidden_in(json.dumps(trace))
    assert not hidden_in(*await in_thread(pages, carol, ended.conversation_id))


def pages(reader, conversation):
    client = Client()
    client.force_login(reader)
    urls = [reverse("conversation", args=[conversation])]
    urls += [reverse("lecture", args=[lecture.pk]) for lecture in Lecture.objects.all()]
    urls += [reverse("work", args=[work.pk]) for work in Work.objects.all()]
    found = [client.get(url) for url in urls]
    assert {response.status_code for response in found} == {200}
    return [response.content.decode() for response in found]
