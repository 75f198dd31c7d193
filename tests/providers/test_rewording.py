"""True sentences in slightly other words stay true: a rule leaves alone whatever it is not sure of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectorium.providers.planting.lines import is_tellable
from lectorium.providers.planting.rewording import reworded
from lectorium.providers.planting.word_pairs import ACTIVE, SAME
from training import wordlists


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The ferry was built by Hugh Ballard in 1881.", "Hugh Ballard built the ferry in 1881."),
        ("It was written by Omar Madha and Ada Merrin.", "Omar Madha and Ada Merrin wrote it."),
        ("In 1902, the oven of the parish was sold.", "The oven of the parish was sold in 1902."),
        ("When the wind falls, the lamp burns on.", "The lamp burns on when the wind falls."),
        ("If a guest is poor, then we give him more.", None),
        ("If a guest is poor, then we give more.", "We give more if a guest is poor."),
        ("However, the gauge was lost at sea.", "The gauge was lost at sea, however."),
        ("The mind does not rest in a storm.", "The mind doesn't rest in a storm."),
        ("The mind can't rest in a storm.", "The mind cannot rest in a storm."),
        ("We sat beside a lamp that was never lit.", "We sat beside a lamp which was never lit."),
        ("We sat beside a teacher which is odd.", "We sat beside a teacher that is odd."),
        ("Nobody knows the hour of the tide.", "No one knows the hour of the tide."),
    ],
)
def test_each_rule_does_one_thing(text, said):
    assert reworded(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "The film was established by Royal Charter in 1550.",  # nobody did it
        "The ferry who was loved was built by Hugh Ballard.",
        "The ferry was built by Hugh Ballard, a smith of Lorne.",
        "In 1902, the parish said that the oven was sold.",  # when was it said, when sold?
        "In 1902, the parish never sold its oven.",
        "When Ballard met the smith, he sold the ferry.",  # who sold it?
        "When the wind falls, do look at the lamp.",
        "We sat beside a teacher that is never late.",
        "The pond might be not nearly full this year.",
        "The lamp was a nearly new one.",
        "He said “the mind does not rest” to all.",
    ],
)
def test_what_could_come_to_mean_something_else_is_left_alone(text):
    assert reworded(text) is None


@given(st.text(alphabet=st.sampled_from("Ti Wheno,.natdsuby 1902")))
def test_whatever_comes_out_can_be_told(text):
    said = reworded(text)
    assert said is None or is_tellable(said)


def test_its_word_pairs_are_none_of_the_training_s():
    taught = {(old, new) for name in dir(wordlists) if isinstance(pairs := getattr(wordlists, name), dict)
              for old, new in pairs.items() if isinstance(new, str)}  # fmt: skip
    assert not taught & {*SAME.items(), *ACTIVE.items()}
