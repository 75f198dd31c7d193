"""A model says where new chunks stand, once each; without it, or where it fails, the index is as before."""

import threading
from decimal import Decimal

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import connections, transaction
from django.utils import timezone

from corpus.domain.embedded import embedded_hash
from corpus.domain.situation import RULES
from corpus.indexing import embedding, leases
from corpus.indexing.context_sentences import ContextLimits, ContextWriter
from corpus.indexing.embedding import IndexPace
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, IndexRun
from corpus.services import source_withdraw
from corpus.services.storing import chunks_replace, situations_store
from lectorium.ladder.models import Budget, Rung, Usage
from lectorium.ladder.services import rung_save
from lectorium.providers import registry
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat
from operations import diagnosis
from tests.chat.authors import speaking
from tests.factories import a_lecture, a_work

pytestmark = pytest.mark.django_db(transaction=True)

SENTENCE = "Of the lamp that a verse of John sets number by number."
DEAD = Reply(fault="unreachable")


@pytest.fixture
def rung():
    """Give the job to the scripted model."""
    return rung_save(rung=Rung(job="contextualize", model="scripted:contextualize", max_tokens=100), by="tests")


def verses(count, first=1):
    return a_work({f"John 1:{n}": f"verse number {n}" for n in range(first, first + count)})


def situated():
    return Chunk.objects.exclude(situation="").count()


def asked(model):
    return sorted(messages[-1].text.split("The passage\n| ")[1] for messages in model.asked)


def test_the_sentence_of_a_new_chunk_is_stored_searched_and_embedded(rung):
    verses(3)
    with speaking("contextualize", SENTENCE):
        report = embedding.embed_changed()
    assert (report.embedded, report.situated) == (3, 3)
    for vector in ChunkVector.objects.select_related("chunk"):
        chunk = vector.chunk
        assert chunk.situation == SENTENCE
        assert chunk.situated_by.split()[0] == "scripted:contextualize"
        assert vector.embedded_hash == chunk.embedded_hash
        (expected,) = registry.embedder().embed_passages([f"{SENTENCE}\n{chunk.text}"])
        assert np.allclose(vector.embedding, expected, atol=1e-3)
        assert "lamp" not in chunk.context
    assert Chunk.objects.filter(search_vector="lamp").count() == 3
    assert Usage.objects.get().calls == 3
    assert IndexRun.objects.get().situated == 3


def test_the_model_is_shown_the_passage_its_source_and_what_stands_beside_it(rung):
    verses(3)
    with speaking("contextualize", SENTENCE) as model:
        embedding.embed_changed()
    assert asked(model) == [f"verse number {n}" for n in (1, 2, 3)]
    (second,) = [messages for messages in model.asked if messages[-1].text.endswith("| verse number 2")]
    assert "What stands before it\n| verse number 1" in second[-1].text
    assert "What stands after it\n| verse number 3" in second[-1].text
    assert "The source\n| Bible · John 1:2. Bible." in second[-1].text
    assert f"at most {RULES.most_words}" in second[0].text


def test_a_run_over_an_unchanged_corpus_asks_nothing(rung):
    verses(3)
    with speaking("contextualize", SENTENCE) as model:
        embedding.embed_changed()
        verses(3)
        assert embedding.embed_changed().embedded == 0
        assert len(model.asked) == 3


def test_only_what_is_new_or_changed_is_asked_for(rung):
    a_work({"John 1:1": "one", "John 1:2": "two", "John 1:3": "three"})
    with speaking("contextualize", "Of one and two and three in John.") as model:
        embedding.embed_changed()
        a_work({"John 1:1": "one", "John 1:2": "two, corrected", "John 1:3": "three", "John 1:4": "four"})
        assert embedding.embed_changed().embedded == 2
        assert asked(model) == ["four", "one", "three", "two", "two, corrected"]


def test_a_sentence_outlives_a_new_title_and_is_searched_beside_it(rung):
    a_lecture("The lamp is lit.", title="Older")
    with speaking("contextualize", "Of a lamp that is lit by nobody.") as model:
        embedding.embed_changed()
        a_lecture("The lamp is lit.", title="Newer")
        assert embedding.embed_changed().embedded == 0
        assert len(model.asked) == 1
    chunk = Chunk.objects.get()
    assert chunk.situation == "Of a lamp that is lit by nobody."
    assert "newer" in chunk.folded_context
    assert "nobody" in chunk.folded_context
    assert "older" not in chunk.folded_context


