"""What a reader is shown: sentences, the citations under them, and the counts that say what was checked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal
from uuid import UUID

from chat.answering.domain.stream.tokens import DropReason

CONFLICTING = " (conflicting sources)"
FROM_EDITORS = "From the editors:"  # equal to static/js/words.js
REFUTED = ("unsupported", "contradicted")
# verified: word for word in the source, or by a verifier that passed the hand-written bar. checked: by another one.
Proved = Literal["quoted", "verified", "checked", ""]
PHANTOMS = (DropReason.NEVER_MINTED, DropReason.UNKNOWN_CARD)  # markers of sources that the model was not given


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedTitle:
    """A lecture's title in a reader's language. origin: machine, or reviewed by a person."""

    text: str
    language: str
    origin: Literal["machine", "reviewed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePlace:
    """Where a passage stands. `start` and `end` are seconds into the recording; `url` and `media` are on this site.

    translated_title: in a language of the Accept-Language header, put in when the place is sent; it is never stored.
    The defaults are for rows that an earlier version stored.
    """

    kind: str = ""
    address: str = ""
    title: str = ""
    speaker: str = ""
    date: str = ""
    place: str = ""
    start: float | None = None
    end: float | None = None
    url: str = ""
    media: str | None = None
    language: str = ""
    translated_title: TranslatedTitle | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedPlace(SourcePlace):
    """A verbatim quote and where it stands."""

    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedCitation(QuotedPlace):
    """A citation as every interface gives it."""

    n: int
    verdict: str


@dataclass(frozen=True, slots=True)
class CitationReference:
    """What citation `n` can be checked again by: its passage, the passage's hash, and the quote's place in its text."""

    n: int
    chunk: UUID
    content_hash: str
    char_start: int
    char_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCitation(NumberedCitation):
    """A citation inside a turn, with the passage it was taken from."""

    chunk_id: UUID
    chunk_hash: str
    char_start: int
    char_end: int

    def public(self) -> dict[str, Any]:
        """Return the citation as every interface gives it."""
        return {field.name: getattr(self, field.name) for field in fields(NumberedCitation)}

    @property
    def reference(self) -> CitationReference:
        return CitationReference(self.n, self.chunk_id, self.chunk_hash, self.char_start, self.char_end)


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing a sentence says, its verdict, the evidence that decided it, and how it was proved (see Proved)."""

    text: str
    verdict: str
    support: float
    evidence_span: str
    proof: Proved = "checked"


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence a reader sees. `quoted` marks a verbatim one; `paragraph` groups sentences.

    block: the Markdown that begins its paragraph ("## ", "- ", "2. ", "> "), "" in an ordinary one. repair: what was
    done to its citations: "" nothing, "moved" to the passage that proves it, "suggested" where it came without one.
    miscited: markers taken off because they proved nothing. terms: how many names, numbers and technical terms it has;
    unverified: those its evidence does not hold. conflicting: another source says otherwise, and editors have not
    decided between them. cards: the verses and chapters it points to: kind, title, address, url. clip: it is part of a
    clip, a stretch of one source in its own words that makes up its whole paragraph. lead: of the clip, it answers.
    proof: see Proved.
    """

    text: str
    kind: str
    verdict: str
    support: float
    citations: tuple[int, ...]
    quoted: bool
    paragraph: int
    claims: tuple[Claim, ...] = ()
    block: str = ""
    repair: str = ""
    miscited: int = 0
    terms: int = 0
    unverified: tuple[str, ...] = ()
    conflicting: bool = False
    cards: tuple[Mapping[str, str], ...] = ()
    clip: bool = False
    lead: bool = False
    proof: Proved = ""

    @property
    def stands(self) -> bool:
        """Does the evidence bear the sentence out, at least in part? Policy "warn" shows others too."""
        return self.verdict not in REFUTED


@dataclass(frozen=True, slots=True)
class WithheldSentence:
    """A sentence left out of the answer, and why. found_in: for "other_scope", which source outside the scope says it.

    text: what it said, for who opens what was removed; "" where nobody may read it, as of a forged quotation.
    """

    reason: str
    verdict: str
    found_in: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class AnswerWarning:
    """Something the reader should know about the answer; `type` is one of the pipeline's warning types."""

    type: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)


def stale_index(citations: Sequence[AnswerCitation], current: Mapping[UUID, str]) -> list[AnswerWarning]:
    """Return a warning where cited text is not what its source says now; `current` maps chunk ids to content hashes."""
    changed = [cited for cited in citations if current.get(cited.chunk_id) != cited.chunk_hash]
    if not changed:
        return []
    numbers = ", ".join(f"[{cited.n}]" for cited in changed)
    message = f"The source of {numbers} was changed or withdrawn after it was read for this answer."
    return [AnswerWarning("STALE_INDEX", message, {"addresses": [cited.address for cited in changed]})]


def missing_addresses(faults: Iterable[str]) -> list[AnswerWarning]:
    """Return a warning for each address the question names that cannot be found; `faults` say why."""
    return [AnswerWarning("PHANTOM_SOURCE", fault) for fault in faults]


def check_warnings(
    sentences: Sequence[AnswerSentence], withheld: Sequence[WithheldSentence], dropped: Mapping[str, int]
) -> list[AnswerWarning]:
    """Return a warning for each kind of check that something in the answer did not pass (pipeline.md, stage 6).

    dropped: how often the gauntlet dropped something from the text, by reason.
    """
    warnings = []
    phantoms = {reason.value: number for reason in PHANTOMS if (number := dropped.get(reason, 0))}
    if number := sum(phantoms.values()):
        message = f"{number} {plural('citation', number)} of a source that is not among those found was taken out."
        warnings.append(AnswerWarning("PHANTOM_SOURCE", message, phantoms))
    if terms := sorted({term for sentence in sentences for term in sentence.unverified}):
        message = f"The sources do not have {', '.join(terms)} in these words."
        warnings.append(AnswerWarning("UNVERIFIED_TERMS", message, {"terms": terms}))
    for kind, what in (("SNIPPET_MISMATCH", "a quotation that"), ("TIME_MISMATCH", "a moment that")):
        if number := sum(sentence.reason == kind for sentence in withheld):
            message = f"{number} {plural('sentence', number)} with {what} its source does not bear out was left out."
            warnings.append(AnswerWarning(kind, message, {"removed": number}))
    return warnings


def markdown(sentences: Sequence[AnswerSentence]) -> str:
    """Return the answer as Markdown: paragraphs of sentences, each followed by its [n] and by what to know of it."""
    paragraphs: dict[int, list[str]] = {}
    for sentence in sentences:
        marks = "".join(f" [{n}]" for n in sentence.citations) + (CONFLICTING if sentence.conflicting else "")
        lines = paragraphs.setdefault(sentence.paragraph, [])
        lines.append((sentence.block if not lines else "") + sentence.text + marks)
    return "\n\n".join(" ".join(lines) for lines in paragraphs.values())


def framing_line(framing: str) -> str:
    """The framing as a line of Markdown that says whose words it has; "" for none."""
    return f"**{FROM_EDITORS}** {framing}" if framing else ""


def plural(word: str, number: int) -> str:
    return word if number == 1 else word + "s"
