"""An answer given again is the same answer, recorded as a turn of its own, and never given where it might differ."""

import asyncio
import json
import uuid
from dataclasses import replace

import pytest
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.management import call_command

from audit.models import TurnAudit
from chat.answering.ask import ask, operator
from chat.answering.domain.events import Done, SentenceShown, Status, Suggestions, Title
from chat.answering.domain.viewer import Viewer
from chat.conversations.viewers import viewer_of
from chat.models import Citation, Conversation, Turn
from corpus.models import Chunk, Collection, EmbeddingSpace, Lecture
from corpus.services.publishing import source_publish, source_withdraw
from curation.models import PinnedQuestion
from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking
from tests.chat.turns import run_recorded
from tests.curation.fact_rows import a_fact

QUESTION = "Who refused to bow to the newly made man?"
OWN = {"id", "timings_ms"}


def asked(text=QUESTION, viewer=None, **how):
    """Return a recorded turn of anybody."""
    return asyncio.run(run_recorded(text, viewer or operator(), **how))[0]


def is_kept(ended):
    return "cached" in ended.trace


def as_stored(response):
    return json.loads(json.dumps(response))


def shared(ended):
    return {name: value for name, value in ended.response().items() if name not in OWN}


async def test_who_asks_the_same_gets_the_same_events_and_response_in_a_turn_of_their_own(corpus):
    viewer = await in_thread(operator)
    first, events = await run_recorded(QUESTION, viewer)
    again, repeated = await run_recorded(QUESTION, viewer)
    ours = [[event for event in said if not isinstance(event, Status | Done)] for said in (events, repeated)]
    assert ours[0] == ours[1]
    assert ours[0]
    assert isinstance(repeated[-1], Done)
    assert shared(again) == shared(first)
    assert again.turn_id != first.turn_id
    assert again.trace == {"cached": {"turn": str(first.turn_id)}}
    assert not first.trace.get("cached")


def test_the_turn_is_recorded_with_its_citations_and_an_audit_that_says_where_from(corpus):
    first, again = asked(), asked()
    turn = Turn.objects.get(pk=again.turn_id)
    assert turn.outcome == "grounded"
    assert turn.response == as_stored(again.response())
    assert list(Citation.objects.filter(turn=turn).values_list("n", "quote")) == [
        (cited.n, cited.quote) for cited in first.citations
    ]
    audit = TurnAudit.objects.get(turn=turn)
    assert audit.trace["cached"] == {"turn": str(first.turn_id)}
    assert audit.validation == TurnAudit.objects.get(turn_id=first.turn_id).validation


class Noting(LocMemCache):
    """Notes for how many seconds it was told to keep what."""

    times = []

    def set(self, key, value, timeout=None, version=None):
        self.times.append(timeout)
        super().set(key, value, timeout, version)


@pytest.fixture
def times(settings):
    """The seconds for which each answer was kept, in order."""
    settings.CACHES = {"default": {"BACKEND": f"{__name__}.Noting"}}
    Noting.times.clear()
    return Noting.times


def test_an_answer_is_kept_for_as_long_as_its_mode_says(corpus, times):
    for mode in ("instant", "auto", "thinking"):
        asked(mode=mode)
    assert times == [120, 300, 900]


def test_a_hit_is_not_kept_longer_for_being_asked_for(corpus, times):
    asked()
    assert is_kept(asked())
    assert times == [120]


def test_two_who_see_different_collections_never_share_an_answer(corpus, people, rf):
    everyone, carol = viewer_of(people["bob"], None), viewer_of(people["carol"], None)
    assert not is_kept(asked(viewer=carol))
    assert not is_kept(asked(viewer=everyone))
    assert is_kept(asked(viewer=carol))
    assert is_kept(asked(viewer=everyone))
    compass = "Where did the gardener bury the silver compass?"
    assert asked(compass, carol).outcome == "grounded"
    hidden = asked(compass, everyone)
    assert not is_kept(hidden)
    assert "compass" not in str([cited.quote for cited in hidden.citations])


def test_who_loses_sight_of_a_collection_loses_its_answers(corpus, people):
    carol = viewer_of(people["carol"], None)
    compass = "Where did the gardener bury the silver compass?"
    asked(compass, carol)
    narrowed = replace(carol, collections=viewer_of(people["bob"], None).collections, sees_all=False)
    assert not is_kept(asked(compass, narrowed))
    assert not is_kept(asked(viewer=Viewer()))


