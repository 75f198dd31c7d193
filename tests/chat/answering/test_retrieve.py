import threading
from dataclasses import replace

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from chat.answering import lexical
from chat.answering.ask import operator
from chat.answering.domain.evidence.pool import POOLING, FusedHit, Pooling, PoolLimits
from chat.answering.domain.question import Question
from chat.answering.domain.viewer import Viewer
from chat.answering.stages import retrieve
from chat.answering.stages.plan import plan_question
from corpus.domain.text.sentences import sentence_spans
from corpus.indexing.terms import refresh_terms
from corpus.models import Chunk, Collection, SentenceVector
from corpus.selectors import serving_space
from lectorium.providers import cancellation
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.threads import in_thread
from tests.factories import a_work

pytestmark = pytest.mark.django_db(transaction=True)


def addresses(hits):
    return list(Chunk.objects.filter(pk__in=[hit.chunk_id for hit in hits]).values_list("address", flat=True))


def plan_of(text):
    return plan_question(Question(text, operator()))


def test_rare_words_outrank_common_ones(corpus):
    hits = lexical.lexical_lane([plan_of("the banyan man").words], operator())
    assert hits[0].lane == "lexical"
    assert addresses(hits[:1]) == ["first-steps:1"]
    assert 0 < hits[0].value <= 1


def test_a_word_no_chunk_holds_is_found_by_its_spelling(corpus):
    hits = lexical.lexical_lane([("banyann",)], operator())
    assert [hit.lane for hit in hits] == ["spelling"]
    assert addresses(hits) == ["first-steps:1"]


def test_the_chunks_of_a_similar_spelling_are_not_asked_for_in_order(corpus):
    """In order of ids, the database would walk through all chunks to find the few that hold a rare word."""
    with CaptureQueriesContext(connection) as queries:
        assert lexical.lexical_lane([("banyann",)], operator())
    (search,) = [query["sql"] for query in queries if "search_vector" in query["sql"]]
    assert "ORDER BY" not in search


def test_all_wordings_are_searched_in_one_statement_and_found_as_each_alone(corpus):
    wordings = [("banyan", "man"), ("fruit",), ("work", "fruit"), ("banyan", "man")]
    with CaptureQueriesContext(connection) as queries:
        together = lexical.lexical_lane(wordings, operator())
    assert sum("corpus_chunk" in query["sql"] for query in queries) == 1
    for place, words in enumerate(wordings[:3]):
        alone = lexical.lexical_lane([words], operator())
        assert alone
        assert [replace(hit, wording=0) for hit in together if hit.wording == place] == alone


def test_what_a_word_weighs_is_looked_up_once_in_the_statement(corpus):
    with CaptureQueriesContext(connection) as queries:
        lexical.lexical_lane([("banyan", "man")], operator())
    (sql,) = [query["sql"] for query in queries if "corpus_chunk" in query["sql"]]
    assert sql.count("THEN") == len(("banyan", "man"))


def test_each_hit_says_which_wording_found_it_also_after_a_repeated_one(corpus):
    hits = lexical.lexical_lane([("banyan",), ("banyan",), ("fruit",)], operator())
    assert {hit.wording for hit in hits} == {0, 2}
    vectors = HashingEmbedder().embed_questions(["the banyan", "the fruit of work"])
    assert [hit.wording for hit in retrieve.dense_lane(vectors, operator(), serving_space()) if hit.rank == 1] == [0, 1]


def test_the_sentence_lane_orders_chunks_by_their_nearest_sentence(corpus):
    question = "Only Iblis refused to bow to the newly made man."
    hits = retrieve.sentence_lane(HashingEmbedder().embed_questions([question]), operator(), serving_space())
    assert addresses(hits[:1]) == ["first-steps:1"]
    assert hits[0].lane == "sentence"
    assert hits[0].value == pytest.approx(1, abs=1e-3)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.value for hit in hits] == sorted((hit.value for hit in hits), reverse=True)
    assert len({hit.chunk_id for hit in hits}) == len(hits)
    assert retrieve.sentence_lane(HashingEmbedder().embed_questions([question]), operator(), None) == []


