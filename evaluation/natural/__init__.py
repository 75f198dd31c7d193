"""Questions in a reader's own words, and how well the product serves them. README.md says who wrote them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from audit.domain.metrics import Share
from lectorium.asking import ask
from lectorium.management.json_lines import read_objects

HALVES = ("dev", "unseen")
ANSWERED = frozenset({"grounded", "partially_grounded"})
CLOSEST = "closest_passage"
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NaturalResult:
    """What a reader got for one question.

    contains: all answering sentences, or one that answers by itself, were shown. leads: the first sentence shown, or
    the first clip's lead, is one of them. words: shown in the answer.
    """

    id: str
    kind: str
    real: bool
    answerable: bool
    outcome: str
    contains: bool
    leads: bool
    words: int

    @property
    def answered(self) -> bool:
        return self.outcome in ANSWERED

    @property
    def closest(self) -> bool:
        return self.outcome == CLOSEST


def read_half(half: str) -> list[dict[str, Any]]:
    """Return the questions of one half, "dev" or "unseen"."""
    return read_objects(Path(__file__).with_name(f"{half}.jsonl"), {"id": str, "question": str, "answerable": object})


def history_of(row: Row) -> tuple[tuple[str, str], ...]:
    """Return the earlier turns as (role, content), oldest first."""
    turns = row.get("history") or []
    return tuple(side for turn in turns for side in (("user", turn["question"]), ("assistant", turn["answer"])))


def served(row: Row, response: Mapping[str, Any]) -> NaturalResult:
    """Score one response."""
    sentences = response["sentences"]
    shown = _plain(" ".join(sentence["text"] for sentence in sentences))
    wanted = [_plain(text) for text in row.get("answers") or []]
    also = [_plain(text) for text in row.get("also") or []]
    leads = [sentences[0], *(sentence for sentence in sentences if sentence.get("lead"))][:2] if sentences else []
    return NaturalResult(
        id=row["id"],
        kind=row["kind"],
        real=row["source"].startswith("real"),
        answerable=bool(row["answerable"]),
        outcome=response["outcome"],
        contains=bool(wanted) and (all(text in shown for text in wanted) or any(text in shown for text in also)),
        leads=any(
            _plain(one["text"]) in text or text in _plain(one["text"]) for one in leads for text in wanted + also
        ),
        words=len(shown.split()),
    )


async def run_natural(rows: Sequence[Row], mode: str, on_each: Callable[[], object]) -> list[NaturalResult]:
    """Ask every question in one mode."""
    found = []
    for row in rows:
        found.append(served(row, await ask(row["question"], mode=mode, history=history_of(row))))
        on_each()
    return found


def shares(found: Sequence[NaturalResult]) -> dict[str, Share]:
    """Return the shares a set of answers comes down to; a kind of question that is missing gives no share."""
    yes = [one for one in found if one.answerable]
    no = [one for one in found if not one.answerable]
    told: dict[str, Share] = {}
    if yes:
        told |= {
            "answered": Share.of(one.answered for one in yes),
            "answer contains the answering sentences": Share.of(one.answered and one.contains for one in yes),
            "answer or closest passage contains them": Share.of(one.contains for one in yes),
            "shown with a lead that answers": Share.of(one.leads for one in yes),
            "refused though answerable": Share.of(not one.answered and not one.closest for one in yes),
        }
    if no:
        told |= {
            "unanswerable answered": Share.of(one.answered for one in no),
            "unanswerable met by a closest passage": Share.of(one.closest for one in no),
        }
    return told


def natural_section(found: Mapping[str, Sequence[NaturalResult]], mode: str, corpus: str) -> str:
    """Return the page docs/results/natural.md; `found` maps the half to its answers."""
    names = list(dict.fromkeys(name for half in found.values() for name in shares(half)))
    columns = [(half, which, [one for one in all_ if one.real is real]) for half, all_ in found.items()
               for which, real in (("sample lectures", False), ("real lectures", True))]  # fmt: skip
    lines = [
        f"## Natural questions, {mode} mode",
        "",
        "Questions in a reader's own words by authors who know the lectures and not the rules (evaluation/natural), "
        f"asked of {corpus}. `dev` fitted the bars, `unseen` is other authors and other lectures. Shares with 95 % "
        "Wilson intervals. Read by: `manage.py evaluate natural`.",
        "",
        "| | " + " | ".join(f"{half}, {which}" for half, which, _ in columns) + " |",
        "|---|" + "---|" * len(columns),
    ]
    for name in names:
        lines.append(f"| {name} | " + " | ".join(str(shares(own).get(name, "–")) for _, _, own in columns) + " |")
    lines.append("| words shown, median | " + " | ".join(str(_median_words(own)) for _, _, own in columns) + " |")
    for half, answers in found.items():
        lines += [
            "",
            f"By kind, {half}:",
            "",
            "| kind | answered | closest passage | contains the answer | of |",
            "|---|---:|---:|---:|---:|",
        ]
        lines += _by_kind(answers)
    return "\n".join(lines) + "\n"


def _by_kind(answers: Sequence[NaturalResult]) -> Iterable[str]:
    for kind, number in Counter(answer.kind for answer in answers).most_common():
        own = [answer for answer in answers if answer.kind == kind]
        counts = [
            sum(answer.answered for answer in own),
            sum(answer.closest for answer in own),
            sum(answer.contains for answer in own),
        ]
        yield f"| {kind.replace('_', ' ')} | {' | '.join(map(str, counts))} | {number} |"


def _median_words(answers: Sequence[NaturalResult]) -> int:
    shown = [answer.words for answer in answers if answer.words]
    return round(median(shown)) if shown else 0


def _plain(text: str) -> str:
    return " ".join(text.split())
