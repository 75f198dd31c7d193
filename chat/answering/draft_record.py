"""What the audit keeps of a draft: which model wrote it, from which notes, and how each sentence was checked."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from chat.answering.domain.answer_counts import faithfulness
from chat.answering.domain.checked_draft import CheckedDraft
from chat.answering.domain.checking import VerifiedSentence
from chat.answering.domain.footnotes import Footnote
from chat.answering.domain.stream.tokens import DroppedText
from lectorium.ladder.selectors import ResolvedModel


@dataclass(frozen=True, slots=True)
class DraftRecord:
    """One draft of one model.

    whole: all of it was checked before any was shown. repairs: it repairs the draft before it. fault: why the model
    stopped early, in one word, else "". dropped: what the gauntlet took out of the text. checks: seconds of each check.
    """

    served: ResolvedModel
    verifier: str
    whole: bool
    repairs: bool
    notes: tuple[Footnote, ...]
    checked: CheckedDraft
    fault: str
    abstained: bool
    dropped: tuple[DroppedText, ...]
    checks: tuple[float, ...]

    @property
    def faithfulness(self) -> float:
        """Of the draft as written, shown or not, 0..1."""
        sentences = [sentence for sentence in self.checked.sentences if sentence.kind == "factual"]
        return round(faithfulness([claim for sentence in sentences for claim in sentence.claims]), 4)

    @property
    def dropped_counts(self) -> Mapping[str, int]:
        """How often something was dropped, by reason."""
        return Counter(dropped.reason.value for dropped in self.dropped)

    def as_dict(self) -> dict[str, Any]:
        return {
            "served": self.served.as_dict(),
            "verifier": self.verifier,
            "whole": self.whole,
            "repairs": self.repairs,
            "risk": self.checked.risk.value,
            "faithfulness": self.faithfulness,
            "notes": [note.as_dict() for note in self.notes],
            "sentences": [sentence_trace(sentence) for sentence in self.checked.sentences],
            "fault": self.fault,
            "abstained": self.abstained,
            "dropped": [{"reason": dropped.reason.value, "text": dropped.text} for dropped in self.dropped],
            "checks_ms": [round(1000 * seconds, 1) for seconds in self.checks],
        }


@dataclass(frozen=True, slots=True)
class OutsideDraftRecord:
    """A draft from a model's general knowledge, which has no notes and is not checked."""

    served: ResolvedModel

    def as_dict(self) -> dict[str, Any]:
        return {"served": self.served.as_dict(), "outside": True}


def sentence_trace(sentence: VerifiedSentence) -> dict[str, Any]:
    return {
        "text": sentence.drafted.text,
        "verdict": sentence.verdict,
        "support": sentence.support,
        "proof": sentence.proof,
        "withheld": sentence.withheld.reason if sentence.withheld else "",
        "repair": sentence.repair,
        "miscited": sentence.miscited,
        **_citing(sentence),
        "terms": [asdict(term) for term in sentence.terms],
        "claims": [asdict(claim) for claim in sentence.claims],
        "objections": [asdict(objection) for objection in sentence.objections],
    }


def _citing(sentence: VerifiedSentence) -> dict[str, Any]:
    """The notes that the sentence cites, and those that prove it with the evidence's place in the passage's text.

    inherited: the notes of the next citation in its paragraph. moved: markers that proved nothing, and the notes that
    replace them.
    """
    cited = list(dict.fromkeys(marker.number for marker in sentence.drafted.markers))
    proofs = [
        {
            "note": proof.note,
            "chunk": str(proof.passage.chunk_id),
            "address": proof.passage.address_at(proof.span),
            "span": list(proof.span),
            "verdict": proof.verdict,
            "support": proof.support,
        }
        for proof in sentence.proofs
    ]
    proved = [proof.note for proof in sentence.proofs]
    moved = {
        "from": [number for number in cited if number not in proved],
        "to": [number for number in proved if number not in cited],
    }
    inherited = list(sentence.drafted.inherited)
    return {"cited": cited, "inherited": inherited, "proofs": proofs, "moved": moved if sentence.repair else None}
