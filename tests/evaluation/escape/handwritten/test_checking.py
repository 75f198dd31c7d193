from evaluation.escape.handwritten.checking import CheckedHandwritten, check_claims
from evaluation.escape.handwritten.claims import HandwrittenClaim, read_half
from lectorium.providers.protocols import Judgement
from tests.evaluation.escape.handwritten.conftest import FERRY, LAMP


class Trusting:
    """Supports every claim, and has passed the bar."""

    name, passed_bar = "trusting", True

    def verify(self, pairs):
        return [Judgement("supported", 1.0, 0.0, None, passed_bar=True) for _ in pairs]


def outcomes(checked):
    return [(claim.outcome, claim.proof) for claim in checked]


async def test_claims_are_checked_by_the_verifier_in_use_in_order(small):
    done = []
    checked = await check_claims(read_half("dev").claims, None, lambda: done.append(1))
    assert [claim.outcome for claim in checked][2:] == ["withheld: contradicted", "withheld: unsupported"]
    assert checked[0].is_shown
    assert not checked[1].is_shown
    assert len(done) == 4


async def test_another_verifier_can_judge_with_all_guards(small):
    checked = await check_claims(read_half("dev").claims, Trusting(), lambda: None)
    assert outcomes(checked) == [
        ("supported", "verified"),
        ("supported", "verified"),
        ("withheld: contradicted", ""),
        ("supported", "verified"),
    ]
    assert checked[0].is_verified


async def test_the_weakest_sentence_of_a_claim_decides():
    both = HandwrittenClaim(f"{FERRY[:53]} Wolves swam to Peru.", "contradicted", "added_detail", "b", FERRY, "lecture")
    own = HandwrittenClaim(LAMP, "supported", "close", "a", LAMP, "lecture")
    checked = await check_claims([both, own], None, lambda: None)
    assert outcomes(checked) == [("withheld: unsupported", ""), ("supported", "quoted")]


def test_only_a_supported_claim_with_proof_is_verified():
    claim = HandwrittenClaim("It is so.", "supported", "close", "a", LAMP, "lecture")
    assert CheckedHandwritten(claim, "supported", "quoted").is_verified
    assert not CheckedHandwritten(claim, "supported", "checked").is_verified
    assert not CheckedHandwritten(claim, "partial", "verified").is_verified
    assert not CheckedHandwritten(claim, "withheld: unsupported").is_shown
