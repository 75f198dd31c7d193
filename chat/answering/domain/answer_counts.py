"""What was checked of an answer, in numbers and in words; the same for readers, the API and the audit."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chat.answering.domain.answer import REFUTED, AnswerCitation, AnswerSentence, Claim, WithheldSentence, plural


def validation(
    sentences: Sequence[AnswerSentence],
    withheld: Sequence[WithheldSentence],
    citations: Sequence[AnswerCitation],
    chance: float = 1.0,
) -> dict[str, Any]:
    """Return the counts a reader, the API and the audit table all show (shared/design/pipeline.md, stage 6).

    chance: that the evidence answers the question, 0..1, where the answer was not written from it but quoted.
    """
    claims = [claim for sentence in sentences if sentence.kind == "factual" for claim in sentence.claims]
    count = {
        verdict: sum(claim.verdict == verdict for claim in claims)
        for verdict in ("supported", "partial", "inferred", "unsupported", "contradicted")
    }
    verified = sum(cited.verdict == "supported" for cited in citations)
    terms = sum(sentence.terms for sentence in sentences)
    known = terms - sum(len(sentence.unverified) for sentence in sentences)
    return {
        "sources_verified": verified,
        "sources_total": len(citations),
        **{f"claims_{verdict}": number for verdict, number in count.items()},
        "claims_total": len(claims),
        "claims_checked": sum(claim.verdict == "supported" and claim.proof == "checked" for claim in claims),
        "miscited": sum(sentence.miscited for sentence in sentences),
        "uncited": sum(sentence.repair == "suggested" for sentence in sentences if sentence.kind == "factual"),
        "removed": len(withheld),
        "terms_verified": known,
        "terms_total": terms,
        "faithfulness": round(faithfulness(claims), 4),
        "confidence": round(
            chance * confidence([claim.support for claim in claims], (verified, len(citations)), (known, terms)), 4
        ),
    }


def confidence(supports: Iterable[float], sources: tuple[int, int], terms: tuple[int, int]) -> float:
    """Return the weakest shown support, times the shares of sources and of terms verified, 0..1.

    sources, terms: how many are verified, of how many; an empty share is 1. Without a support it is 0.
    """
    return round(min(supports, default=0.0) * _share(*sources) * _share(*terms), 4)


def faithfulness(claims: Sequence[Claim]) -> float:
    """Return the share, 0..1, of the scored claims that are supported; 1 without any. Inferred ones are not scored."""
    scored = [claim for claim in claims if claim.verdict != "inferred"]
    return _share(sum(claim.verdict == "supported" for claim in scored), len(scored))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def summary(sentences: Sequence[AnswerSentence], counts: Mapping[str, Any]) -> str:
    """Return the counts in words, e.g. "3 sentences quoted from 2 places" or "6 claims · 5 verified · …".

    Supported claims are called verified only where every one of them is; else they are called checked.
    """
    if sentences and all(sentence.quoted for sentence in sentences):
        number, sources = len(sentences), counts["sources_total"]
        removed = [f"{counts['removed']} removed"] if counts["removed"] else []
        said = f"{number} {plural('sentence', number)} quoted from {sources} {plural('place', sources)}"
        return " · ".join([said, *removed])
    parts = (
        f"{counts['claims_total']} {plural('claim', counts['claims_total'])}",
        f"{counts['claims_supported']} {'checked' if counts['claims_checked'] else 'verified'}",
        f"{counts['claims_partial']} partly",
        *(
            f"{counts[f'claims_{verdict}']} {verdict}"
            for verdict in ("inferred", *REFUTED)
            if counts[f"claims_{verdict}"]
        ),
        f"{counts['miscited']} miscited",
        f"{counts['uncited']} uncited",
        f"{counts['removed']} removed",
    )
    return " · ".join(parts)
