"""A written sentence through every guard, with a verifier that says what the test tells it to."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.answering.domain.checking import CheckRules
from chat.answering.domain.footnotes import mint
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.stream.tokens import Marker
from chat.answering.stages import verify
from lectorium.providers.protocols import Judgement
from tests.domain.written import passage

NOTE = "The banyan tree sends down roots from its branches. Each root becomes a trunk in its turn."
CONCLUDED = "It follows that the banyan outlives its own first trunk."


class BelievingJudge:
    """Gives every claim the same support."""

    name = "believing"

    def __init__(self, support, *, passed_bar=False):
        self.support, self.passed_bar = support, passed_bar

    def verify(self, pairs):
        label = "supported" if self.support >= CheckRules().partial_from else "not_mentioned"
        return [Judgement(label, self.support, 0.0, None, self.passed_bar) for _ in pairs]


def checked(text, support, *, cited=True, passed_bar=False):
    notes = mint([passage(NOTE)])
    marker = (Marker("note", 1),) if cited else ()
    judge = BelievingJudge(support, passed_bar=passed_bar)
    return verify.Verification(notes, judge, CheckRules()).check(DraftSentence(text, "", 0, marker))


def test_a_conclusion_that_is_supported_in_part_is_called_inferred():
    shown = checked(CONCLUDED, 0.7)
    assert (shown.verdict, shown.support, shown.withheld) == ("inferred", 0.7, None)
    assert {claim.verdict for claim in shown.claims} == {proof.verdict for proof in shown.proofs} == {"inferred"}


def test_what_draws_no_conclusion_is_still_supported_in_part():
    assert checked("The banyan outlives its own first trunk.", 0.7).verdict == "partial"


def test_a_conclusion_that_the_verifier_is_sure_of_is_supported():
    assert checked(f"So {REWORDED.lower()}", 0.9).verdict == "supported"


def test_what_a_verifier_is_sure_of_is_supported_in_whatever_words():
    shown = checked("Such giants propagate without any gardener.", 0.95, passed_bar=True)
    assert (shown.verdict, shown.proof, shown.support, shown.withheld) == ("supported", "verified", 0.95, None)


PLACE, REGION = "The ashram of Kapila stands in Sagar. It is old.", "They say Sagar lies in the delta of the Ganges."
FOLLOWS = "The ashram of Kapila lies in the delta of the Ganges."


@pytest.mark.parametrize("own", [(1,), (1, 2)])
def test_what_only_two_passages_together_say_is_withheld(own):
    drafted = DraftSentence(FOLLOWS, "", 0, tuple(Marker("note", number) for number in own))
    judge = BelievingJudge(0.1)  # of each passage
    assert verify.Verification(mint([passage(PLACE), passage(REGION)]), judge, CheckRules()).check(drafted).withheld


@settings(deadline=None)  # the first claim loads the stemmer
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


REWORDED = "A trunk grows in turn from each root."


@pytest.mark.parametrize(
    ("text", "passed_bar", "proof"),
    [
        (REWORDED, False, "checked"),
        (REWORDED, True, "verified"),
        ("each root becomes a trunk in its turn.", False, "verified"),
        ("Each root becomes a trunk in its turn.", False, "quoted"),
        ("In short:", True, ""),
    ],
)
def test_a_sentence_in_other_words_is_verified_only_by_a_verifier_that_passed_the_bar(text, passed_bar, proof):
    shown = checked(text, 0.95, cited=bool(proof), passed_bar=passed_bar)
    assert (shown.proof, shown.withheld) == (proof, None)


def test_what_is_supported_in_part_is_never_verified():
    shown = checked(REWORDED, 0.7, passed_bar=True)
    assert (shown.verdict, shown.proof) == ("partial", "checked")


def test_the_least_proved_claim_decides_how_a_sentence_is_proved():
    own = "The banyan tree sends down roots from its branches."
    claims = (own, REWORDED)
    checks = verify.Verification(mint([passage(NOTE)]), BelievingJudge(0.95), CheckRules(), split=lambda text: claims)
    shown = checks.check(DraftSentence(" ".join(claims), "", 0, (Marker("note", 1),)))
    assert [claim.proof for claim in shown.claims] == ["verified", "checked"]
    assert (shown.verdict, shown.proof) == ("supported", "checked")


OTHER = "The river floods the lower fields each spring. Nobody farms them before June."


class Knowing:
    """Supports what a note says, and nothing else."""

    name = "knowing"

    def verify(self, pairs):
        held = [claim.rstrip(".") in text for text, claim in pairs]
        return [
            Judgement("supported" if holds else "not_mentioned", 0.9 if holds else 0.1, 0.0, None) for holds in held
        ]


def covered(text, *, inherited=(), own=()):
    drafted = DraftSentence(text, "", 0, tuple(Marker("note", number) for number in own), inherited)
    return verify.Verification(mint([passage(NOTE), passage(OTHER)]), Knowing(), CheckRules()).check(drafted)


def test_a_sentence_that_stands_in_the_note_its_paragraph_cites_counts_as_cited():
    shown = covered("Nobody farms them before June.", inherited=(2,))
    assert (shown.verdict, shown.repair, shown.miscited, shown.objections) == ("supported", "", 0, ())
    assert [proof.note for proof in shown.proofs] == [2]


def test_a_sentence_that_its_paragraphs_citation_does_not_prove_goes_on_as_uncited():
    shown = covered("Nobody farms them before June.", inherited=(1,))
    assert (shown.verdict, shown.repair, shown.miscited) == ("supported", "suggested", 0)
    hidden = covered("The fields belong to the king of Benares.", inherited=(1,))
    assert (hidden.withheld.reason, hidden.objections[0].reason) == ("uncited", "uncited")


def test_what_a_sentence_cites_itself_comes_before_what_it_inherits():
    shown = covered("Nobody farms them before June.", own=(1,), inherited=(2,))
    assert (shown.repair, shown.miscited) == ("moved", 1)


UNSEEN = "A banyan was planted by the widow of the king. Pilgrims rest beneath it at noon."


def with_evidence(text, *, own=(1,), evidence=(), **rules):
    checks = verify.Verification(
        mint([passage(NOTE)]), Knowing(), CheckRules(**rules), evidence=[passage(text) for text in evidence]
    )
    return checks, checks.check(DraftSentence(text, "", 0, tuple(Marker("note", number) for number in own)))


def test_what_only_the_rest_of_the_evidence_proves_is_cited_to_it():
    _, shown = with_evidence("Pilgrims rest beneath it at noon.", evidence=[OTHER, UNSEEN])
    assert (shown.verdict, shown.repair, shown.miscited) == ("supported", "moved", 1)
    assert [proof.passage.text for proof in shown.proofs] == [UNSEEN]


def test_an_uncited_sentence_may_quote_what_only_the_rest_of_the_evidence_has():
    _, shown = with_evidence("It is said: “Pilgrims rest beneath it at noon.”", own=(), evidence=[UNSEEN])
    assert not [objection for objection in shown.objections if objection.guard == "snippet"]


@pytest.mark.parametrize("number", [2, -1, 0])
def test_no_marker_reaches_evidence_that_the_model_was_not_shown(number):
    _, shown = with_evidence("Pilgrims rest beneath it at noon.", own=(number,), evidence=[UNSEEN])
    assert shown.repair == "suggested"


def test_evidence_is_read_only_where_the_notes_prove_too_little_and_at_most_so_much_of_it():
    checks, shown = with_evidence("Each root becomes a trunk in its turn.", evidence=[UNSEEN])
    assert shown.withheld is None
    assert "everything" not in vars(checks)
    _, hidden = with_evidence("Pilgrims rest beneath it at noon.", evidence=[UNSEEN], others=0)
    assert hidden.withheld


def test_a_name_that_only_the_rest_of_the_evidence_knows_is_no_less_a_name():
    evidence = ["On that day Marduk spoke there.", "He crowned seven emperors there in a day."]
    checks = verify.Verification(
        mint([passage(NOTE)]), BelievingJudge(0.9), CheckRules(), evidence=[passage(text) for text in evidence]
    )
    hidden = checks.check(DraftSentence("Marduk crowned seven emperors in a day.", "", 0))
    assert hidden.withheld
    shown = checks.check(DraftSentence("He crowned seven emperors in a day.", "", 0))
    assert shown.repair == "suggested"


def test_what_is_quoted_is_the_evidence():
    shown = checked("He said: “Each root — becomes a trunk in its turn.”", 0.9)
    (proof,) = shown.proofs
    assert shown.claims[0].evidence_span == proof.passage.text[slice(*proof.span)]
    assert shown.claims[0].evidence_span == "Each root becomes a trunk in its turn"