def publish_again():
    lecture = Lecture.objects.get(key="first-steps")
    source_withdraw(source=lecture)
    source_publish(source=lecture)


def import_more(folder):
    (folder / "more.txt").write_text("The almond tree blossoms in the cold.", encoding="utf-8")
    call_command("import_lectures", str(folder / "more.txt"), verbosity=0)


CHANGES = {
    "publishing": lambda folder: publish_again(),
    "importing": import_more,
    "seeing": lambda folder: Collection.objects.get(key="garden").save(),
    "indexing": lambda folder: index_anew(),
    "curating": lambda folder: PinnedQuestion.objects.create(question="What is x?", state="published"),
    "stating a fact": lambda folder: a_fact("Fact.", "BG 2.47", "The work is yours by right"),
    "the ladder": lambda folder: rung_save(rung=Rung(job="title", model="scripted:x", max_tokens=9), by="tests"),
    "calibrating": lambda folder: EmbeddingSpace.objects.update(calibration=other_calibration()),
}


def index_anew():
    Chunk.objects.filter(address="BG 2.48").update(embedded_hash="other")
    call_command("index", verbosity=0)


def other_calibration():
    from chat.answering.calibrations import calibration_of

    stored = calibration_of(None)
    return {"weights": dict(stored.weights), "bias": stored.bias + 1, "answer_from": 0.0, "outside_below": 0.0}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_an_answer_ends_the_kept_one(corpus, tmp_path, change):
    asked()
    assert is_kept(asked())
    CHANGES[change](tmp_path)
    assert not is_kept(asked())


def test_a_withdrawn_source_is_not_quoted_from_the_cache(corpus):
    asked()
    source_withdraw(source=Lecture.objects.get(key="first-steps"))
    later = asked()
    assert not is_kept(later)
    assert all(cited.kind != "lecture" for cited in later.citations)


def test_a_source_that_changed_unannounced_is_read_anew(corpus):
    asked()
    Chunk.objects.filter(address="first-steps:1").update(content_hash="other")
    assert not is_kept(asked())


def test_a_source_that_changes_while_the_kept_answer_is_said_is_warned_of(corpus):
    viewer = operator()

    async def change(event):
        if isinstance(event, SentenceShown):
            await in_thread(Chunk.objects.filter(address="first-steps:1").update, content_hash="other")

    asked(viewer=viewer)
    again = asked(viewer=viewer, hear=change)
    assert is_kept(again)
    assert [warning.type for warning in again.warnings] == ["STALE_INDEX"]


@pytest.mark.parametrize("other", [{"mode": "auto"}, {"locale": "de"}])
def test_another_mode_or_locale_is_another_answer(corpus, other):
    asked()
    assert not is_kept(asked(**other))


def test_a_follow_up_is_known_by_what_it_asks_once_spelled_out_and_where_its_thread_stands(corpus):
    viewer = replace(operator(), visitor="v")
    follow_ups = [
        asked("And why did he refuse to bow to the man?", viewer, conversation=asked(viewer=viewer).conversation_id)
        for _ in range(2)
    ]
    assert follow_ups[0].outcome == "grounded"
    assert [is_kept(answer) for answer in follow_ups] == [False, True]
    alone = asked(follow_ups[0].plan.standalone, viewer)
    assert alone.question.text != "And why did he refuse to bow to the man?"
    assert not is_kept(alone)  # it is not looked for near a citation


def test_a_refusal_is_not_kept(corpus):
    nobody = "Who discovered penicillin in London?"
    assert asked(nobody).outcome == "refused"
    assert not is_kept(asked(nobody))


