"""How often vague questions are asked back, and how often a clear one is taken for something else.

The sets were written by others than the rules, but their writer saw `golden` and the natural `dev.jsonl` while tuning.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.domain.metrics import Share
from chat.answering.domain.query.bad_input import bad_input
from chat.answering.domain.query.reply import ReadAs
from chat.answering.domain.query.small_talk import small_talk_of
from chat.answering.domain.query.vagueness import vague_question
from chat.answering.replies.corrections import corrected
from corpus.domain.scope import Scope
from corpus.domain.text.spoken_language import spoken_language
from evaluation.natural import read_half
from lectorium.management.json_lines import read_objects

SHOWN = 12  # mistakes listed, of each kind
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ConversationFigure:
    """One share, the set it is of, whether it should be high, and the questions that went wrong."""

    what: str
    of: str
    share: Share
    wrong: tuple[str, ...] = ()


def run_conversation(data: Path) -> list[ConversationFigure]:
    """Judge every rule over the sets in `data` and the natural questions; spelling over the imported corpus."""
    golden = read_objects(data / "golden" / "dev.jsonl", {"question": str})
    mtrag = read_objects(data / "qa" / "mtrag" / "mtrag_un.jsonl", {"conversation": list, "label": str})
    natural = [row for row in read_half("dev") if not row.get("history")]
    asked = {
        "golden, underspecified": _texts(golden, lambda row: row.get("category") == "underspecified"),
        "MTRAG, underspecified, first turn": _mtrag(mtrag, first=True),
        "MTRAG, underspecified, later turn asked alone": _mtrag(mtrag, first=False),
    }
    clear = {
        "natural dev, answerable": _texts(natural, lambda row: bool(row["answerable"])),
        "natural dev, not answerable": _texts(natural, lambda row: not row["answerable"]),
        "golden, all others without a thread": _texts(
            golden, lambda row: row.get("category") != "underspecified" and not row.get("history")
        ),
        "HotpotQA": _texts(read_objects(data / "qa" / "hotpotqa" / "dev.jsonl", {"question": str})),
        "ClapNQ": _texts(read_objects(data / "qa" / "clapnq" / "dev.jsonl", {"question": str})),
    }
    found = [_figure("asked back", name, texts, vague_question, wanted=True) for name, texts in asked.items()]
    found += [_figure("asked back though clear", name, texts, vague_question) for name, texts in clear.items()]
    english = [text for texts in clear.values() for text in texts]
    found += [
        _figure("taken for small talk", "all clear questions", english, small_talk_of),
        _figure("taken for bad input", "all clear questions", english, bad_input),
        _figure("taken for another language", "all clear questions", english, _is_foreign),
        *_spelling(natural),
    ]
    return found


def _spelling(natural: Sequence[Row]) -> list[ConversationFigure]:
    """Judge corrections over the lectures that are imported; the others' words are unknown here."""
    here = [row for row in natural if row["source"].startswith("sample")]
    typos = [row["question"] for row in here if row["kind"] == "typo"]
    others = [row["question"] for row in here if row["kind"] != "typo"]
    read = {text: corrected(text, Scope()) for text in typos + others}
    return [
        ConversationFigure(
            "corrected in part or whole", "natural dev over the sample lectures, kind typo",
            Share.of(read[text] is not None for text in typos),
            tuple(_change(text, read[text]) for text in typos),
        ),
        ConversationFigure(
            "corrected", "natural dev over the sample lectures, other kinds",
            Share.of(read[text] is not None for text in others),
            tuple(_change(text, read[text]) for text in others if read[text]),
        ),
    ]  # fmt: skip


def _change(text: str, read: ReadAs | None) -> str:
    return f"{text} → {read.text}" if read else f"{text} → as typed"


def _figure(
    what: str, of: str, texts: Sequence[str], rule: Callable[[str], object], *, wanted: bool = False
) -> ConversationFigure:
    hits = [bool(rule(text)) for text in texts]
    wrong = tuple(text for text, hit in zip(texts, hits, strict=True) if hit is not wanted)
    return ConversationFigure(what, of, Share.of(hits), wrong)


def _is_foreign(text: str) -> bool:
    return spoken_language(text) not in ("", "en")


def _texts(rows: Iterable[Row], chosen: Callable[[Row], bool] = lambda row: True) -> list[str]:
    return [row["question"] for row in rows if chosen(row)]


def _mtrag(rows: Iterable[Row], *, first: bool) -> list[str]:
    vague = (row["conversation"] for row in rows if row["label"] == "UNDERSPECIFIED")
    return [turns[-1]["text"] for turns in vague if (len(turns) == 1) is first]


def conversation_section(found: Sequence[ConversationFigure], corpus: str) -> str:
    """Return the page docs/results/conversation.md."""
    lines = [
        "## Conversation",
        "",
        "What is asked back, and what is wrongly taken for something else. The rules look at the grammar of a "
        "question; no model is asked. Other authors wrote the sets. While tuning, the rules' writer saw golden's vague "
        "questions and the natural ones of `dev.jsonl`, so their figures flatter; MTRAG's were seen and hardly tuned "
        "for. Most of MTRAG's are vague only in a corpus with many clinics or parks, which grammar cannot tell; those "
        "asked within a conversation are judged as if asked alone. Shares with 95 % Wilson intervals. "
        f"Corrections are judged over {corpus}. Read by: `manage.py evaluate conversation`.",
        "",
        "| | set | share |",
        "|---|---|---|",
        *(f"| {figure.what} | {figure.of} | {figure.share} |" for figure in found),
    ]
    for figure in found:
        if figure.wrong:
            lines += ["", f"**{figure.what}**, {figure.of}: {_listed(figure)}", ""]
            lines += [f"- {text}" for text in figure.wrong[:SHOWN]]
    return "\n".join(lines) + "\n"


def _listed(figure: ConversationFigure) -> str:
    if "correct" in figure.what:
        return "what was typed, and what was searched."
    kind = "not asked back" if figure.what == "asked back" else figure.what
    return f"{len(figure.wrong)} {kind}" + (f", the first {SHOWN}." if len(figure.wrong) > SHOWN else ".")
