import json
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from chat.answering.ask import operator
from chat.answering.domain.evidence.pool import Candidate, Pool, Pooling, PoolLimits
from chat.answering.domain.question import Question
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import retrieve_candidates
from corpus.domain.passage import Paragraph, Passage
from corpus.selectors import serving_space
from curation.domain.acceptance import on_reference_scale
from evaluation.calibration.labelled import (
    SAMPLES,
    UNFITTED,
    LabelledQuestion,
    RetrievedQuestion,
    measure_signals,
    read_natural,
    retrieve_pools,
)
from evaluation.calibration.passages import BELOW, passage_points
from lectorium.threads import in_thread

IDENTITY = ((0.0, 0.0), (1.0, 1.0))


def looked(number, *cosines, answerable=False, near=True):
    """A question about lecture `number` with its pool; for an answerable question the first candidate is gold."""
    where = f"lecture {number}" if near else f"off-topic {number}"
    gold = frozenset({f"{number}:0"}) if answerable else frozenset()
    candidates = (
        Candidate(
            Passage(
                UUID(int=at), UUID(int=number), "lecture", f"{number}:whole", "T", "text", "", at,
                paragraphs=(Paragraph(0, 4, f"{number}:{at}"),),
            ),
            0.01,
            similarity=cosine,
        )
        for at, cosine in enumerate(cosines)
    )  # fmt: skip
    return RetrievedQuestion(LabelledQuestion("?", (), answerable, where, gold=gold), None, Pool(tuple(candidates), {}))


def pools(shift=0.0):
    """Pools whose kinds are separated and evenly spread, all moved by `shift`."""
    return [
        *(looked(n, shift + 0.40 + n / 100, shift + 0.30, answerable=True) for n in range(20)),
        *(looked(100 + n, shift + 0.35 + n / 100) for n in range(20)),
        *(looked(200 + n, shift + 0.10 + n / 100, shift + 0.05, near=False) for n in range(20)),
    ]


def test_the_map_rises_through_its_operating_points():
    points, evidence = passage_points(pools())
    assert points == tuple(sorted(points))
    assert len({reference for _, reference in points}) == len(points)
    assert on_reference_scale(0.445, points) == pytest.approx(0.55, abs=0.01)  # half of the near misses lie below
    assert evidence["cosines"] == {
        "gold": 20, "beside": 20, "elsewhere": 40, "answerable": 20, "near": 20, "off_topic": 20,
    }  # fmt: skip


def test_shares_above_each_point_are_cross_validated_by_lecture():
    _, evidence = passage_points(pools())
    assert evidence["auroc_off_topic"] == 1.0
    assert 0.5 < evidence["auroc"] < 1.0
    at = evidence["at 0.65"]
    assert at["near_above"] < at["answerable_above"]
    assert at["off_topic_above"] == 0.0
    assert evidence["at 0.18"]["gold_above"] > 0.9


def test_another_space_maps_the_same_pools_to_the_same_reference_values():
    base, other = (dict(map(reversed, passage_points(pools(shift))[0])) for shift in (0.0, 0.2))
    assert base.keys() == other.keys()
    for reference in base.keys() - {1.0}:
        assert other[reference] == pytest.approx(base[reference] + 0.2)


def test_a_point_that_does_not_rise_is_dropped():
    close = [looked(200 + n, 0.01, near=False) for n in range(20)]  # "elsewhere" lies below gold
    points, _ = passage_points([pool for pool in pools() if pool.question.is_near] + close)
    assert {reference for _, reference in points} == {*BELOW, 1.0} - {0.45}


def test_missing_gold_is_reported_with_a_hint():
    with pytest.raises(ValueError, match="is gold or beside or answerable: are the questions' lectures"):
        passage_points([pool for pool in pools() if not pool.question.answerable] + [looked(1, 0.5)])


@pytest.mark.django_db(transaction=True)
def test_an_uncalibrated_space_can_be_measured(corpus, settings, tmp_path):
    settings.CALIBRATIONS_DIR = tmp_path
    asked = LabelledQuestion("Who refused to bow to the newly made man?", (), True, "first-steps")
    [found] = retrieve_pools([asked], lambda: None, serving_space(), UNFITTED)
    [(_, signals)] = measure_signals([found], lambda: None, serving_space(), UNFITTED)
    assert found.pool.candidates
    assert signals["closeness"] > 0


@pytest.mark.django_db(transaction=True)
async def test_hits_are_on_their_spaces_scale(corpus):
    viewer, space = await in_thread(operator), await in_thread(serving_space)
    plan = await in_thread(plan_question, Question("Who refused to bow to the newly made man?", viewer))
    raw = await retrieve_candidates(plan, viewer, PoolLimits(), space)
    assert {candidate.reference_similarity for candidate in raw.candidates} == {None}
    pool = await retrieve_candidates(plan, viewer, PoolLimits(), space, calibration=replace(UNFITTED, passage=IDENTITY))
    assert [candidate.reference_similarity for candidate in pool.candidates] == [
        pytest.approx(max(0.0, candidate.similarity)) for candidate in raw.candidates
    ]
    bare = await retrieve_candidates(
        plan, viewer, PoolLimits(), space, Pooling(mapped=False), replace(UNFITTED, passage=IDENTITY)
    )
    assert {candidate.reference_similarity for candidate in bare.candidates} == {None}


def test_questions_about_the_samples_are_asked_of_the_samples_alone(settings):
    scopes = {(question.answerable, question.scope) for question in read_natural() if "sample-" in question.group}
    assert scopes == {(True, SAMPLES), (False, SAMPLES)}
    assert {question.scope for question in read_natural() if question.group.startswith("real-")} == {""}
    samples = Path(settings.BASE_DIR) / "samples"
    said = [text.read_text(encoding="utf-8") for text in samples.glob("lectures/*.vtt")]
    series, work = (part.partition(":")[2] for part in SAMPLES.split(","))
    assert len(said) == 8
    assert all(f"\nseries: {series}\n" in text for text in said)
    assert json.loads((samples / "works" / "gita.meta.json").read_text(encoding="utf-8"))["key"] == work
