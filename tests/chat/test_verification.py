"""A written sentence through every guard, with a verifier that says what the test tells it to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.domain.assembler import Drafted
from chat.domain.checking import CheckRules
from chat.domain.footnotes import mint
from chat.domain.tokens import Marker
from chat.stages import verify
from lectorium.providers.protocols import Judgement
from tests.domain.written import passage

NOTE = "The banyan tree sends down roots from its branches. Each root becomes a trunk in its turn."
CONCLUDED = "It follows that the banyan outlives its own first trunk."


class Believing:
    """Gives every claim the same support."""

    name = "believing"

    def __init__(self, support):
        self.support = support

    def verify(self, pairs):
        label = "supported" if self.support >= CheckRules().partial_from else "not_mentioned"
        return [Judgement(label, self.support, 0.0, None) for _ in pairs]


def checked(text, support, *, cited=True):
    notes = mint([passage(NOTE)])
    marker = (Marker("note", 1),) if cited else ()
    return verify.Verification(notes, Believing(support), CheckRules()).check(Drafted(text, "", 0, marker))


def test_a_conclusion_that_is_supported_in_part_is_called_inferred():
    shown = checked(CONCLUDED, 0.7)
    assert (shown.verdict, shown.support, shown.withheld) == ("inferred", 0.7, None)
    assert {claim.verdict for claim in shown.claims} == {proof.verdict for proof in shown.proofs} == {"inferred"}


def test_what_draws_no_conclusion_is_still_supported_in_part():
    assert checked("The banyan outlives its own first trunk.", 0.7).verdict == "partial"


def test_a_conclusion_that_its_source_holds_in_full_is_supported():
    assert checked(CONCLUDED, 0.9).verdict == "supported"


@given(st.sampled_from(["So", "Therefore", "Hence", "It follows that"]), st.floats(0, 1), st.booleans())
def test_drawing_a_conclusion_lets_nothing_through(lead, support, cited):
    text = f"{lead} the banyan tree becomes a trunk of its branches."
    with pytest.MonkeyPatch.context() as patched:
        concluded = checked(text, support, cited=cited)
        patched.setattr(verify, "draws_conclusion", lambda text: False)
        plain = checked(text, support, cited=cited)
    assert concluded.withheld == plain.withheld
    assert concluded.support == plain.support
    assert concluded.verdict == plain.verdict or (concluded.verdict, plain.verdict) == ("inferred", "partial")
