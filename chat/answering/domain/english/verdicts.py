"""The verdict on one claim beside one passage, from what the guards and the verifier found."""

from collections.abc import Sequence

from chat.answering.domain.checking import Objection

CONTRADICTING = frozenset({"negation", "number", "opposite", "swapped", "tense", "contradicted"})


def claim_verdict(objections: Sequence[Objection], *, is_sure: bool, lacks_terms: bool, concludes: bool) -> str:
    """supported, inferred, partial, unsupported or contradicted.

    is_sure: the verifier is, or the claim is the source's own words. lacks_terms: a name or
    technical term of the claim is not in the source. concludes: the sentence presents the claim as a conclusion, which
    is inferred if the verifier is not sure of it.
    """
    if objections:
        return "contradicted" if any(found.reason in CONTRADICTING for found in objections) else "unsupported"
    if is_sure and not lacks_terms:
        return "supported"
    return "inferred" if concludes else "partial"
