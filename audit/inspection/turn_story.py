"""Lays a recorded turn out along the pipeline, for the page of one turn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from audit.domain.gaps import reason_in_words
from audit.domain.inspection.costs import StageCost, stage_costs
from audit.domain.inspection.drafts import DraftedSentence, DraftView, OutlineView, drafts_of, outline_of
from audit.domain.inspection.found import LookView, TracedCandidate, kept_chunks, looks_of
from audit.domain.inspection.words import OUTCOMES, REMOVALS, VERDICTS, in_words
from audit.inspection.passages import PlacedPassage, TurnPassages
from audit.models import TurnAudit
from corpus.domain.passage import Span
from corpus.querysets import Reader

CUT_SHOWN = 60
READ_TURN = "chat.view_turn"  # who may read what the reader saw, unredacted


@dataclass(frozen=True, slots=True)
class CandidateRow:
    candidate: TracedCandidate
    passage: PlacedPassage


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A drafted sentence with the evidence that decided, as excerpts: (note, passage)."""

    drafted: DraftedSentence
    evidence: tuple[tuple[int, PlacedPassage], ...]


@dataclass(frozen=True, slots=True)
class ShownSentence:
    text: str
    verdict: str
    verdict_words: str
    citations: tuple[int, ...]
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class ReaderView:
    """What the reader saw. removed: why each sentence was left out, with its words where they may be read."""

    message: str
    sentences: tuple[ShownSentence, ...]
    citations: tuple[tuple[int, PlacedPassage], ...]
    removed: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnStory:
    """earlier: looks before the last. given_before: the URL of the turn whose answer was repeated, or ""."""

    audit: TurnAudit
    earlier: tuple[LookView, ...]
    look: LookView | None
    kept: tuple[CandidateRow, ...]
    cut: tuple[CandidateRow, ...]
    cut_more: int
    evidence: tuple[PlacedPassage, ...]
    outline: OutlineView | None
    drafts: tuple[tuple[DraftView, tuple[SentenceRow, ...]], ...]
    shown: ReaderView
    costs: tuple[StageCost, ...]
    calls: tuple[Mapping[str, Any], ...]
    given_before: str
    fault: str
    outcome: str
    why: str

    @property
    def unmarked(self) -> int:
        return sum(not passage.is_marked for passage in self.evidence)

    @property
    def has_marks(self) -> bool:
        return self.unmarked < len(self.evidence)

    @property
    def steps(self) -> Iterator[tuple[str, str]]:
        """(anchor, name) of every step that the page has."""
        gate = self.look.gate if self.look else None
        there = {
            _("Time and cost"): ("costs", True),
            _("Plan"): ("plan", self.look),
            _("Retrieve"): ("lanes", self.look),
            _("Read and discard"): ("candidates", self.look),
            _("Gate"): ("gate", gate),
            _("Evidence"): ("evidence", self.evidence),
            _("Write and check"): ("drafts", self.drafts or self.outline),
            _("What the reader saw"): ("shown", True),
        }
        return ((anchor, name) for name, (anchor, is_there) in there.items() if is_there)


def turn_story(audit: TurnAudit, reader: Reader, *, may_read_turn: bool) -> TurnStory:
    """The turn laid out. may_read_turn: show the response as stored; otherwise as the audit keeps it, redacted."""
    trace = audit.trace
    looks, drafts = looks_of(trace), drafts_of(trace)
    response = stored_response(audit, may_read_turn=may_read_turn)
    spans = _spans(drafts, response)
    chunks = [*(candidate.chunk for look in looks[-1:] for candidate in look.candidates), *spans]
    found = TurnPassages(chunks, reader)
    candidates = looks[-1].candidates if looks else ()
    cut = [candidate for candidate in candidates if not candidate.is_kept]
    return TurnStory(
        audit=audit,
        earlier=tuple(looks[:-1]),
        look=looks[-1] if looks else None,
        kept=tuple(_rows((candidate for candidate in candidates if candidate.is_kept), found)),
        cut=tuple(_rows(cut[:CUT_SHOWN], found)),
        cut_more=max(0, len(cut) - CUT_SHOWN),
        evidence=tuple(_evidence(looks, found, spans)),
        outline=outline_of(trace),
        drafts=tuple((draft, tuple(_sentence(row, found) for row in draft.sentences)) for draft in drafts),
        shown=_shown(response, found),
        costs=tuple(stage_costs(audit.timings_ms, trace.get("served", ()))),
        calls=tuple(call for call in trace.get("served", ()) if call.get("outcome") != "builtin"),
        given_before=_given_before(trace),
        fault=" ".join(str(trace[name]) for name in ("fault", "cause") if trace.get(name)),
        outcome=in_words(OUTCOMES, audit.outcome),
        why=reason_in_words(audit.reason) if audit.reason else "",
    )


