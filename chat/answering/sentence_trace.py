"""What the audit keeps of a written sentence."""

from dataclasses import asdict
from typing import Any

from chat.answering.domain.checking import VerifiedSentence


def sentence_trace(one: VerifiedSentence) -> dict[str, Any]:
    """Return what is kept of a checked sentence, shown or not: its text, verdict, repair, notes, terms and claims."""
    return {
        "text": one.drafted.text,
        "verdict": one.verdict,
        "support": one.support,
        "proof": one.proof,
        "withheld": one.withheld.reason if one.withheld else "",
        "repair": one.repair,
        "miscited": one.miscited,
        **_citing(one),
        "terms": [asdict(term) for term in one.terms],
        "claims": [asdict(claim) for claim in one.claims],
        "objections": [asdict(objection) for objection in one.objections],
    }


def _citing(one: VerifiedSentence) -> dict[str, Any]:
    """Return the notes that a sentence cited and those that prove it, each with its place in the passage's text.

    inherited: what the next citation of its paragraph names. moved: the markers that proved nothing, and the notes that
    stand in their place.
    """
    cited = list(dict.fromkeys(marker.number for marker in one.drafted.markers if marker.kind != "action"))
    proofs = [
        {
            "note": proof.note,
            "chunk": str(proof.passage.chunk_id),
            "address": proof.passage.address_at(proof.span),
            "span": list(proof.span),
            "verdict": proof.verdict,
            "support": proof.support,
        }
        for proof in one.proofs
    ]
    proved = [proof.note for proof in one.proofs]
    moved = {
        "from": [number for number in cited if number not in proved],
        "to": [number for number in proved if number not in cited],
    }
    inherited = list(one.drafted.inherited)
    return {"cited": cited, "inherited": inherited, "proofs": proofs, "moved": moved if one.repair else None}
