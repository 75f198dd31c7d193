"""What editors published takes part in a turn; what they did not, or what resembles too little, does not."""

import pytest

from chat.answering.ask import operator
from chat.answering.domain.evidence.evidence import Evidence
from chat.answering.domain.evidence.pool import PoolLimits
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import Question
from chat.answering.domain.viewer import Viewer
from chat.answering.stages.discard import discard_candidates
from chat.answering.stages.plan import plan_question
from chat.answering.stages.read import read_candidates
from chat.answering.stages.retrieve import retrieve_candidates
from corpus.models import Chunk, Collection
from corpus.selectors import serving_space
from curation.domain.acceptance import CuratedRules
from curation.matching.rules import rule_of
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
from lectorium.threads import in_thread
from tests.factories import a_note, a_pin

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "How should one work without wanting anything?"


def pin(**more):
    a_pin(**{"question": ASKED, "references": ["BG 2.47"], **more})


def note(**more):
    values = {"title": "Work", "body": "Background.", "triggers": [ASKED], "references": ["BG 2.47"]}
    a_note(**{**values, **more})


async def pool_of(text, viewer=None):
    viewer = viewer or await in_thread(operator)
    plan = await in_thread(plan_question, Question(text, viewer))
    return plan, await retrieve_candidates(plan, viewer, PoolLimits(), await in_thread(serving_space))


def addresses(pool):
    return {candidate.passage.address for candidate in pool.candidates}


async def test_a_pinned_question_brings_its_references_alone_and_answers(corpus):
    await in_thread(pin)
    plan, pool = await pool_of(ASKED)
    assert addresses(pool) == {"BG 2.47"}
    assert pool.candidates[0].is_curated
    assert pool.lane_counts == {"curated": 1}
    pool = await in_thread(read_candidates, plan, pool, DiscardRules())
    evidence = await in_thread(discard_candidates, plan, pool, DiscardRules(), await in_thread(serving_space))
    assert isinstance(evidence, Evidence)
    assert evidence.coverage == 1.0


@pytest.mark.parametrize("difference", [{"state": "draft"}, {"state": "withdrawn"}, {"language": "de"}])
async def test_a_pin_that_is_not_published_or_in_another_language_takes_no_part(corpus, difference):
    await in_thread(pin, **difference)
    _, pool = await pool_of(ASKED)
    assert pool.curated == ()
    assert "curated" not in pool.lane_counts


async def test_a_pin_answers_a_question_in_its_language_whatever_page_it_is_asked_on(corpus):
    await in_thread(pin)
    viewer = await in_thread(operator)
    plan = await in_thread(plan_question, Question(ASKED, viewer, locale="de"))
    pool = await retrieve_candidates(plan, viewer, PoolLimits(), await in_thread(serving_space))
    assert [match.entry.kind for match in pool.curated] == ["pin"]


async def test_a_question_about_something_else_is_not_answered_by_a_pin(corpus):
    await in_thread(pin)
    _, pool = await pool_of("Who refused to bow to the newly made man?")
    assert pool.curated == ()


# The first half is long, so that the whole and its keywords resemble the pinned half little.
JOINED = (
    "Who among all angels of heaven refused to bow before Adam, the newly made man, when God commanded everyone, "
    "and how should one work without wanting anything?"
)


async def test_a_pin_is_never_met_by_a_part_of_a_question(corpus):
    await in_thread(pin)
    plan, pool = await pool_of(JOINED)
    assert [wording.kind for wording in plan.wordings].count("part") == 2
    assert pool.curated == ()
    assert "dense" in pool.lane_counts


async def test_a_note_is_met_by_a_part_of_a_question(corpus):
    await in_thread(note)
    _, pool = await pool_of(JOINED)
    assert [match.entry.kind for match in pool.curated] == ["note"]


async def test_a_note_shapes_the_framing_and_the_sweep_goes_on(corpus):
    await in_thread(note)
    _, pool = await pool_of(ASKED)
    assert [match.entry.kind for match in pool.curated] == ["note"]
    assert not pool.curated[0].skips_sweep
    assert {"dense", "curated"} <= set(pool.lane_counts)


