"""The verifier that the guards may contradict."""

import pytest

from chat.answering.guarded_verifier import GuardedVerifier
from lectorium.providers.protocols import Judgement

EVIDENCE = "The school had ten pupils. Some of them stayed."


class BelievingVerifier:
    """Judges every claim alike, and counts."""

    name = "believing"

    def __init__(self, judgement):
        self.judgement, self.asked = judgement, []

    def verify(self, pairs):
        self.asked.append(pairs)
        return [self.judgement] * len(pairs)


SUPPORTED = Judgement("supported", 0.9, 0.02, (0, 26))


def judge(claim, judgement=SUPPORTED):
    return GuardedVerifier(BelievingVerifier(judgement)).verify([(EVIDENCE, claim)])[0]


@pytest.mark.parametrize(
    ("claim", "label", "support"),
    [
        ("The school had ten pupils.", "supported", 0.9),
        ("The school had twelve pupils.", "contradicted", 0.45),
        ("All of them stayed.", "not_mentioned", 0.45),
        ("The school had twelve pupils. All of them stayed.", "contradicted", 0.225),
    ],
)
def test_no_claim_that_a_guard_objects_to_is_called_supported(claim, label, support):
    found = judge(claim)
    assert (found.label, found.support) == (label, pytest.approx(support))
    assert (found.span, found.contradiction) == (SUPPORTED.span, SUPPORTED.contradiction)


def test_the_guards_make_no_claim_better_than_the_verifier_found_it():
    refused = Judgement("not_mentioned", 0.2, 0.1, None)
    assert judge("The school had ten pupils.", refused) == refused
    found = judge("The school had twelve pupils.", refused)
    assert (found.label, found.support) == ("not_mentioned", pytest.approx(0.1))


def test_the_verifier_is_asked_once_for_all_pairs_and_gives_its_name():
    inner = BelievingVerifier(SUPPORTED)
    pairs = [(EVIDENCE, "Some of them stayed."), (EVIDENCE, "It had 12 pupils.")]
    assert [judgement.label for judgement in GuardedVerifier(inner).verify(pairs)] == ["supported", "contradicted"]
    assert inner.asked == [pairs]
    assert GuardedVerifier(inner).verify([]) == []
    assert GuardedVerifier(inner).name == "believing"
