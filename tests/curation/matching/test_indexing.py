"""Entries are embedded by the index job alone, and none is matched on words that it no longer has."""

import contextlib
import os
import signal
import threading

import pytest
from django.contrib.auth.models import User
from django.db import connections

from corpus.indexing.embedding import embed_changed
from corpus.selectors import ANYWHERE, serving_space
from curation.entries import CurationRefused, EntryLists, entry_store
from curation.lookup import curated_matches
from curation.matching import indexing
from curation.matching.entries import published_entries
from curation.matching.indexing import entries_index
from curation.matching.likeness import MatchedQuestion
from curation.models import EntryVectors, MemoryNote, PinnedQuestion
from curation.services import entry_publish, entry_withdraw
from lectorium.providers import registry
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from tests.factories import a_note, a_pin

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "How should one work without wanting anything?"
OTHER = "Who refused to bow to the newly made man?"


def titles(text=ASKED):
    question = MatchedQuestion([text], HashingEmbedder().embed_questions([text]), [True], "en")
    return [match.entry.title for match in curated_matches(question, space=serving_space(), scope=ANYWHERE)]


def not_indexed(question=ASKED, state="published", **lists):
    pin = PinnedQuestion(question=question, state=state)
    entry_store(pin, EntryLists(["BG 2.47"], **lists), by=None, reason="Test")
    return pin


def test_an_entry_matches_once_the_index_job_has_embedded_it(corpus):
    not_indexed()
    assert titles() == []
    embed_changed()
    assert titles() == [ASKED]


def test_a_draft_is_embedded_beforehand_so_that_publishing_takes_effect_at_once(corpus):
    pin = a_pin(ASKED, ["BG 2.47"], state="draft")
    assert titles() == []
    pin.state = "published"
    entry_store(pin, EntryLists(), by=None, reason="Published")
    assert titles() == [ASKED]


def test_a_withdrawn_entry_disappears_at_once(corpus):
    pin = a_pin(ASKED, ["BG 2.47"])
    assert titles() == [ASKED]
    pin.state = "withdrawn"
    entry_store(pin, EntryLists(), by=None, reason="Withdrawn")
    assert titles() == []
    entries_index(serving_space())
    assert not EntryVectors.objects.exists()


def test_a_changed_entry_is_matched_neither_by_its_old_words_nor_half_by_its_new_ones(corpus):
    pin = a_pin(ASKED, ["BG 2.47"], phrasings=["What is desireless action?"])
    assert titles(ASKED) == [ASKED]
    entry_store(pin, EntryLists(phrasings=[OTHER]), by=None, reason="Changed")
    assert titles(ASKED) == titles(OTHER) == titles("What is desireless action?") == []
    entries_index(serving_space())
    assert titles(ASKED) == titles(OTHER) == [ASKED]
    assert titles("What is desireless action?") == []


def test_nothing_but_the_question_is_embedded_in_a_turn(corpus):
    a_pin(ASKED, ["BG 2.47"])
    a_note("Zeal", ["BG 2.47"], triggers=["work"])

    class Forbids(HashingEmbedder):
        def embed_questions(self, texts):
            raise AssertionError(texts)

    question = MatchedQuestion([ASKED], HashingEmbedder().embed_questions([ASKED]), [True], "en")
    registry.replace_model("embedder", Forbids())
    assert len(curated_matches(question, space=serving_space(), scope=ANYWHERE)) == 2


class Dies(HashingEmbedder):
    """Kills its process in the middle of a run."""

    calls = 0

    def embed_questions(self, texts):
        self.calls += 1
        if self.calls == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().embed_questions(texts)