async def test_every_accepted_note_gives_its_references_to_the_pool_with_the_score_of_a_citation(corpus):
    await in_thread(note, title="Zeal", body="", triggers=["How should one work without any longing at all?"])
    _, pool = await pool_of(ASKED)
    (match,) = pool.curated
    rule = rule_of("hashing", OverlapCrossEncoder())
    assert rule.note_accept <= match.similarity < rule.note_strong
    (cited,) = [candidate for candidate in pool.candidates if candidate.is_curated]
    assert (cited.passage.address, cited.lanes["curated"].value) == ("BG 2.47", CuratedRules().note_cites)


async def test_a_note_is_found_by_a_sentence_of_its_body(corpus):
    body = "A lamp in a windless place does not flicker. How should one work without wanting anything?"
    await in_thread(note, triggers=["something else"], body=body)
    _, pool = await pool_of(ASKED)
    assert [match.phrasing for match in pool.curated] == [ASKED]
    assert pool.background == (body,)


async def test_an_entry_without_any_phrasing_is_never_found_and_harms_no_other(corpus):
    await in_thread(pin, question=" ")
    await in_thread(pin)
    _, pool = await pool_of(ASKED)
    assert [match.phrasing for match in pool.curated] == [ASKED]


async def test_a_strong_note_replaces_the_sweep(corpus):
    await in_thread(note, references=["BG 2.47", "BG 2.48", "first-steps:1"])
    _, pool = await pool_of(ASKED)
    assert pool.curated[0].skips_sweep
    assert "dense" not in pool.lane_counts
    assert len(addresses(pool)) == 3


def others():
    return Viewer(collections=tuple(Collection.objects.exclude(key="garden").values_list("pk", flat=True)))


@pytest.mark.parametrize("references", [[], ["BG 99.99"], ["garden:1"]], ids=["none", "dead", "out of scope"])
async def test_a_pin_without_a_reference_that_its_reader_may_see_leaves_the_sweep_on(corpus, references):
    await in_thread(pin, references=references)
    plan, pool = await pool_of(ASKED, await in_thread(others))
    assert not pool.curated[0].skips_sweep
    assert "dense" in pool.lane_counts
    assert "curated" not in pool.lane_counts
    assert {"BG 2.47", "BG 2.48"} <= addresses(pool)
    assert "garden:1" not in addresses(pool)
    pool = await in_thread(read_candidates, plan, pool, DiscardRules())
    decided = await in_thread(discard_candidates, plan, pool, DiscardRules(), await in_thread(serving_space))
    assert decided.coverage < 1.0  # the gate decides, not a pin that gave nothing


async def test_a_pin_whose_source_was_withdrawn_leaves_the_sweep_on(corpus):
    await in_thread(pin)

    def withdraw():
        Chunk.objects.filter(address="BG 2.47").update(retrievable=False)

    await in_thread(withdraw)
    _, pool = await pool_of(ASKED)
    assert not pool.curated[0].skips_sweep
    assert "dense" in pool.lane_counts


async def test_a_note_is_strong_by_the_references_that_its_reader_may_see(corpus):
    await in_thread(note, references=["BG 2.47", "BG 2.48", "garden:1"])
    _, all_seen = await pool_of(ASKED)
    _, pool = await pool_of(ASKED, await in_thread(others))
    assert (all_seen.curated[0].skips_sweep, pool.curated[0].skips_sweep) == (True, False)
    assert "dense" in pool.lane_counts


async def test_publishing_takes_effect_at_once(corpus):
    _, before = await pool_of(ASKED)
    await in_thread(pin)
    _, after = await pool_of(ASKED)
    assert (before.curated, len(after.curated)) == ((), 1)


async def test_a_note_of_which_its_reader_may_see_no_reference_takes_no_part(corpus):
    reader = await in_thread(others)
    await in_thread(note, references=["garden:1"], body="A silver compass lies under the almond tree.")
    _, pool = await pool_of(ASKED, reader)
    assert pool.curated == ()
    _, pool = await pool_of(ASKED)
    assert [match.entry.kind for match in pool.curated] == ["note"]


async def test_a_note_without_references_is_background_for_everybody(corpus):
    reader = await in_thread(others)
    await in_thread(note, references=[])
    _, pool = await pool_of(ASKED, reader)
    assert pool.background == ("Background.",)
