"""What leaves for Langfuse of a recorded turn: its models, its outcome, and no more of its words than is allowed."""

import pytest

from chat.answering.ask import ask
from lectorium import langfuse_tracing
from tests.chat.authors import give, speaking
from tests.lectorium.langfuse_server import running_langfuse

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Who refused to bow to the newly made man? Tell ann@example.org."
GOOD = "Only Iblis refused to bow to the newly made man [^1]."


@pytest.fixture
def langfuse(settings):
    with running_langfuse() as service:
        settings.LANGFUSE = service.keys
        yield service


async def told(langfuse, *, record=True):
    await give("synthesize")
    with speaking("synthesize", GOOD):
        response = await ask(QUESTION, record=record)
    return response, langfuse.spans


async def test_a_recorded_turn_is_told_with_its_calls_and_neither_prompt_nor_passage(corpus, langfuse):
    response, spans = await told(langfuse)
    assert spans["turn"]["trace"] == response["id"].replace("-", "")
    assert (spans["turn"]["observation.input"], spans["turn"]["observation.output"]) == (QUESTION, response["answer"])
    assert spans["synthesize"]["observation.model.name"] == "scripted:synthesize"
    assert "You answer" not in str(langfuse.bodies)
    assert "every angel bowed" not in str(langfuse.bodies)


@pytest.mark.parametrize(("redact", "asked"), [("details", True), ("all", False)])
async def test_questions_leave_as_the_operator_lets_them_be_kept(corpus, langfuse, settings, redact, asked):
    settings.REDACT = redact
    _, spans = await told(langfuse)
    assert "ann@example.org" not in str(spans)
    assert ("refused to bow" in spans["turn"]["observation.input"]) == asked
    assert ("Iblis" in spans["turn"]["observation.output"]) == asked


async def test_what_is_only_tried_is_told_to_nobody(corpus, langfuse, monkeypatch):
    monkeypatch.setattr(langfuse_tracing, "send_turn", lambda turn: pytest.fail("a turn that nobody recorded was told"))
    response, _ = await told(langfuse, record=False)
    assert response["outcome"] == "grounded"
