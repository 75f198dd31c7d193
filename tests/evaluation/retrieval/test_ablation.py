import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chat.search.parts import WITHOUT
from evaluation.retrieval.ablation import PARTS, AblatedQuestion, GoldRank, ablation_section, gold_rank, rows_with_gold
from lectorium.asking import explain, search
from tests.evaluation.golden_rows import ROWS


def evaluate(**options):
    out = StringIO()
    call_command("evaluate", "ablation", stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def row(address, fused, cut_by=None):
    return {"addresses": [address], "fused": fused, "cut_by": cut_by}


def test_every_part_that_can_be_left_out_is_measured():
    assert list(PARTS) == list(WITHOUT)


def test_the_gold_rank_is_that_of_its_last_paragraph():
    found = [row("x", 0.1), row("a", 0.2), row("b", 0.3), row("c", 0.4, "top_k")]
    assert gold_rank(found, [["a", "b"]]) == GoldRank(3, True)
    assert gold_rank(found, [["c"], ["a"]]) == GoldRank(2, True)
    assert gold_rank(found, [["c"]]) == GoldRank(None, True)
    assert gold_rank(found, [["c", "d"]]) == GoldRank(None, False)


def test_won_and_lost_questions_are_counted_pairwise(db):
    here, gone = GoldRank(1, True), GoldRank(None, True)
    still = dict.fromkeys(PARTS, here)
    ablated = [
        AblatedQuestion("name", {"": here, **still, "dense": gone}),
        AblatedQuestion("name", {"": here, **still}),
        AblatedQuestion("single", {"": gone, **still}),
    ]
    page = "\n".join(ablation_section(ablated, seed=1))
    [dense] = [line for line in page.splitlines() if line.startswith("| without the dense lane")]
    assert "| 2/3 = 0.67" in dense
    assert "| 1 / 1 |" in dense
    assert "| single | 0/1" in page


def test_every_question_is_searched_without_each_part(golden):
    figures = json.loads(evaluate(json=True))["ablation"]
    assert set(figures) == {"", *PARTS}
    assert figures[""] == {"kept": 4, "pool": 4, "of": 4}


def test_the_page_is_written(golden):
    assert "docs/results" in evaluate(limit=1)
    assert "\n1 answerable questions" in (golden / "ablation.md").read_text()


def test_a_sample_is_reproducible_and_has_gold():
    assert rows_with_gold(ROWS, 2, seed=1) == rows_with_gold(ROWS, 2, seed=1)
    assert [row["id"] for row in rows_with_gold(ROWS, 99, seed=1)] == ["a1", "a2", "a3", "c1"]


@pytest.mark.django_db
def test_a_limit_of_zero_is_refused():
    with pytest.raises(CommandError, match="--limit"):
        evaluate(limit=0)


async def test_a_lane_left_out_finds_nothing(corpus):
    whole = (await explain("the banyan tree"))["rows"]
    lanes = {"dense", "sentence", "lexical"}
    assert {lane for row in whole for lane in row["lanes"]} == lanes
    for left_out in lanes:
        rows = (await explain("the banyan tree", without=left_out))["rows"]
        assert {lane for row in rows for lane in row["lanes"]} == lanes - {left_out}


async def test_without_the_reader_nothing_is_read(corpus):
    rows = (await explain("the banyan tree", without="reader"))["rows"]
    assert rows
    assert {row["relevance"] for row in rows} == {None}


async def test_an_unknown_part_is_refused(corpus):
    with pytest.raises(ValueError, match="luck"):
        await search("the banyan tree", without="luck")
