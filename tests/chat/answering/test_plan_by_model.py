"""A model on the ladder's `plan` rung adds wordings; it never replaces what the rules know."""

import json

import pytest

from chat.answering.ask import ask, operator
from chat.answering.domain.question import HistoryMessage, Mode, Question, Route
from chat.answering.stages.plan import plan_turn
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = "Why did he refuse to bow?"
THREAD = (HistoryMessage("user", "Who is Iblis?"), HistoryMessage("assistant", "Only Iblis refused to bow."))


def drafted(standalone="Why did Iblis refuse to bow?", **more):
    return json.dumps({"standalone": standalone, "rephrasings": [], "parts": [], "kinds": [], **more})


async def plan_of(reply, text=ASKED, history=THREAD, mode=Mode.AUTO):
    await give("plan")
    with speaking("plan", reply) as model:
        plan = await plan_turn(Question(text, await in_thread(operator), mode, history=history), "turn")
    return plan, model


async def test_a_follow_up_is_made_to_stand_by_itself(corpus):
    plan, model = await plan_of(drafted())
    assert plan.standalone == "Why did Iblis refuse to bow?"
    assert "| Only Iblis refused to bow." in model.asked[0][1].text


@pytest.mark.parametrize("standalone", ["Who made the banyan tree?", ""])
async def test_another_question_than_the_one_asked_is_not_taken(corpus, standalone):
    plan, _ = await plan_of(drafted(standalone))
    assert "banyan" not in plan.standalone
    assert "Iblis" in plan.standalone


async def test_without_a_conversation_the_question_stays_as_typed(corpus):
    plan, _ = await plan_of(drafted("Why did Iblis refuse to bow down?"), history=())
    assert plan.standalone == ASKED


async def test_other_wordings_and_parts_are_searched_too(corpus):
    plan, _ = await plan_of(
        drafted(rephrasings=["What made Iblis proud?"], parts=["Who bowed?", "Who did not?"], kinds=["verse"])
    )
    assert [(wording.text, wording.kind) for wording in plan.wordings[-3:]] == [
        ("What made Iblis proud?", "rephrased"),
        ("Who bowed?", "part"),
        ("Who did not?", "part"),
    ]
    assert (plan.route, plan.wanted_kinds) == (Route.MULTI_HOP, frozenset({"verse"}))


@pytest.mark.parametrize("reply", ["Sure, let me think.", "```json\n{}\n```"])
async def test_babble_leaves_the_plan_of_the_rules(corpus, reply):
    plan, _ = await plan_of(reply)
    assert {wording.kind for wording in plan.wordings} <= {"standalone", "as_asked", "keywords", "part", "glossary"}


async def test_instant_mode_and_greetings_ask_no_model(corpus):
    _, model = await plan_of(drafted(), mode=Mode.INSTANT)
    assert model.asked == []
    plan, model = await plan_of(drafted(), text="Hello!", history=())
    assert (plan.route, model.asked) == (Route.NO_RETRIEVAL, [])


async def test_a_planned_turn_is_answered_as_any_other(corpus):
    await give("plan")
    with speaking("plan", drafted("Who refused to bow?", rephrasings=["Who stayed standing before the new man?"])):
        response = await ask("Who refused to bow to the newly made man?")
    assert response["outcome"] == "grounded"
