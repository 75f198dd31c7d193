"""What a question asks for by its address: the very place, in its order, and said where it is not there."""

import pytest
from django.core.management import call_command

from chat.answering.ask import ask, operator
from chat.answering.domain.question import Question
from chat.answering.payloads import plan_trace
from chat.answering.stages.plan import plan_question
from chat.search.lookup import explain
from corpus.models import EmbeddingSpace
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking
from tests.chat.turns import run_recorded
from tests.factories import a_work, the_schemes

pytestmark = pytest.mark.django_db(transaction=True)


def cited(response):
    return [(citation["address"], citation["quote"]) for citation in response["citations"]]


async def test_the_paragraph_that_was_asked_for_is_quoted_not_the_first_of_its_chunk(corpus):
    response = await ask("What does first-steps:2 say?", mode="instant")
    assert cited(response) == [("first-steps:2", "The banyan tree sometimes lives for five thousand years.")]
    assert [sentence["text"] for sentence in response["sentences"]] == [quote for _, quote in cited(response)]


async def test_each_paragraph_of_a_chunk_that_was_asked_for_is_cited_as_itself(corpus):
    response = await ask("first-steps:1-2", mode="instant")
    assert [address for address, _ in cited(response)] == ["first-steps:1", "first-steps:2"]


@pytest.fixture
def many(corpus):
    """Thirteen verses of one chapter; the further on, the more they have of the question's words."""
    place = "what does the third chapter say"
    verses = {f"BG 3.{n}": f"{' '.join(place.split()[: n // 2])} and verse number {n} ends." for n in range(1, 14)}
    the_schemes()
    a_work(verses, key="third", title="Bhagavad-gītā", books={"BG": {"3": 13}})
    call_command("index", verbosity=0)


@pytest.mark.parametrize("mode", ["instant", "auto"])
@pytest.mark.parametrize("question", ["BG 3.1-13", "What does chapter 3 of the Gita say?"])
async def test_of_a_long_range_the_first_verses_are_quoted_in_order_and_the_rest_is_owned_up_to(many, mode, question):
    response = await ask(question, mode=mode)
    assert [address for address, _ in cited(response)] == [f"BG 3.{n}" for n in range(1, 7)]
    assert not response["complete"]
    [warning] = response["warnings"]
    assert (warning["type"], warning["details"]["reason"]) == ("DEGRADED", "more_stands_there")
    assert warning["message"].startswith("Only the first of the passages")


async def test_a_range_that_is_shown_whole_stands_in_its_order_and_is_complete(many):
    response = await ask("BG 3.8-13")
    assert [address for address, _ in cited(response)] == [f"BG 3.{n}" for n in range(8, 14)]
    assert (response["complete"], response["warnings"]) == (True, [])


FAULT = "Chapter 2 of Bhagavad-gītā has 48 verses, so there is no BG 2.99."


async def test_beside_a_verse_that_stands_one_that_does_not_is_owned_up_to(corpus):
    await in_thread(the_schemes)
    for _ in range(2):  # made, and given again from the cache
        ended, _ = await run_recorded("BG 2.47 and 2.99", await in_thread(operator))
        response = ended.response()
        assert [address for address, _ in cited(response)] == ["BG 2.47"]
        assert [(warning["type"], warning["message"]) for warning in response["warnings"]] == [
            ("PHANTOM_SOURCE", FAULT)
        ]
    assert "cached" in ended.trace


async def test_what_does_not_exist_is_in_the_trace_and_keeps_nothing_else_in(corpus):
    await in_thread(the_schemes)
    plan = await in_thread(lambda: plan_question(Question("BG 2.47 and 2.99", operator())))
    assert plan_trace(plan)["address_faults"] == (FAULT,)
    rows = (await explain("BG 2.47 and 2.99"))["rows"]
    assert [row["address"] for row in rows if row["cut_by"] is None] == ["BG 2.47"]


BESIDE = "Who refused to bow to the newly made man of BG 2.47?"
IBLIS = "Only Iblis refused to bow to the newly made man."
WORK = "The work is yours by right, but never its fruits."
OPEN = {"weights": {"closeness": 20.0}, "bias": 9.0, "answer_from": 0.5, "outside_below": 0.25}
SHUT = {**OPEN, "bias": -99.0}


def gate(calibration):
    EmbeddingSpace.objects.update(calibration=calibration)
    the_schemes()


def texts(response):
    return [sentence["text"] for sentence in response["sentences"]]


@pytest.mark.parametrize(
    ("question", "only"),
    [
        ("BG 2.47", True),
        ("What does BG 2.47 say?", True),
        ("Was sagt die BG 2.47?", True),
        ("BG 2.47 and 2.48", True),
        ("How do the lectures explain the fruits of BG 2.47?", False),
    ],
)
def test_a_plan_knows_whether_anything_but_the_address_is_asked(corpus, question, only):
    the_schemes()
    assert plan_question(Question(question, operator())).only_addresses is only


async def test_what_is_asked_beside_an_address_is_answered_after_what_stands_there(corpus):
    await in_thread(gate, OPEN)
    response = await ask(BESIDE)
    assert texts(response)[0] == WORK
    assert IBLIS in texts(response)
    assert (response["outcome"], response["warnings"]) == ("grounded", [])


async def test_a_model_writes_where_more_than_an_address_is_asked_for_and_only_there(corpus):
    await in_thread(gate, OPEN)
    await give("synthesize")
    with speaking("synthesize", "Only Iblis refused to bow to the newly made man [^2].") as writer:
        written, verse = await ask(BESIDE), await ask("What does BG 2.47 say?")
    assert (texts(written), len(writer.asked)) == ([IBLIS], 1)
    assert texts(verse) == [WORK]
    assert WORK in writer.asked[0][-1].text


@pytest.mark.parametrize("mode", ["instant", "auto"])
async def test_where_the_gate_finds_the_rest_thin_the_verse_answers_by_itself(corpus, mode):
    await in_thread(gate, SHUT)
    response = await ask(BESIDE, mode=mode)
    assert (texts(response), response["outcome"]) == ([WORK], "grounded")
    assert [warning["details"]["reason"] for warning in response["warnings"]] == ["only_the_passages"]


async def test_where_a_model_abstains_the_verse_answers_by_itself(corpus):
    await in_thread(gate, OPEN)
    await give("synthesize")
    with speaking("synthesize", "INSUFFICIENT_EVIDENCE"):
        response = await ask(BESIDE)
    assert (texts(response), response["outcome"]) == ([WORK], "grounded")
