"""A configured reranker orders what is read; where it fails, the reader's own relevance does."""

import pytest

from chat.answering.ask import operator
from chat.answering.domain.evidence.pool import PoolLimits
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import Question
from chat.answering.stages.plan import plan_question
from chat.answering.stages.read import read_candidates
from chat.answering.stages.retrieve import retrieve_candidates
from corpus.selectors import serving_space
from lectorium.providers import registry
from lectorium.providers.cancellation import StoppedError
from lectorium.providers.errors import Unreachable, WrongKey
from lectorium.threads import in_thread

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "Who refused to bow to the newly made man?"


class Reranks:
    """A reranker that does one thing a call: raise an error, or say that the first passage is best."""

    name = "remote"

    def __init__(self, *errors):
        self.errors = list(errors)

    def rerank(self, question, passages):
        if self.errors and (error := self.errors.pop(0)):
            raise error
        return [1000.0 - place for place in range(len(passages))]


@pytest.fixture
def reranked():
    """Serve a reranker that fails as told, call after call."""
    return lambda *errors: registry.replace_model("reranker", Reranks(*errors))


@pytest.fixture
async def found(corpus):
    viewer = await in_thread(operator)
    plan = await in_thread(plan_question, Question(ASKED, viewer))
    return plan, await retrieve_candidates(plan, viewer, PoolLimits(), await in_thread(serving_space))


async def looked(plan, pool, rules=DiscardRules()):  # noqa: B008 - frozen
    pool = await in_thread(read_candidates, plan, pool, rules)
    return pool, {
        candidate.passage.chunk_id: candidate.relevance
        for candidate in pool.candidates
        if candidate.relevance is not None
    }


@pytest.mark.parametrize("error", [Unreachable("refused"), WrongKey("HTTP 401")])
async def test_where_the_reranker_fails_the_readers_relevance_orders_and_a_warning_says_so(
    found, reranked, caplog, error
):
    alone = await looked(*found)
    reranked(error)
    assert await looked(*found) == alone
    assert f"passages are ordered without the reranker remote: {error}" in caplog.text


@pytest.mark.parametrize("error", [ValueError("a fault of ours"), StoppedError("the caller cancelled")])
async def test_an_error_that_is_no_providers_is_raised(found, reranked, error):
    reranked(error)
    with pytest.raises(type(error), match=str(error)):
        await looked(*found)


@pytest.mark.parametrize("fails_first", [True, False])
async def test_a_reranker_that_fails_in_one_of_two_looks_leaves_all_scores_of_one_source(found, reranked, fails_first):
    plan, pool = found
    _, readers = await looked(plan, pool)
    reranked(*([Unreachable("x"), None] if fails_first else [None, Unreachable("x")]))
    first, scores = await looked(plan, pool, DiscardRules(read=1))
    assert len(scores) == 1
    _, scores = await looked(plan, first)
    assert len(scores) > 1
    if fails_first:
        assert min(scores.values()) > 900
    else:
        assert scores == readers


class UnusedReader:
    """Stands for the big reader, which judges clips later."""

    name = "big"

    def read(self, question, passages):
        raise AssertionError("no passage is read whole")


async def test_where_the_big_reader_will_judge_clips_no_passage_is_read_whole(found):
    registry.replace_model("clip_reader", UnusedReader())
    registry.replace_model("reader", UnusedReader())
    _, scores = await looked(*found)
    assert not scores


async def test_in_instant_mode_the_small_reader_reads_whole_passages_all_the_same(found):
    registry.replace_model("clip_reader", UnusedReader())
    _, scores = await looked(*found, DiscardRules(read=8, judged=3))
    assert scores