async def test_each_candidate_has_the_cosine_of_each_sentence_with_the_standalone_question(corpus):
    plan = await in_thread(plan_of, "Compare the banyan man with the fruit of work")
    assert len(plan.wordings) > 1
    viewer, space = await in_thread(operator), await in_thread(serving_space)
    pool = await retrieve.retrieve_candidates(plan, viewer, PoolLimits(), space)
    assert pool.candidates
    (question,) = HashingEmbedder().embed_questions([plan.standalone])
    for candidate in pool.candidates:
        sentences = [candidate.passage.text[slice(*span)] for span in sentence_spans(candidate.passage.text)]
        expected = HashingEmbedder().embed_passages(sentences) @ question
        assert candidate.sentence_similarities == pytest.approx(tuple(expected), abs=1e-3)


def test_the_sentences_of_all_candidates_are_fetched_in_one_query(corpus):
    found = [FusedHit(pk, 0.1, {}, False) for pk in Chunk.objects.values_list("pk", flat=True)]
    vectors, space = HashingEmbedder().embed_questions(["the banyan", "a tree"]), serving_space()
    with CaptureQueriesContext(connection) as queries:
        candidates = retrieve.load_candidates(found, vectors, space, 0)
    assert sum("corpus_sentencevector" in query["sql"] for query in queries) == 1
    assert all(candidate.sentence_similarities for candidate in candidates)
    SentenceVector.objects.all().delete()
    assert {candidate.sentence_similarities for candidate in retrieve.load_candidates(found, vectors, space, 0)} == {()}


