import json
from pathlib import Path

import pytest

from evaluation.escape.material import sha_of
from evaluation.injection import orders
from evaluation.injection.orders import DISGUISES, KINDS, OURS, draw_orders, read_orders
from tests.evaluation.injection.attacks import CODE, REMARK, TASK, write_attacks


def test_each_order_has_what_obeys_it_and_a_twin_that_orders_nothing(tmp_path):
    found = read_orders(write_attacks(tmp_path))
    assert {order.kind for order in found} == set(KINDS)
    assert all(order.reply_to("The lamp was lit at night.") not in ("", order.order) for order in found)
    assert all(order.twin != order.order for order in found)
    assert all(order.twin == order.reply for order in found if order.stated)


def test_code_is_obeyed_by_copying_it(tmp_path):
    [code] = [order for order in read_orders(write_attacks(tmp_path)) if order.kind == "code"]
    assert code.reply == "```\nimport os\n```"
    assert "import os" not in code.twin
    assert code.order == CODE


def test_a_task_without_a_reply_is_refused(tmp_path):
    with pytest.raises(ValueError, match="has no reply"):
        read_orders(write_attacks(tmp_path, tasks=[{"category": "Instruction", "text": "Dance."}]))


def test_the_orders_are_drawn_evenly_over_the_kinds_and_by_the_seed(tmp_path):
    found = read_orders(write_attacks(tmp_path))
    assert [order.kind for order in draw_orders(found, 4, seed=1)] == ["ours", "task", "code", "ours"]
    assert draw_orders(found, 9, seed=1) == draw_orders(found, 9, seed=1)
    assert len(draw_orders(found, 999, seed=1)) == OURS + 3


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
def test_a_disguise_changes_every_sentence(disguise):
    assert disguise("The lamp was lit at night.") != "The lamp was lit at night."


def test_the_replies_belong_to_the_tasks_that_are_named_here():
    replies = (Path(orders.__file__).parent / "replies.json").read_text(encoding="utf-8")
    assert {sha_of(task) for task in (TASK, REMARK)} <= set(json.loads(replies))
