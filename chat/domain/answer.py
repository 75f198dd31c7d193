"""What a reader is shown: sentences, the citations under them, and the counts that say what was checked."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

INTERNAL = ("chunk_id", "chunk_hash", "char_start", "char_end")


@dataclass(frozen=True, slots=True)
class Cited:
    """A numbered quote with where to find, play and re-check it. `start` and `end` are seconds, or None."""

    n: int
    kind: str
    address: str
    title: str
    speaker: str
    date: str
    place: str
    quote: str
    start: float | None
    end: float | None
    url: str
    media: str | None
    verdict: str
    language: str
    chunk_id: UUID
    chunk_hash: str
    char_start: int
    char_end: int

    def public(self) -> dict[str, Any]:
        """Return the citation as every interface gives it."""
        return {key: value for key, value in asdict(self).items() if key not in INTERNAL}


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing a sentence says, its verdict, and the evidence that decided it."""

    text: str
    verdict: str
    support: float
    evidence_span: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence a reader sees. `quoted` marks a verbatim one; `paragraph` groups sentences.

    block: the Markdown that begins its paragraph ("## ", "- ", "2. ", "> "), "" in an ordinary one.
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


@dataclass(frozen=True, slots=True)
class Withheld:
    """A sentence kept from the reader, and why."""

    reason: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the reader should know about the answer; `type` is one of the pipeline's warning types."""

    type: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)


def stale_index(citations: Sequence[Cited], current: Mapping[UUID, str]) -> list[Warned]:
    """Return a warning where cited text is not what its source says now; `current` maps chunk ids to content hashes."""
    changed = [cited for cited in citations if current.get(cited.chunk_id) != cited.chunk_hash]
    if not changed:
        return []
    numbers = ", ".join(f"[{cited.n}]" for cited in changed)
    message = f"The source of {numbers} was changed or withdrawn after it was read for this answer."
    return [Warned("STALE_INDEX", message, {"addresses": [cited.address for cited in changed]})]


def markdown(sentences: Sequence[Shown]) -> str:
    """Return the answer as Markdown: paragraphs of sentences, each followed by its [n]."""
    paragraphs: dict[int, list[str]] = {}
    for sentence in sentences:
        marks = "".join(f" [{n}]" for n in sentence.citations)
        lines = paragraphs.setdefault(sentence.paragraph, [])
        lines.append((sentence.block if not lines else "") + sentence.text + marks)
    return "\n\n".join(" ".join(lines) for lines in paragraphs.values())


def validation(sentences: Sequence[Shown], withheld: Sequence[Withheld], citations: Sequence[Cited]) -> dict[str, Any]:
    """Return the counts a reader, the API and the audit table all show (shared/design/pipeline.md, stage 6)."""
    claims = [claim for sentence in sentences if sentence.kind == "factual" for claim in sentence.claims]
    count = {
        verdict: sum(claim.verdict == verdict for claim in claims)
        for verdict in ("supported", "partial", "inferred", "unsupported", "contradicted")
    }
    scored = len(claims) - count["inferred"]
    verified = sum(cited.verdict == "supported" for cited in citations)
    weakest = min((claim.support for claim in claims), default=0.0)
    return {
        "sources_verified": verified,
        "sources_total": len(citations),
        **{f"claims_{verdict}": number for verdict, number in count.items()},
        "claims_total": len(claims),
        "miscited": 0,
        "uncited": sum(not sentence.citations for sentence in sentences if sentence.kind == "factual"),
        "removed": len(withheld),
        "terms_verified": 0,
        "terms_total": 0,
        "faithfulness": round(count["supported"] / scored, 4) if scored else 1.0,
        "confidence": round(weakest * (verified / len(citations) if citations else 1.0), 4),
    }


def summary(sentences: Sequence[Shown], counts: Mapping[str, Any]) -> str:
    """Return the counts in words, e.g. "3 quotations from 2 sources" or "6 claims · 5 verified · …"."""
    if sentences and all(sentence.quoted for sentence in sentences):
        number, sources = len(sentences), counts["sources_total"]
        return f"{number} {_plural('sentence', number)} quoted from {sources} {_plural('place', sources)}"
    parts = (
        f"{counts['claims_total']} {_plural('claim', counts['claims_total'])}",
        f"{counts['claims_supported']} verified",
        f"{counts['claims_partial']} partly",
        f"{counts['miscited']} miscited",
        f"{counts['uncited']} uncited",
        f"{counts['removed']} removed",
    )
    return " · ".join(parts)


def _plural(word: str, number: int) -> str:
    return word if number == 1 else word + "s"
