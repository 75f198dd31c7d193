import random

import numpy as np
import pytest

from training.gpu.candidates import ANSWERED, NEAR_MISS, candidate_row, clip_labels, split_texts
from training.gpu.kit import PoolPassage, PoolQuestion

WALL = "The king built a wall here. It stood for ten long years. Then the river rose over it. Nobody came back again."
SAND = "Another wall stood for one day. It was made of sand. The sea took it at once. Children built it again."


def row(answer, *, spoken=True, own_likest=True):
    split = split_texts([WALL, SAND])
    span = (WALL.index(answer), WALL.index(answer) + len(answer)) if answer else None
    likest = [0.1, 0.9, 0.3, 0.2] if own_likest else [0.1, 0.4, 0.3, 0.2]
    similarities = np.array([*likest, 0.8, 0.1, 0.1, 0.1])
    question = PoolQuestion("How long did it stand?", 0, span, "train", "written")
    return candidate_row(question, similarities, split, [PoolPassage(WALL, spoken), PoolPassage(SAND, spoken)])


def of_other_passage(found):
    return {passage.answerable for passage in found.passages if "sea" in passage.text or "sand" in passage.text}


def test_the_clip_with_the_answer_is_marked():
    found = row("ten long years")
    right = [passage for passage in found.passages if passage.relevant]
    assert [passage.text[slice(*passage.answer_span)] for passage in right] == ["ten long years"]
    assert (found.kind, found.source) == (ANSWERED, "candidates:written")


@pytest.mark.parametrize(
    ("spoken", "own_likest", "known"), [(True, True, {False}), (True, False, {None}), (False, False, {False})]
)
def test_a_likelier_clip_of_another_lecture_may_answer_too(spoken, own_likest, known):
    assert of_other_passage(row("ten long years", spoken=spoken, own_likest=own_likest)) == known


def test_a_near_miss_is_answered_by_no_clip_of_its_own_passage():
    found = row("")
    assert found.kind == NEAR_MISS
    assert {passage.relevant for passage in found.passages} == {None}
    assert of_other_passage(found) == {None}
    assert {passage.answerable for passage in found.passages if "wall here" in passage.text} == {False}


def test_part_of_an_answer_is_neither_right_nor_wrong():
    assert clip_labels(1, 2, at_home=True, spoken=False, below_answer=True) == (None, None)


def test_an_answer_too_long_for_a_clip_gives_no_row():
    long = "So " + " ".join(random.Random(1).choices(["the", "king", "built"], k=130)) + "."
    text = f"{long} {long} {long}"
    question = PoolQuestion("What?", 0, (0, len(text)), "train", "written")
    assert candidate_row(question, np.array([0.3, 0.2, 0.1]), split_texts([text]), [PoolPassage(text, True)]) is None
