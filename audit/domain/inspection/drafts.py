"""What a model wrote and how each sentence was checked, from a turn's trace."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit.domain.inspection.words import DROPS, GUARDS, REMOVALS, VERDICTS, in_words

Trace = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ProofPlace:
    """Where the evidence of a sentence stands: a span of characters in a chunk."""

    note: int
    chunk: str
    address: str
    span: tuple[int, int]
    support: float


@dataclass(frozen=True, slots=True)
class DraftedSentence:
    """verdict: its name, for a colour. removed: why it was left out, in words, or "". facts: what else was checked."""

    text: str
    verdict: str
    verdict_words: str
    support: float
    removed: str
    proofs: tuple[ProofPlace, ...]
    objections: tuple[str, ...]
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftView:
    title: str
    facts: tuple[str, ...]
    sentences: tuple[DraftedSentence, ...]
    dropped: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class OutlineView:
    theses: tuple[tuple[str, str], ...]
    said: str


def drafts_of(trace: Trace) -> list[DraftView]:
    return [_draft(number, draft) for number, draft in enumerate(trace.get("writing") or (), 1)]


def outline_of(trace: Trace) -> OutlineView | None:
    outline = trace.get("outline")
    if not outline:
        return None
    decided = outline.get("decided")
    said = {None: "", True: "The evidence was thin, and the outline decided to answer.",
            False: "The evidence was thin, and the outline decided to refuse."}[decided]  # fmt: skip
    theses = ((thesis.get("text") or "as ranked", _numbers(thesis.get("notes", ()))) for thesis in outline["theses"])
    return OutlineView(tuple(theses), " ".join(filter(None, (outline.get("fault", ""), said))))


def _draft(number: int, draft: Trace) -> DraftView:
    model = (draft.get("served") or {}).get("model", "")
    if draft.get("outside"):
        return DraftView(f"Draft {number}: general knowledge", (model, "not checked against the sources"), (), ())
    facts = {
        "written by": model,
        "checked by": draft.get("verifier", ""),
        "risk": draft.get("risk", ""),
        "ended by": in_words({}, draft.get("fault")),
    }
    ended = ("the model said that the notes do not answer",) if draft.get("abstained") else ()
    return DraftView(
        title=f"{'Repair' if draft.get('repairs') else 'Draft'} {number}",
        facts=(*(f"{name} {value}" for name, value in facts.items() if value), *ended),
        sentences=tuple(map(_sentence, draft.get("sentences", ()))),
        dropped=tuple((in_words(DROPS, row.get("reason")), row.get("text", "")) for row in draft.get("dropped", ())),
    )


def _sentence(row: Trace) -> DraftedSentence:
    verdict = str(row.get("verdict", ""))
    return DraftedSentence(
        text=str(row.get("text", "")),
        verdict=verdict,
        verdict_words=in_words(VERDICTS, verdict),
        support=float(row.get("support") or 0.0),
        removed=in_words(REMOVALS, row["withheld"]) if row.get("withheld") else "",
        proofs=tuple(map(_proof, row.get("proofs") or ())),
        objections=tuple(map(_objection, row.get("objections") or ())),
        facts=tuple(_sentence_facts(row)),
    )


def _proof(row: Trace) -> ProofPlace:
    start, end = row["span"]
    return ProofPlace(row["note"], str(row.get("chunk", "")), row.get("address", ""), (start, end),
                      float(row.get("support") or 0.0))  # fmt: skip


def _objection(row: Trace) -> str:
    about = f" ({row['about']})" if row.get("about") else ""
    return f"{in_words(GUARDS, row.get('guard'))}: {in_words({}, row.get('reason'))}{about}"


def _sentence_facts(row: Trace) -> Iterator[str]:
    if row.get("cited"):
        yield f"cites {_numbers(row['cited'])}"
    if row.get("inherited"):
        yield f"cited after it: {_numbers(row['inherited'])}"
    if moved := row.get("moved"):
        yield f"citation moved from {_numbers(moved['from']) or 'none'} to {_numbers(moved['to'])}"
    if missing := [term["text"] for term in row.get("terms") or () if not term.get("held")]:
        yield f"not in the evidence: {', '.join(missing)}"


def _numbers(numbers: Sequence[int]) -> str:
    return " ".join(f"[{number}]" for number in numbers)