def stored_response(audit: TurnAudit, *, may_read_turn: bool) -> Mapping[str, Any]:
    """The stored response; without the right to read it, what the trace keeps of it."""
    turn = TurnAudit._meta.get_field("turn").related_model._default_manager.filter(pk=audit.turn_id)
    stored: Mapping[str, Any] | None = turn.values_list("response", flat=True).first() if may_read_turn else None
    return stored or {**{name: audit.trace.get(name, ()) for name in ("sentences", "withheld")},
                      "warnings": audit.warnings}  # fmt: skip


def _spans(drafts: list[DraftView], response: Mapping[str, Any]) -> dict[str, list[Span]]:
    """The spans that decided, by chunk: of the proofs of drafts, and of the citations shown."""
    spans: dict[str, list[Span]] = {}
    for place in (proof for draft in drafts for sentence in draft.sentences for proof in sentence.proofs):
        spans.setdefault(place.chunk, []).append(place.span)
    for kept in response.get("references", ()):
        spans.setdefault(str(kept["chunk"]), []).append((kept["char_start"], kept["char_end"]))
    return spans


def _rows(candidates: Any, found: TurnPassages) -> Iterator[CandidateRow]:
    for candidate in candidates:
        yield CandidateRow(candidate, found.name(candidate.chunk, candidate.address))


def _evidence(looks: list[LookView], found: TurnPassages, spans: Mapping[str, list[Span]]) -> Iterator[PlacedPassage]:
    addresses = {candidate.chunk: candidate.address for look in looks[-1:] for candidate in look.candidates}
    for chunk in kept_chunks(looks):
        yield found.whole(chunk, addresses[chunk], spans.get(chunk, ()))


def _sentence(row: DraftedSentence, found: TurnPassages) -> SentenceRow:
    return SentenceRow(
        row, tuple((proof.note, found.excerpt(proof.chunk, proof.address, proof.span)) for proof in row.proofs)
    )


def _shown(response: Mapping[str, Any], found: TurnPassages) -> ReaderView:
    places = {kept["n"]: kept for kept in response.get("references", ())}
    citations = [
        (cited["n"], found.excerpt(str(place["chunk"]), cited["address"], (place["char_start"], place["char_end"])))
        for cited in response.get("citations", ())
        if (place := places.get(cited["n"]))
    ]
    return ReaderView(
        message=response.get("message", ""),
        sentences=tuple(map(_shown_sentence, response.get("sentences") or ())),
        citations=tuple(citations),
        removed=tuple(
            (in_words(REMOVALS, row.get("reason")), row.get("text", "")) for row in response.get("withheld") or ()
        ),
        warnings=tuple(warning.get("message", "") for warning in response.get("warnings") or ()),
    )


def _shown_sentence(row: Mapping[str, Any]) -> ShownSentence:
    verdict = str(row.get("verdict", ""))
    return ShownSentence(
        str(row.get("text", "")), verdict, in_words(VERDICTS, verdict), tuple(row.get("citations") or ()),
        bool(row.get("quoted")),
    )  # fmt: skip


def _given_before(trace: Mapping[str, Any]) -> str:
    first = str((trace.get("cached") or {}).get("turn", ""))
    audit = TurnAudit.objects.filter(turn_id=first).only("pk").first() if first else None
    return reverse("audit_turn", args=[audit.pk]) if audit else ""