def test_chunks_indexed_before_there_was_a_model_are_left_alone_until_the_operator_asks(rung):
    Rung.objects.update(enabled=False)
    with pytest.raises(CommandError, match="No model does contextualize"):
        call_command("index", contextualize=True, verbosity=0)
    verses(3)
    embedding.embed_changed()
    Rung.objects.update(enabled=True)
    with speaking("contextualize", SENTENCE) as model:
        assert embedding.embed_changed().situated == 0
        ok, says = diagnosis.CHECKS["contexts"]()
        assert ok
        assert says.startswith("3 chunks without a sentence")
        call_command("index", contextualize=True, verbosity=0)
        assert situated() == len(model.asked) == 3
        call_command("index", contextualize=True, verbosity=0)
        assert len(model.asked) == 3
    assert diagnosis.CHECKS["contexts"]() == (True, "all by a model")
    vectors = ChunkVector.objects.select_related("chunk")
    assert all(vector.embedded_hash == vector.chunk.embedded_hash for vector in vectors)


def test_a_second_space_asks_for_nothing_again(rung):
    verses(3)
    with speaking("contextualize", SENTENCE) as model:
        embedding.embed_changed()
        registry.replace_model("embedder", HashingEmbedder(128))
        assert embedding.embed_changed().embedded == 3
        assert len(model.asked) == 3
    vectors = ChunkVector.objects.filter(space__model="hashing-128").select_related("chunk")
    assert all(vector.embedded_hash == vector.chunk.embedded_hash for vector in vectors)


def test_what_is_withdrawn_or_a_duplicate_is_not_paid_for(rung):
    same = "The lamp that is lit in the evening burns until the morning comes, and nobody tends it in the night."
    a_lecture(same, key="first")
    a_lecture(same, key="second")
    source_withdraw(source=a_lecture("A withdrawn word.", key="third"))
    with speaking("contextualize", "Of a lamp that is lit by nobody.") as model:
        assert embedding.embed_changed().embedded == 3
    assert asked(model) == [same]


@pytest.mark.parametrize("reply", [DEAD, "Babble.", Reply.of("I cannot say."), Reply.of("word " * 200), Reply()])
def test_a_model_that_says_nothing_of_use_is_soon_left_alone_and_everything_is_indexed(rung, reply):
    verses(30)
    with speaking("contextualize", reply) as model:
        report = embedding.embed_changed(IndexPace(batch=16))
    assert (report.embedded, report.situated) == (30, 0)
    assert len(model.asked) == ContextLimits().misses
    assert "8 times in a row there was no sentence" in IndexRun.objects.get().remark
    ok, says = diagnosis.CHECKS["index run"]()
    assert not ok
    assert "contextualize: 8 times in a row" in says
    assert "manage.py index --contextualize" in says
    assert Chunk.objects.filter(folded_context__contains="number").count() == 30


def test_a_miss_now_and_then_ends_nothing(rung):
    verses(40)
    with speaking("contextualize", *[DEAD, SENTENCE, SENTENCE, SENTENCE] * 10) as model:
        report = embedding.embed_changed()
    assert len(model.asked) == 40
    assert report.situated == 30
    assert IndexRun.objects.get().remark == ""


def test_a_model_that_takes_too_long_is_not_waited_for(rung, monkeypatch):
    verses(20)
    slow = Reply(("Late",), first_after=60.0)
    monkeypatch.setattr("corpus.indexing.context_sentences.LIMITS", ContextLimits(seconds=5.0))
    with speaking("contextualize", slow) as model:
        assert embedding.embed_changed().embedded == 20
    assert len(model.asked) == model.closed_early == 8
    assert "too_slow" in IndexRun.objects.get().remark


def test_beyond_the_budget_no_model_is_asked(rung):
    Budget.objects.create(job="contextualize", tokens_a_day=1)
    Usage.objects.create(
        day=timezone.now().date(), job="contextualize", model="x", tokens_in=1, tokens_out=0, cost=Decimal(0)
    )
    verses(20)
    with speaking("contextualize", SENTENCE) as model:
        assert embedding.embed_changed().embedded == 20
    assert model.asked == []
    assert "budget_reached" in IndexRun.objects.get().remark


