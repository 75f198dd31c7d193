"""Reading kept passages sentence by sentence."""

from dataclasses import replace
from uuid import UUID

import pytest

from chat.answering.ask import operator
from chat.answering.domain.evidence.pool import Candidate, Pool, PoolLimits
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import QueryPlan, Question, Route
from chat.answering.passages.sentences import read_sentences
from chat.answering.stages.discard import select_candidates
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import retrieve_candidates
from corpus.domain.passage import Passage
from corpus.selectors import serving_space
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.threads import in_thread


@pytest.mark.parametrize(
    ("title", "spared"), [("The Parting", True), ("Art", False), ("…", False), ("Part", False), ("parting", True)]
)
def test_only_a_source_that_the_question_names_in_whole_words_is_spared_the_cap(title, spared):
    plan = QueryPlan(Route.SINGLE_HOP, "What is said in The Parting about articles?")
    passages = (
        Passage(
            chunk_id=UUID(int=n), source_id=UUID(int=1), kind="lecture", address=f"a:{n}", title=title,
            text=f"text {n}", content_hash=str(n), ordinal=n,
        )
        for n in range(1, 13)
    )  # fmt: skip
    pool = Pool(tuple(Candidate(passage, 0.01, similarity=0.5) for passage in passages), {})
    assert (len(select_candidates(plan, pool, DiscardRules()).kept) > DiscardRules().per_source) is spared


class CountingEmbedder(HashingEmbedder):
    def __init__(self):
        super().__init__()
        self.embedded = []

    def embed_passages(self, texts):
        self.embedded += texts
        return super().embed_passages(texts)


@pytest.mark.django_db(transaction=True)
async def test_sentences_of_passages_that_were_read_lately_are_not_embedded_again(corpus):
    viewer, model, alone = await in_thread(operator), CountingEmbedder(), HashingEmbedder()
    known = set()
    for question in ("Who refused to bow to the newly made man?", "Who bowed to the man?"):
        plan = await in_thread(plan_question, Question(question, viewer))
        pool = await retrieve_candidates(plan, viewer, PoolLimits(), await in_thread(serving_space))
        model.embedded.clear()
        candidates = tuple(
            replace(candidate, answerability=0.5, answer_span=(0, 8), sentence_similarities=())
            for candidate in pool.candidates
        )
        sentences = await in_thread(read_sentences, plan, candidates, DiscardRules(), model)
        texts = {sentence.text for sentence in sentences}
        assert set(model.embedded) - {plan.standalone} == texts - known
        assert texts
        assert {(sentence.answers, sentence.position == 0) for sentence in sentences} == {(0.5, True), (0.0, False)}
        for sentence in sentences:
            cosine = alone.embed_passages([sentence.text]) @ alone.embed_questions([plan.standalone]).T
            assert sentence.similarity == pytest.approx(float(cosine[0, 0]), abs=1e-6)
        known |= texts


@pytest.mark.django_db(transaction=True)
async def test_only_sentences_without_a_stored_similarity_are_embedded(corpus):
    viewer, model = await in_thread(operator), CountingEmbedder()
    plan = await in_thread(plan_question, Question("Who refused to bow to the newly made man?", viewer))
    pool = await retrieve_candidates(plan, viewer, PoolLimits(), await in_thread(serving_space))
    stored = await in_thread(read_sentences, plan, pool.candidates, DiscardRules(), model)
    assert model.embedded == []
    (unknown, *known) = pool.candidates
    unsplit = replace(known[0], sentence_similarities=(*known[0].sentence_similarities, 0.9))  # split by other rules
    candidates = (replace(unknown, sentence_similarities=()), unsplit, *known[1:])
    some = await in_thread(read_sentences, plan, candidates, DiscardRules(), model)
    assert set(model.embedded) - {plan.standalone} == {sentence.text for sentence in some if sentence.passage < 2}
    assert [sentence.similarity for sentence in some] == pytest.approx(
        [sentence.similarity for sentence in stored], abs=1e-3
    )
