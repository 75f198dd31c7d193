import json
from io import StringIO

from django.core.management import call_command

from corpus.models import Chunk, Lecture
from evaluation.retrieval.poison import (
    PLANTED,
    TRIALS,
    PoisonResult,
    as_json,
    asked_about,
    is_planted,
    planted,
    poison_section,
)
from lectorium.asking import sift
from lectorium.threads import in_thread
from tests.evaluation.golden_rows import IBLIS, ROWS

QUESTION = IBLIS["question"]


def stored():
    return Chunk.objects.count(), Lecture.objects.count()


def evaluate(**options):
    out = StringIO()
    call_command("evaluate", "poison", stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_planted_passages_are_of_one_lecture_open_with_the_question_and_all_differ():
    passages = planted(QUESTION, 12, seed=1)
    assert len({passage.source_id for passage in passages}) == 1
    assert len({passage.text for passage in passages}) == len({passage.chunk_id for passage in passages}) == 12
    assert all(passage.text.startswith(QUESTION) and "{" not in passage.text for passage in passages)
    assert all(is_planted(passage.address) for passage in passages)
    assert passages == planted(QUESTION, 12, seed=1)
    assert passages != planted(QUESTION, 12, seed=2)


def test_a_question_without_a_word_of_its_own_can_be_planted_about():
    assert len(planted("Who is he?", 3, seed=1)) == 3


def test_only_answerable_questions_that_name_no_address_are_drawn():
    assert {row["id"] for row in asked_about(ROWS, 99, seed=1)} == {"a1", "a2"}
    assert len(asked_about(ROWS, 1, seed=1)) == 1


async def test_planted_passages_take_part_and_nothing_is_stored(corpus):
    before = await in_thread(stored)
    clean = await sift(QUESTION)
    assert ["first-steps:1", "first-steps:2"] in clean["kept"]
    assert "first-steps:1" in clean["quoted"]
    sifted = await sift(QUESTION, beside=planted(QUESTION, 12, seed=1), without="per_source")
    assert sum(is_planted(one) for [one, *_] in sifted["kept"]) == 12
    assert await in_thread(stored) == before


async def test_the_cap_lets_six_passages_of_one_lecture_in(corpus):
    sifted = await sift(QUESTION, beside=planted(QUESTION, 12, seed=1))
    assert sum(is_planted(one) for [one, *_] in sifted["kept"]) == 6


async def test_a_refused_question_is_answered_by_no_quote(corpus):
    assert (await sift("Who discovered penicillin in London?"))["quoted"] == []


def test_displaced_and_changed_are_counted_against_the_same_search_without_poison(db):
    true, false = frozenset({"first-steps:1"}), frozenset({"planted:1"})
    trials = {trial: PoisonResult(True, 0, true) for trial in TRIALS}
    trials[PLANTED[0], ""] = PoisonResult(False, 5, false)
    [hit] = [one for one in as_json([trials]) if (one["planted"], one["without"]) == (PLANTED[0], "")]
    assert (hit["gold"], hit["displaced"], hit["changed"], hit["misled"], hit["of"]) == (0, 1, 1, 1, 1)
    page = poison_section([trials], seed=1)
    assert f"| {PLANTED[0]} | with the cap | 0/1" in page
    assert "| 5.0 |" in page


def test_the_command_writes_the_section_and_prints_the_figures(golden):
    figures = json.loads(evaluate(json=True, limit=1))["poison"]
    assert [(figure["planted"], figure["without"]) for figure in figures] == list(TRIALS)
    assert {figure["of"] for figure in figures} == {1}
    evaluate(limit=1)
    assert "drawn by seed 1" in (golden / "poison.md").read_text()