def test_a_row_that_cannot_be_read_keeps_nothing_from_being_indexed(rung):
    Rung.objects.update(prompt_version="gone")
    verses(20)
    with speaking("contextualize", SENTENCE):
        assert embedding.embed_changed().embedded == 20
    assert "no version gone" in IndexRun.objects.get().remark


def test_of_a_share_the_rest_goes_by_leading_terms_and_counts_as_no_miss():
    row = Rung(job="contextualize", model="scripted:contextualize", percent=30, max_tokens=100)
    rung_save(rung=row, by="tests")
    verses(60)
    with speaking("contextualize", SENTENCE) as model:
        report = embedding.embed_changed()
    assert 0 < report.situated == len(model.asked) < 40
    assert IndexRun.objects.get().remark == ""


class DyingModel(HashingEmbedder):
    def embed_passages(self, texts):
        raise RuntimeError("killed")


def test_a_run_that_dies_after_the_sentences_does_not_pay_for_them_again(rung):
    verses(12)
    registry.replace_model("embedder", DyingModel())
    with speaking("contextualize", SENTENCE) as model:
        with pytest.raises(RuntimeError):
            embedding.embed_changed()
        assert situated() == len(model.asked) == 12
        registry.replace_model("embedder", HashingEmbedder())
        assert embedding.embed_changed().embedded == 12
        assert len(model.asked) == 12


def test_a_run_that_lost_its_claim_while_it_asked_stores_no_sentence(rung):
    verses(4)
    space = embedding.space_ensure(HashingEmbedder())
    run = leases.run_begin(space=space, total=4)
    shares = leases.claim(run, leases.SHARES, IndexPace().lease, ())
    leases.release(run)
    with speaking("contextualize", SENTENCE), ContextWriter() as situating, pytest.raises(leases.LeaseLost):
        next(embedding._batches(run, shares, IndexPace(), situating))
    assert situated() == 0


def test_two_workers_ask_once_for_each_chunk(rung):
    verses(40)
    pace = IndexPace(batch=4, claimed=8)

    def run():
        embedding.embed_changed(pace)
        connections.close_all()

    with speaking("contextualize", SENTENCE) as model:
        workers = [threading.Thread(target=run) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(120)
        assert len(model.asked) == situated() == 40
    assert sum(IndexRun.objects.values_list("situated", flat=True)) == 40


def test_a_sentence_that_came_second_is_not_stored():
    verses(1)
    pk = Chunk.objects.get().pk
    with transaction.atomic():
        assert situations_store(sentences={pk: ("The first one.", "m 1")}) == 1
        assert situations_store(sentences={pk: ("The second one.", "m 2")}) == 0
    assert Chunk.objects.get().situation == "The first one."


def test_an_import_that_began_before_a_sentence_came_leaves_a_chunk_that_is_asked_for_again(rung):
    lecture = a_lecture("The lamp is lit.", title="Older")
    chunk = lecture.chunks.get()

    def arriving():
        assert situations_store(sentences={chunk.pk: ("Of a lamp.", "m 1")}) == 1
        chunk.heading = "Newer"
        yield chunk

    with transaction.atomic():
        chunks_replace(lecture, arriving(), is_new=False)
    stored = Chunk.objects.get()
    assert (stored.heading, stored.situation, stored.situated_by) == ("Newer", "", "")
    assert stored.embedded_hash == embedded_hash(stored.text)
    with speaking("contextualize", "Of a lamp that is lit by nobody."):
        assert embedding.embed_changed().situated == 1


def test_without_a_model_nothing_about_the_index_changes():
    verses(3)
    embedding.embed_changed()
    assert not Chunk.objects.exclude(situation="", situated_by="").exists()
    assert EmbeddingSpace.objects.get().runs.get().situated == 0
    assert diagnosis.CHECKS["contexts"]()[0]


class Closing(ScriptedChat):
    """Counts the event loops whose connections were closed."""

    closed = 0

    async def aclose(self):
        self.closed += 1


def test_the_connections_of_a_run_are_closed_once_when_it_ends(rung):
    verses(20)
    model = Closing(SENTENCE, name="scripted:contextualize")
    registry.replace_model("scripted:contextualize", model)
    try:
        embedding.embed_changed(IndexPace(batch=4))
    finally:
        registry.replace_model("scripted:contextualize", None)
    assert (len(model.asked), model.closed) == (20, 1)
