"""Facts that editors recorded about a turn's passages, and conflicts between their sources.

Facts guide the writing but are never cited; their sources are (shared/design/pipeline.md, stages 3 and 4). An answer
that shows one side of an open conflict must show the other too, because omitting it would decide the conflict.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from chat.answering.domain.answer import AnswerCitation, AnswerWarning
from chat.answering.domain.evidence.quotation import EvidenceSentence, Quote
from chat.answering.domain.footnotes import Footnote
from corpus.domain.passage import Passage, Span
from corpus.domain.text.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class FactRules:
    """facts: how many facts about the kept passages a model gets, most confident first."""

    facts: int = 5


@dataclass(frozen=True, slots=True)
class KnownFact:
    """content: the fact in one sentence. evidence: its exact words. passages: those with these words, at least one."""

    id: UUID
    content: str
    evidence: str
    passages: tuple[Passage, ...]

    @property
    def passage(self) -> Passage:
        return self.passages[0]

    @property
    def quote(self) -> Quote:
        """The sentences that contain the evidence."""
        text, evidence = self.passage.text, _span(self.evidence, self.passage)
        spans = [(n, span) for n, span in enumerate(sentence_spans(text)) if _overlap(span, evidence)]
        return Quote(0, tuple(EvidenceSentence(0, n, span, text[slice(*span)], 0.0) for n, span in spans))

    def is_in(self, chunk_id: UUID, span: Span) -> bool:
        """Whether these characters of a chunk overlap the evidence."""
        return any(
            passage.chunk_id == chunk_id and _overlap(span, _span(self.evidence, passage)) for passage in self.passages
        )

    def cited_by(self, citations: Iterable[AnswerCitation]) -> list[int]:
        """The numbers of the citations that overlap the evidence."""
        return [
            citation.n
            for citation in citations
            if self.is_in(citation.chunk_id, (citation.char_start, citation.char_end))
        ]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sides that exclude each other, both visible to the reader: an open contradiction, or one that a turn found.

    id: of the contradiction; None where no editor recorded one. note: by an editor, or "".
    """

    id: UUID | None
    subject: str
    sides: tuple[KnownFact, KnownFact]
    note: str = ""

    @property
    def background(self) -> str:
        first, second = (side.content for side in self.sides)
        return f"Sources disagree: {first} / {second} {self.note}".rstrip()


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """The facts of the kept passages, most confident first, and the conflicts they are part of."""

    facts: tuple[KnownFact, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    def background(self, rules: FactRules) -> tuple[str, ...]:
        """The background for a model. A conflict is always given with both sides."""
        disputed = {side.id for conflict in self.conflicts for side in conflict.sides}
        undisputed = [fact.content for fact in self.facts if fact.id not in disputed]
        return (*undisputed[: rules.facts], *(conflict.background for conflict in self.conflicts))


def is_conflicting(conflicts: Iterable[Conflict], chunk_id: UUID, span: Span) -> bool:
    """Whether these characters of a chunk overlap the evidence of a conflict."""
    return any(side.is_in(chunk_id, span) for conflict in conflicts for side in conflict.sides)


def disputed(conflicts: Iterable[Conflict], quoted: Iterable[tuple[UUID, Span]]) -> bool:
    """Whether a side of a conflict is among these (chunk id, characters)."""
    return any(is_conflicting(conflicts, chunk_id, span) for chunk_id, span in quoted)


def with_both_sides(passages: Iterable[Passage], conflicts: Iterable[Conflict]) -> tuple[Passage, ...]:
    """The passages, followed by the missing passages of each conflict's sides."""
    return tuple(dict.fromkeys((*passages, *(side.passage for conflict in conflicts for side in conflict.sides))))


def with_other_sides(used: Iterable[int], notes: Sequence[Footnote], conflicts: Iterable[Conflict]) -> tuple[int, ...]:
    """The used aliases, followed by the note of the other side for each conflict with one side used."""
    aliases = dict.fromkeys(used)
    for conflict in conflicts:
        sides = [[note.alias for note in notes if note.passage in side.passages] for side in conflict.sides]
        if any(alias in aliases for side in sides for alias in side):
            aliases |= dict.fromkeys(side[0] for side in sides if not any(alias in aliases for alias in side))
    return tuple(aliases)


def left_out(conflicts: Iterable[Conflict], citations: Sequence[AnswerCitation]) -> list[KnownFact]:
    """The sides without a citation, in conflicts where the other side has one."""
    missing = []
    for conflict in conflicts:
        shown = [bool(side.cited_by(citations)) for side in conflict.sides]
        if any(shown):
            missing += [side for side, is_shown in zip(conflict.sides, shown, strict=True) if not is_shown]
    return missing


def conflict_warnings(conflicts: Iterable[Conflict], citations: Sequence[AnswerCitation]) -> list[AnswerWarning]:
    """A warning for each conflict with a cited side; its details list each side's citations."""
    warnings = []
    for conflict in conflicts:
        numbers = [side.cited_by(citations) for side in conflict.sides]
        if any(numbers):
            where = " and ".join(" ".join(f"[{n}]" for n in side) for side in numbers if side)
            message = f"The sources disagree about {conflict.subject}: see {where}. {conflict.note}".rstrip()
            details = {"subject": conflict.subject, "citations": numbers, "note": conflict.note}
            warnings.append(AnswerWarning("CONFLICTING_SOURCES", message, details))
    return warnings


def _span(evidence: str, passage: Passage) -> Span:
    start = passage.text.index(evidence)
    return start, start + len(evidence)


def _overlap(a: Span, b: Span) -> bool:
    return max(a[0], b[0]) < min(a[1], b[1])
