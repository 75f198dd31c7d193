"""What becomes of what is not proved, by policy and by the answer's risk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.answer import Claim, WithheldSentence
from chat.answering.domain.answer_counts import faithfulness
from chat.answering.domain.checking import Objection, VerifiedSentence
from chat.answering.domain.policy import Policies, Policy, Risk, flagged, is_readable, proved_share, risk_of
from chat.answering.domain.stream.assembler import DraftSentence

VERDICTS = ("supported", "partial", "inferred", "unsupported", "contradicted")


def checked(*verdicts, kind="factual", guard="", withheld=False):
    return VerifiedSentence(
        DraftSentence("It is so.", "", 0),
        kind,
        verdicts[0] if verdicts else "framing",
        0.0,
        withheld=WithheldSentence("unsupported_claims", "unsupported") if withheld else None,
        claims=tuple(Claim("It is so.", verdict, 0.5, "") for verdict in verdicts),
        objections=(Objection(guard, "x"),) if guard else (),
    )


@pytest.mark.parametrize(
    ("share", "risk"), [(1.0, "low"), (0.85, "low"), (0.84, "medium"), (0.6, "medium"), (0.5, "high")]
)
def test_risk_follows_the_proved_share(share, risk):
    assert risk_of(share) is Risk(risk)


@pytest.mark.parametrize(
    ("usual", "by_risk"),
    [
        ("withhold", ["withhold", "withhold", "withhold"]),
        ("warn", ["withhold", "warn", "warn"]),
        ("regenerate", ["withhold", "withhold", "regenerate"]),
        ("block", ["block", "block", "block"]),
    ],
)
def test_warn_acts_from_medium_risk_on_regenerate_on_high_block_on_any(usual, by_risk):
    policies = Policies(Policy(usual), Policy(usual))
    assert [policies.at(risk) for risk in Risk] == [Policy(name) for name in by_risk]


def test_an_answer_is_held_where_the_whole_of_it_decides():
    assert not Policies(Policy.WITHHOLD, Policy.WITHHOLD).hold
    assert not Policies(Policy.WARN, Policy.WARN).hold
    assert Policies(Policy.WITHHOLD, Policy.BLOCK).hold
    assert Policies(Policy.REGENERATE, Policy.REGENERATE).hold


def test_a_conclusion_counts_against_the_proved_share_but_not_against_faithfulness():
    concluded = checked("supported", "inferred")
    assert proved_share([concluded, checked(kind="framing")]) == 0.5
    assert faithfulness(concluded.claims) == 1.0
    assert proved_share([checked("supported", "unsupported"), checked("inferred")]) == pytest.approx(1 / 3)
    assert proved_share([]) == 1.0


def test_a_flagged_sentence_has_no_citation_and_no_support():
    shown = flagged(checked("contradicted", withheld=True))
    assert (shown.withheld, shown.proofs, shown.support, shown.verdict) == (None, (), 0.0, "contradicted")
    assert [claim.support for claim in shown.claims] == [0.0]


@pytest.mark.parametrize("guard", ["snippet", "time"])
def test_a_forged_quotation_or_moment_stays_withheld(guard):
    one = checked("unsupported", guard=guard, withheld=True)
    assert not is_readable(one)
    assert flagged(one) is one


@given(st.lists(st.lists(st.sampled_from(VERDICTS), max_size=4), max_size=6))
def test_the_proved_share_is_one_and_never_above_faithfulness(answer):
    every = [claim for verdicts in answer for claim in checked(*verdicts).claims]
    assert faithfulness(every) >= proved_share([checked(*verdicts) for verdicts in answer]) >= 0.0