def test_a_killed_run_leaves_whole_entries_and_the_next_one_embeds_the_rest(corpus, monkeypatch):
    monkeypatch.setattr(indexing, "BATCH", 1)
    pins = [not_indexed(f"Question number {number}?", phrasings=[f"Number {number}, which?"]) for number in range(3)]
    connections.close_all()
    connections["default"].close_pool()  # the child must not use the parent's connections
    child = os.fork()
    if child == 0:
        registry.replace_model("embedder", Dies())
        try:
            entries_index(serving_space())
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    ready = published_entries(serving_space())
    assert (len(ready.entries), len(ready.waiting)) == (1, 2)
    assert ready.vectors[0].shape[0] == 2
    assert entries_index(serving_space()) == 2
    assert len(published_entries(serving_space()).entries) == len(pins)


def test_of_two_runs_the_one_that_read_old_words_stores_nothing(corpus):
    pin = not_indexed()
    inside, changed = threading.Event(), threading.Event()

    class Waits(HashingEmbedder):
        def embed_questions(self, texts):
            inside.set()
            assert changed.wait(60)
            return super().embed_questions(texts)

    stored = []

    def slow_run():
        stored.append(entries_index(serving_space()))
        connections.close_all()

    registry.replace_model("embedder", Waits())
    thread = threading.Thread(target=slow_run)
    thread.start()
    assert inside.wait(60)
    registry.replace_model("embedder", HashingEmbedder())
    pin.question = OTHER
    entry_store(pin, EntryLists(), by=None, reason="Changed")
    assert entries_index(serving_space()) == 1
    changed.set()
    thread.join()
    assert stored == [0]
    assert (titles(OTHER), titles(ASKED)) == ([OTHER], [])


def test_what_is_withdrawn_while_it_is_embedded_is_not_served(corpus):
    pin = not_indexed()

    class Withdraws(HashingEmbedder):
        def embed_questions(self, texts):
            PinnedQuestion.objects.filter(pk=pin.pk).update(state="withdrawn")
            return super().embed_questions(texts)

    registry.replace_model("embedder", Withdraws())
    entries_index(serving_space())
    assert titles() == []


def test_publishing_withdrawing_and_indexing_at_once_never_leave_a_withdrawn_entry_served(corpus):
    boss, pin = User.objects.create_superuser("boss"), a_pin(ASKED, ["BG 2.47"])

    def together(*steps):
        start = threading.Barrier(len(steps))

        def take(step):
            start.wait(60)
            with contextlib.suppress(CurationRefused):  # the other step came first
                step()
            connections.close_all()

        threads = [threading.Thread(target=take, args=(step,)) for step in steps]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    for _ in range(4):
        left, right = (PinnedQuestion.objects.get(pk=pin.pk) for _ in range(2))
        together(
            lambda row=left: entry_withdraw(entry=row, by=boss),
            lambda row=right: entry_publish(entry=row, by=boss),
            lambda: entries_index(serving_space()),
        )
        pin.refresh_from_db()
        served = [ASKED] if pin.state == "published" else []
        assert set(titles()) <= set(served)
        entries_index(serving_space())
        assert titles() == served
        if not served:
            entry_publish(entry=pin, by=boss)


def test_changes_that_are_committed_out_of_order_are_seen(corpus):
    first, second, third = (a_pin(f"{ASKED} {number}", ["BG 2.47"]) for number in ("one", "two", "three"))
    assert titles(first.question)[0] == first.question
    latest = PinnedQuestion.objects.order_by("-updated_at").first()
    # One entry goes and another comes, both with earlier times than the latest change.
    earlier = min(pin.updated_at for pin in (first, second, third))
    leaving = first if latest.pk != first.pk else second
    PinnedQuestion.objects.filter(pk=leaving.pk).update(state="withdrawn", updated_at=earlier)
    draft = a_pin("Something new", ["BG 2.47"], state="draft")
    PinnedQuestion.objects.filter(pk=draft.pk).update(state="published", updated_at=earlier)
    assert leaving.question not in titles(leaving.question)


def test_a_note_is_embedded_with_its_title_triggers_and_sentences(corpus):
    a_note("Zeal", ["BG 2.47"], triggers=["longing"], body="One sentence. Another one.")
    assert MemoryNote.objects.count() == 1
    (vectors,) = published_entries(serving_space()).vectors
    assert vectors.shape[0] == 4
