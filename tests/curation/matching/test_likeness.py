"""A note takes part by its closest words; a trigger that the question says lowers the bar and is no pass."""

from uuid import uuid4

import numpy as np
import pytest

from curation.domain.entry import Entry
from curation.domain.sameness import MatchRule
from curation.matching.entries import MatchableEntries
from curation.matching.likeness import MatchedQuestion, likenesses

RULE = MatchRule({}, 0.0, 1.0, 0.0, pin_near=0.3, note_accept=0.6, note_said=0.4, note_strong=0.7)
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
