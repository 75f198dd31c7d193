"""Reading kept passages sentence by sentence."""

import pytest

from chat.asking import operator
from chat.domain.pool import PoolLimits
from chat.domain.question import Question
from chat.domain.selection import DiscardRules
from chat.stages.discard import read_sentences
from chat.stages.plan import plan_question
from chat.stages.retrieve import retrieve
from corpus.selectors import serving_space
from corpus.terms import term_statistics
from lectorium.providers.hashing import HashingEmbedder
from lectorium.threads import in_thread

pytestmark = pytest.mark.django_db(transaction=True)


class Counting(HashingEmbedder):
    def __init__(self):
        super().__init__()
        self.embedded = []

    def embed_passages(self, texts):
        self.embedded += texts
        return super().embed_passages(texts)


async def test_sentences_of_passages_that_were_read_lately_are_not_embedded_again(corpus):
    viewer, model, alone = await in_thread(operator), Counting(), HashingEmbedder()
    known = set()
    for question in ("Who refused to bow to the newly made man?", "Who bowed to the man?"):
        plan = await in_thread(plan_question, Question(question, viewer))
        pool = await retrieve(plan, viewer, PoolLimits(), await in_thread(serving_space))
        terms = await in_thread(term_statistics, plan.words, plan.alternatives)
        model.embedded.clear()
        sentences = await in_thread(read_sentences, plan, pool.candidates, terms, DiscardRules(), model)
        texts = {one.text for one in sentences}
        assert set(model.embedded) - {plan.standalone} == texts - known
        assert texts
        for one in sentences:
            cosine = alone.embed_passages([one.text]) @ alone.embed_questions([plan.standalone]).T
            assert one.similarity == pytest.approx(float(cosine[0, 0]), abs=1e-6)
        known |= texts
