"""What survived the gates, or why nothing did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from chat.answering.domain.evidence.pool import Candidate
from chat.answering.domain.evidence.quotation import EvidenceSentence, Quote


class Reason(StrEnum):
    """Why a turn ended without an answer."""

    OUTSIDE_CORPUS = "outside_corpus"
    THIN_EVIDENCE = "thin_evidence"
    UNANSWERABLE = "unanswerable"
    FALSE_PREMISE = "false_premise"
    EMPTY_OUTLINE = "empty_outline"
    UNSUPPORTED_CLAIMS = "unsupported_claims"
    MODEL_ABSTAINED = "model_abstained"
    CONFLICTING_SOURCES = "conflicting_sources"


NEAR_MISSES = frozenset({Reason.UNANSWERABLE, Reason.FALSE_PREMISE})  # something near was found


@dataclass(frozen=True, slots=True)
class Evidence:
    """The candidates an answer may quote, best first, their sentences, and the chance (0..1) that they answer.

    cut: the rule that kept each other candidate out. bar: the chance from which on the gate lets an answer through;
    None where it was not asked: an address, or an editor's references. is_close: its best passage may be shown as the
    closest one where nothing answers. is_story: the question asks for a story. clips: the best clips in the order that
    the big reader gives them; empty where it did not read. pinned: the whole answer of an accepted pin, in its editors'
    order. framing: their words before it. subject: the chance that the corpus speaks of what is asked. is_likely: its
    closest passage likely answers.
    """

    candidates: tuple[Candidate, ...]
    sentences: tuple[EvidenceSentence, ...]
    coverage: float
    signals: Mapping[str, float] = field(default_factory=dict)
    cut: Mapping[UUID, str] = field(default_factory=dict)
    bar: float | None = None
    is_close: bool = False
    is_story: bool = False
    clips: tuple[Quote, ...] = ()
    pinned: tuple[Quote, ...] = ()
    framing: str = ""
    subject: float = 1.0
    is_likely: bool = False

    @property
    def is_thin(self) -> bool:
        """Is it too little for the gate by itself, so that an outline has to decide?"""
        return self.bar is not None and self.coverage < self.bar

    @property
    def is_only_addressed(self) -> bool:
        """Is it nothing but what stands at addresses that the question names?"""
        return all(candidate.at_address for candidate in self.candidates)

    @property
    def addressed(self) -> "Evidence | None":
        """Return what stands at the addresses that the question names, which needs no gate; None where nothing does."""
        standing = tuple(candidate for candidate in self.candidates if candidate.at_address)  # they lead
        read = tuple(sentence for sentence in self.sentences if sentence.passage < len(standing))
        return Evidence(standing, read, 1.0, self.signals, self.cut) if standing else None


@dataclass(frozen=True, slots=True)
class Abstention:
    """A decision not to answer: the reason, what was nearest first, and a sentence for the reader where one is known.

    sentences: those of the nearest passages, as far as they were read; `passage` is the index in `nearest`. thin: all
    that was kept, where it is near enough for an outline to decide. addressed: what stands at the addresses that the
    question names, which is shown all the same. closest: what the closest passage is chosen from, where it is shown
    instead of the refusal. subject: the chance that the corpus speaks of what is asked.
    """

    reason: Reason
    nearest: tuple[Candidate, ...] = ()
    sentences: tuple[EvidenceSentence, ...] = ()
    coverage: float = 0.0
    signals: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""
    cut: Mapping[UUID, str] = field(default_factory=dict)
    bar: float | None = None
    thin: Evidence | None = None
    addressed: Evidence | None = None
    closest: Evidence | None = None
    subject: float = 0.0

    @classmethod
    def of(
        cls, evidence: Evidence, reason: Reason, *, detail: str = "", thin: Evidence | None, closest: Evidence | None
    ) -> "Abstention":
        """Return the decision not to answer from this evidence; detail, thin, closest: see the class."""
        return cls(
            reason, evidence.candidates, evidence.sentences, evidence.coverage, evidence.signals, detail, evidence.cut,
            evidence.bar, thin, evidence.addressed, closest, evidence.subject,
        )  # fmt: skip
