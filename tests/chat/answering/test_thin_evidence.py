"""Evidence too thin for the gate: an outline decides, where a chat model makes one and another writes from it."""

import json

import pytest

from audit.models import TurnAudit
from chat.answering.ask import ask
from corpus.models import EmbeddingSpace
from lectorium.providers.stand_ins.scripted import Reply
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Who refused to bow to the newly made man?"
GOOD = "Only Iblis refused to bow to the newly made man [^1]."
THESIS = json.dumps({"points": [{"thesis": "Iblis did not bow.", "notes": [1, 41]}]})
GATE = {"weights": {"closeness": 20.0}, "bias": -9.0, "answer_from": 1.1, "outside_below": 0.25}


@pytest.fixture
def thin(corpus):
    """What is found for the question is near, and never enough by itself."""
    EmbeddingSpace.objects.update(calibration=GATE)


async def answered(outline, *replies, mode="auto", jobs=("outline", "synthesize")):
    await give(*jobs)
    with speaking("outline", outline) as planner, speaking("synthesize", *(replies or (GOOD,))) as writer:
        response = await ask(QUESTION, mode=mode, record=True)
    trace = (await in_thread(TurnAudit.objects.get, turn_id=response["id"])).trace
    return response, trace, planner, writer


def refused(response):
    assert (response["outcome"], response["citations"], response["sentences"]) == ("refused", [], [])
    assert response["nearest"]
    return response["reason"]


@pytest.mark.parametrize("mode", ["auto", "thinking"])
async def test_an_outline_that_stands_on_notes_lets_the_writer_write_from_just_these(thin, mode):
    response, trace, _, writer = await answered(THESIS, mode=mode)
    assert response["outcome"] == "grounded"
    assert response["citations"][0]["address"].startswith("first-steps")
    asked = writer.asked[0][-1].text
    assert "Point from [^1]\n| Iblis did not bow." in asked
    assert "[^2]" not in asked
    assert (trace["gate"]["decision"], trace["gate"]["thin"], trace["outline"]["decided"]) == (
        "unanswerable", True, True,
    )  # fmt: skip


@pytest.mark.parametrize(
    "outline",
    [
        '{"points": []}',
        "Sure! Here is your outline.",
        '{"points": [{"thesis": "Iblis did not bow.", "notes": [41]}]}',
        Reply.of("", fault="server_fault"),
        Reply.of(THESIS[:9], fault="cut_off"),
    ],
)
async def test_an_outline_that_is_empty_babbles_invents_or_fails_is_a_refusal(thin, outline):
    response, trace, planner, writer = await answered(outline)
    assert refused(response) == "thin_evidence"
    assert (len(planner.asked), writer.asked, trace["outline"]["decided"]) == (1, [], False)


async def test_a_planner_that_is_too_slow_is_a_refusal(thin, settings):
    settings.CHAT_SILENCE = 0.1
    response, _, _, writer = await answered(Reply((THESIS,), first_after=30.0))
    assert (refused(response), writer.asked) == ("thin_evidence", [])


@pytest.mark.parametrize(
    ("mode", "jobs"), [("instant", ("outline", "synthesize")), ("auto", ("synthesize",)), ("auto", ("outline",))]
)
async def test_no_outline_decides_in_instant_mode_or_where_no_model_plans_or_none_writes(thin, mode, jobs):
    response, trace, planner, writer = await answered(THESIS, mode=mode, jobs=jobs)
    assert refused(response) == "unanswerable"
    assert (planner.asked, writer.asked, "outline" in trace) == ([], [], False)


async def test_what_is_below_the_outer_bar_is_refused_unasked(thin):
    await in_thread(EmbeddingSpace.objects.update, calibration={**GATE, "outside_below": 1.05})
    response, trace, planner, _ = await answered(THESIS)
    assert (refused(response), planner.asked, trace["gate"]["thin"]) == ("outside_corpus", [], False)


@pytest.mark.parametrize("mode", ["auto", "thinking"])
@pytest.mark.parametrize("fault", ["unreachable", "wrong_key"])
async def test_where_the_writer_fails_thin_evidence_is_neither_quoted_nor_shown(thin, mode, fault):
    response, _, _, _ = await answered(THESIS, Reply.of("", fault=fault), mode=mode)
    assert refused(response) == "thin_evidence"


async def test_what_is_written_from_thin_evidence_is_checked_as_ever(thin):
    response, _, _, _ = await answered(THESIS, "Marduk crowned seven emperors beneath Babylon [^1].")
    assert refused(response) == "unsupported_claims"


async def test_an_outline_that_babbles_over_evidence_that_covers_the_question_decides_nothing(corpus):
    response, trace, _, _ = await answered("Sure!")
    assert response["outcome"] == "grounded"
    assert "decided" not in trace["outline"]