async def test_a_title_and_next_questions_are_given_again_without_their_models(corpus):
    await give("suggest", "title")
    viewer = await in_thread(operator)
    proposed = '{"questions": ["What does the banyan tree do for five thousand years?"]}'
    with speaking("suggest", proposed), speaking("title", "Iblis and the first man"):
        _, events = await run_recorded(QUESTION, viewer)
    assert {Title, Suggestions} <= {type(event) for event in events}
    with speaking("suggest", "{}") as suggest, speaking("title", "Other") as title:
        again, repeated = await run_recorded(QUESTION, viewer)
    assert (suggest.asked, title.asked) == ([], [])
    for kind in (Title, Suggestions):
        assert [event for event in events if isinstance(event, kind)] == [
            event for event in repeated if isinstance(event, kind)
        ]
    named = await in_thread(Conversation.objects.get, pk=again.conversation_id)
    assert named.title == "Iblis and the first man"


async def test_the_title_of_a_kept_answer_does_not_replace_the_name_that_a_reader_gave_meanwhile(corpus):
    await give("title")
    viewer = await in_thread(operator)
    with speaking("title", "Iblis and the first man"):
        await run_recorded(QUESTION, viewer)

    async def name_it(event):
        if isinstance(event, SentenceShown):
            await in_thread(Conversation.objects.filter(title=QUESTION).update, title="My own name")

    again, repeated = await run_recorded(QUESTION, viewer, hear=name_it)
    named = await in_thread(Conversation.objects.get, pk=again.conversation_id)
    assert (is_kept(again), named.title) == (True, "My own name")
    assert not [event for event in repeated if isinstance(event, Title)]


async def test_what_a_model_wrote_in_sight_of_a_conversation_is_for_its_reader_alone(corpus):
    await give("synthesize")
    viewer = replace(await in_thread(operator), visitor="v")
    good = "Only Iblis refused to bow to the newly made man [^1]."
    with speaking("synthesize", *[good] * 4):
        first, _ = await run_recorded("What does the banyan tree do?", viewer, mode="auto")
        await run_recorded(QUESTION, viewer, mode="auto", conversation=first.conversation_id)
        alone, _ = await run_recorded(QUESTION, viewer, mode="auto")
        again, _ = await run_recorded(QUESTION, viewer, mode="auto", conversation=first.conversation_id)
    assert alone.outcome == again.outcome == "grounded"
    assert not is_kept(alone)
    assert is_kept(again)


def test_a_kept_answer_that_is_stopped_halfway_is_recorded_as_far_as_it_was_shown(corpus):
    asked()

    async def stop(event):
        if isinstance(event, SentenceShown):
            raise asyncio.CancelledError

    stopped = asked(hear=stop)
    assert (stopped.outcome, len(stopped.sentences)) == ("interrupted", 1)
    assert Turn.objects.get(pk=stopped.turn_id).response == as_stored(stopped.response())


async def test_what_is_only_measured_neither_reads_nor_fills_the_cache(corpus):
    measured = await ask(QUESTION, mode="instant")
    first, _ = await run_recorded(QUESTION, await in_thread(operator))
    assert not is_kept(first)
    again = await ask(QUESTION, mode="instant")
    assert "retrieve" in again["timings_ms"]
    assert measured["citations"] == again["citations"]


def test_the_operator_may_switch_it_off(corpus, settings):
    asked()
    settings.ANSWER_CACHE = False
    assert not is_kept(asked())


class OutOfReach(BaseCache):
    """A cache server that cannot be reached."""

    def __init__(self, location, params):
        super().__init__(params)

    def get(self, key, default=None, version=None):
        raise ConnectionError("refused")

    def set(self, key, value, timeout=None, version=None):
        raise ConnectionError("refused")


class Garbage(OutOfReach):
    """A cache server that answers with something else."""

    def get(self, key, default=None, version=None):
        return {"answer": "The moon is cheese."}


@pytest.mark.parametrize("broken", [OutOfReach, Garbage])
def test_a_cache_that_fails_costs_no_turn(corpus, settings, caplog, broken):
    settings.CACHES = {"default": {"BACKEND": f"{__name__}.{broken.__name__}"}}
    for _ in range(2):
        ended = asked()
        assert (ended.outcome, is_kept(ended)) == ("grounded", False)
    assert "so this answer is not cached" in caplog.text


def test_no_id_of_the_first_asker_reaches_the_second(corpus):
    first = asked(viewer=replace(operator(), visitor=uuid.uuid4().hex))
    again = asked()
    assert is_kept(again)
    for own in (first.turn_id, first.conversation_id, first.question.viewer.visitor):
        assert str(own) not in str(again.response())