def test_of_a_text_full_of_unknown_words_only_some_are_looked_up_by_their_spelling(corpus):
    unknown = [f"banyann{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    with CaptureQueriesContext(connection) as queries:
        hits = lexical.lexical_lane([unknown], operator())
    assert {hit.lane for hit in hits} == {"spelling"}
    assert sum("corpus_term" in query["sql"] for query in queries) == 1 + lexical.UNKNOWN_WORDS


def test_of_a_text_of_many_words_only_the_rarest_are_searched(corpus, monkeypatch):
    monkeypatch.setattr(lexical, "SEARCHED_WORDS", 1)
    searched = []
    for words in (("work", "banyan", "fruit"), ("banyan",)):
        with CaptureQueriesContext(connection) as queries:
            assert addresses(lexical.lexical_lane([words], operator())) == ["first-steps:1"]
        searched += [query["sql"] for query in queries if "ts_rank" in query["sql"]]
    assert searched[0] == searched[1]


def test_a_word_longer_than_any_is_not_looked_up_by_its_spelling(corpus):
    assert lexical.lexical_lane([("banyan" * 20,)], operator()) == []


def test_words_of_the_context_find_a_chunk_unless_they_are_left_out(corpus):
    Chunk.objects.filter(address="BG 2.47").update(folded_context="kurukshetra")
    refresh_terms()
    assert addresses(lexical.lexical_lane([("kurukshetra",)], operator())) == ["BG 2.47"]
    assert lexical.lexical_lane([("kurukshetra",)], operator(), labels="ABC") == []
    assert addresses(lexical.lexical_lane([("fruit",)], operator(), labels="ABC")) == ["BG 2.47"]


def test_an_address_finds_its_chunk_and_a_range_finds_each(corpus):
    assert addresses(retrieve.address_lane(plan_of("BG 2.47").address_keys, operator())) == ["BG 2.47"]
    both = retrieve.address_lane(plan_of("Read me BG 2.47-48").address_keys, operator())
    assert sorted(addresses(both)) == ["BG 2.47", "BG 2.48"]


@pytest.mark.django_db
def test_a_range_across_chapters_finds_the_verses_between_its_ends_in_their_order():
    verses = ["John 3:35", "John 3:36", "John 4:1", "John 4:2", "John 4:3"]
    a_work({verse: f"The words of {verse}." for verse in verses})
    hits = retrieve.address_lane(plan_of("What does John 3:36-4:2 say?").address_keys, operator())
    assert addresses(hits) == verses[1:-1]


@pytest.mark.parametrize("lane", ["dense", "sentence", "lexical", "spelling", "address"])
def test_no_lane_finds_what_its_viewer_may_not_see(corpus, lane):
    hidden = Collection.objects.get(key="garden")
    others = tuple(Collection.objects.exclude(pk=hidden.pk).values_list("pk", flat=True))
    viewer = Viewer(collections=others)
    vectors = HashingEmbedder().embed_questions(["the gardener buried a silver compass"])
    hits = {
        "dense": lambda: retrieve.dense_lane(vectors, viewer, serving_space()),
        "sentence": lambda: retrieve.sentence_lane(vectors, viewer, serving_space()),
        "lexical": lambda: lexical.lexical_lane([("gardner", "silver", "compass")], viewer),
        "spelling": lambda: lexical.lexical_lane([("compasss",)], viewer),
        "address": lambda: retrieve.address_lane(("garden 1",), viewer),
    }[lane]()
    found = Chunk.objects.filter(pk__in=[hit.chunk_id for hit in hits])
    assert not found.filter(collection=hidden).exists()


async def test_a_viewer_of_nothing_finds_nothing(corpus):
    pool = await retrieve.retrieve_candidates(await in_thread(plan_of, "banyan"), Viewer(), PoolLimits(), None)
    assert pool.candidates == ()


LOOKS = ("matches_of", "address_lane", "dense_lane", "sentence_lane", "lexical_lane")


async def looked_up(monkeypatch, pooling=POOLING, **looks):
    """Return the pool of a question whose looks are these."""
    for name in LOOKS:
        monkeypatch.setattr(retrieve, name, looks.get(name, lambda *_: []))
    plan, viewer, space = await in_thread(lambda: (plan_of("BG 2.47"), operator(), serving_space()))
    return await retrieve.retrieve_candidates(plan, viewer, PoolLimits(), space, pooling)


async def test_the_five_lanes_look_at_once(corpus, monkeypatch):
    everyone = threading.Barrier(len(LOOKS))

    def meeting(*_):
        everyone.wait(timeout=10)  # broken where one lane waits for another
        return []

    pool = await looked_up(monkeypatch, **dict.fromkeys(LOOKS, meeting))
    assert pool.candidates == ()


async def test_a_lane_that_is_left_out_does_not_look(corpus, monkeypatch):
    looked = []
    looks = {name: lambda *_, name=name: looked.append(name) or [] for name in LOOKS}
    await looked_up(monkeypatch, Pooling(lanes=frozenset({"curated", "dense"})), **looks)
    assert set(looked) == {"matches_of", "dense_lane"}


@pytest.mark.parametrize("failing", LOOKS)
async def test_the_error_of_a_lane_is_raised_and_the_others_are_told_to_stop(corpus, monkeypatch, failing):
    everyone, stopped = threading.Barrier(len(LOOKS)), threading.Semaphore(0)

    def fail(*_):
        everyone.wait(timeout=10)
        raise ValueError("no shelf")

    def wait(*_):
        everyone.wait(timeout=10)
        if cancellation.current().wait(10):
            stopped.release()
        return []

    with pytest.raises(ValueError, match="no shelf"):
        await looked_up(monkeypatch, **{name: fail if name == failing else wait for name in LOOKS})
    assert all(stopped.acquire(timeout=10) for _ in range(len(LOOKS) - 1))


async def test_what_could_not_be_looked_up_is_looked_up_once_more_but_the_judge_of_pins_is_not_asked_twice(
    corpus, monkeypatch
):
    looked = []

    def lose(*_):
        looked.append("address_lane")
        if looked.count("address_lane") == 1:
            raise OperationalError("the connection is gone")
        return []

    await looked_up(monkeypatch, address_lane=lose, matches_of=lambda *_: looked.append("matches_of") or [])
    assert sorted(looked) == ["address_lane", "address_lane", "matches_of"]
