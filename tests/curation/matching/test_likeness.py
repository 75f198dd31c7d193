"""A note takes part by its closest words, a lower bar for a said trigger; a pin by what the judge says of its words."""

from dataclasses import replace
from uuid import uuid4

import numpy as np
import pytest

from curation.domain.entry import Entry
from curation.domain.sameness import MatchRule
from curation.matching.entries import MatchableEntries
from curation.matching.likeness import PHRASINGS_JUDGED, MatchedQuestion, judged_places, likenesses

RULE = MatchRule({}, 0.0, {}, 0.0, near=0.3, note_accept=0.6, note_said=0.4, note_strong=0.7)
NOTE = Entry(uuid4(), "note", "en", ("Doubt that asks", "doubt"), ("BG 4.40",), triggers=("doubt",))
SAYS, SAYS_NOT = "Am I allowed to doubt?", "May I ask questions?"


def at(cosine, text, rule=RULE):
    """What the note does for a question whose vector has this cosine with its closest words."""
    asked = MatchedQuestion([text], np.array([[cosine, (1 - cosine**2) ** 0.5]], dtype=np.float32), [True], "en")
    words = np.array([[1.0, 0.0], [0.0, -1.0]], dtype=np.float32)
    ((_, likeness),) = likenesses(asked, MatchableEntries((NOTE,), (words,)), rule, None)
    return likeness


@pytest.mark.parametrize(
    ("text", "cosine", "accepted", "bar", "said"),
    [
        (SAYS, 0.45, True, 0.4, "The question says this trigger."),
        (SAYS, 0.35, False, 0.4, "says this trigger, but is too far"),
        (SAYS_NOT, 0.65, True, 0.6, "Its words are close to the question."),
        (SAYS_NOT, 0.45, False, 0.6, "Its words are too far from the question."),
    ],
)
def test_the_bar_is_lower_where_a_trigger_is_said(text, cosine, accepted, bar, said):
    likeness = at(cosine, text)
    assert (likeness.accepted, likeness.threshold) == (accepted, bar)
    assert likeness.similarity == pytest.approx(cosine)
    assert said in likeness.reason


def test_only_what_is_accepted_may_replace_the_search():
    assert at(0.45, SAYS).strong
    assert not at(0.35, SAYS).strong
    assert not at(0.65, SAYS_NOT).strong
    assert at(0.75, SAYS_NOT).strong


def test_without_a_fitted_rule_a_said_trigger_is_all_there_is():
    assert at(0.1, SAYS, rule=None).accepted
    assert not at(0.9, SAYS_NOT, rule=None).accepted


JUDGED = replace(RULE, weights={"same": 1.0, "objected": -1.0}, accept={"1": 0.9}, near=0.6)
PIN = Entry(uuid4(), "pin", "en", ("Why did he lay the bow aside?",), ("BG 1.47",))


class SettledJudge:
    name = "judge"

    def __init__(self, chance):
        self.chance = chance

    def same(self, pairs):
        return [self.chance for _ in pairs]


@pytest.mark.parametrize(("chance", "accepted", "near"), [(0.95, True, False), (0.7, False, True), (0.3, False, False)])
def test_a_pin_answers_comes_near_or_is_left_by_the_chance_that_the_judge_gives_it(chance, accepted, near):
    asked = MatchedQuestion(["How come the archer sat down?"], np.array([[1.0, 0.0]], dtype=np.float32), [True], "en")
    pins = MatchableEntries((PIN,), (np.array([[0.9, 0.4]], dtype=np.float32),))
    ((_, likeness),) = likenesses(asked, pins, JUDGED, SettledJudge(chance))
    assert (likeness.accepted, likeness.near, likeness.threshold) == (accepted, near, 0.9)
    assert likeness.similarity == pytest.approx(chance)


def test_the_judge_always_reads_the_question_of_a_pin_beside_its_closest_phrasings():
    cosines = np.linspace(0.1, 0.9, 12, dtype=np.float32)
    assert judged_places(cosines) == [0, 11, 10, 9, 8, 7]
    assert len(judged_places(cosines)) == PHRASINGS_JUDGED
