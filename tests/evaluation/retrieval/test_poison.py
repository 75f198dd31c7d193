import json
from io import StringIO

from django.core.management import call_command

from corpus.models import Chunk, Lecture
from evaluation.retrieval.poison import (
    PLANTED,
    TRIALS,
    PoisonResult,
    as_json,
    draw_rows,
    is_planted,
    planted_passages,
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


def test_planted_passages_share_a_lecture_start_with_the_question_and_differ():
    passages = planted_passages(QUESTION, 12, seed=1)
    assert len({passage.source_id for passage in passages}) == 1
    assert len({passage.text for passage in passages}) == len({passage.chunk_id for passage in passages}) == 12
    assert all(passage.text.startswith(QUESTION) and "{" not in passage.text for passage in passages)
    assert all(is_planted(passage.address) for passage in passages)
    assert passages == planted_passages(QUESTION, 12, seed=1)
    assert passages != planted_passages(QUESTION, 12, seed=2)


def test_a_question_of_stop_words_can_be_poisoned():
    assert len(planted_passages("Who is he?", 3, seed=1)) == 3


def test_only_answerable_questions_without_an_address_are_drawn():
    assert {row["id"] for row in draw_rows(ROWS, 99, seed=1)} == {"a1", "a2"}
    assert len(draw_rows(ROWS, 1, seed=1)) == 1


async def test_planted_passages_take_part_and_nothing_is_stored(corpus):
    before = await in_thread(stored)
    clean = await sift(QUESTION)
    assert ["first-steps:1", "first-steps:2"] in clean["kept"]
    assert "first-steps:1" in clean["quoted"]
    sifted = await sift(QUESTION, beside=planted_passages(QUESTION, 12, seed=1))
    assert sum(is_planted(address) for [address, *_] in sifted["kept"]) == 1
    assert await in_thread(stored) == before


async def test_the_cap_admits_six_passages_of_a_lecture(corpus):
    sifted = await sift(QUESTION, beside=planted_passages(QUESTION, 12, seed=1), without="copies")
    assert sum(is_planted(address) for [address, *_] in sifted["kept"]) == 6


async def test_a_refused_question_has_no_quotes(corpus):
    assert (await sift("Who discovered penicillin in London?"))["quoted"] == []


def test_displaced_and_changed_are_counted_against_the_clean_search(db):
    true, false = frozenset({"first-steps:1"}), frozenset({"planted:1"})
    trials = {trial: PoisonResult(True, 0, true) for trial in TRIALS}
    trials[PLANTED[0], ""] = PoisonResult(False, 5, false)
    [hit] = [trial for trial in as_json([trials]) if (trial["planted"], trial["without"]) == (PLANTED[0], "")]
    assert (hit["gold"], hit["displaced"], hit["changed"], hit["misled"], hit["of"]) == (0, 1, 1, 1, 1)
    page = "\n".join(poison_section([trials], seed=1))
    assert f"| {PLANTED[0]} | once | 0/1" in page
    assert "| 5.0 |" in page


def test_the_command_writes_the_page_and_prints_the_figures(golden):
    figures = json.loads(evaluate(json=True, limit=1))["poison"]
    assert [(figure["planted"], figure["without"]) for figure in figures] == list(TRIALS)
    assert {figure["of"] for figure in figures} == {1}
    evaluate(limit=1)
    assert "drawn by seed 1" in (golden / "poison.md").read_text()
