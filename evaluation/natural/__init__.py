"""Questions in readers' own words, and how well the product answers them. README.md names their authors."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from audit.domain.metrics import Share
from audit.domain.outcomes import ANSWERED
from evaluation.golden import CLOSEST
from lectorium.asking import ask
from lectorium.management.json_lines import read_objects
from lectorium.report_table import table

HALVES = ("dev", "unseen")
LANGUAGES = ("languages_dev", "languages")  # questions in German, Spanish and Hindi
# Each written after parts of the one before had been read; from the eighth author on in two halves.
LATER = (
    "fresh",
    "latest",
    "newest",
    "eighth_dev",
    "eighth",
    "ninth_dev",
    "ninth",
    "tenth_dev",
    "tenth",
    "eleventh_dev",
    "eleventh",
    "twelfth_dev",
    "twelfth",
)
REPORT_ONLY = ("ninth", "tenth", "eleventh", "twelfth")  # read by nobody who tunes
# The gate is fitted on these, and on no others.
FITTED = (
    "dev",
    "fresh",
    "latest",
    "newest",
    "eighth_dev",
    "eighth",
    "ninth_dev",
    "tenth_dev",
    "eleventh_dev",
    "twelfth_dev",
)
LECTURES = {"samples": False, "real": True}  # which lectures questions are about, and whether these are real ones
GOALS = {
    "answer contains the answering sentences": "0.75",
    "answer or closest passage contains them": "0.90",
    "follow-ups, the same": "0.75",
    "shown with a lead that answers": "0.60",
    "unanswerable answered": "0.04",
    "words shown, median": "90",
}
BARS = tuple(tenth / 10 for tenth in range(9, -1, -1))
NATURAL_HEAD = """## Natural questions

Questions in readers' own words by authors who know the lectures and not the rules
([the sets](../../evaluation/natural/README.md)). Regenerate a part, with the names in its title:
`manage.py evaluate natural --half report --of samples`, and `--of real` over a stack that holds the real lectures too.
Nothing was fitted on the sets of `report`, and nobody who tunes has read them.
"""
TRADE_OFF = ("chance", "answerable shown the answer", "all shown something else")
CURVE_LABELS = "all questions shown something else", "answerable ones shown the answer"
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NaturalResult:
    """The answer to one question.

    contains: it shows all answering sentences, or one that suffices alone. leads: its first sentence, or the leading
    sentence of its first clip, is one of those. words: its length. chance: the gate's, 0..1, that it answers. disputed:
    its sources are said to disagree. followed: it was asked after other questions. pair: shared with the question of
    the same form that has an answer where this one has none; 0 without one.
    """

    id: str
    kind: str
    real: bool
    answerable: bool
    outcome: str
    contains: bool
    leads: bool
    words: int
    chance: float
    disputed: bool = False
    followed: bool = False
    pair: int = 0

    @property
    def answered(self) -> bool:
        return self.outcome in ANSWERED

    @property
    def closest(self) -> bool:
        return self.outcome == CLOSEST


def read_half(half: str, lectures: str = "all") -> list[dict[str, Any]]:
    """The questions of one file: a half, or one of LATER or LANGUAGES; about these LECTURES, or about all."""
    shape = {"id": str, "question": str, "answerable": object}
    rows = read_objects(Path(__file__).with_name(f"{half}.jsonl"), shape)
    return [row for row in rows if lectures == "all" or row["source"].startswith("real") is LECTURES[lectures]]


def history_of(row: Row) -> tuple[tuple[str, str], ...]:
    """Earlier turns as (role, content), oldest first; some authors wrote their questions alone."""
    turns = row.get("history") or []
    sides = ((("user", turn["question"]), ("assistant", turn.get("answer", ""))) for turn in turns)
    return tuple(side for asked_and_told in sides for side in asked_and_told if side[1])


def asked_before(row: Row) -> tuple[str, ...]:
    """The questions of the earlier turns, oldest first."""
    return tuple(turn["question"] for turn in row.get("history") or [])


def score_response(row: Row, response: Mapping[str, Any]) -> NaturalResult:
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
            _plain(lead["text"]) in text or text in _plain(lead["text"]) for lead in leads for text in wanted + also
        ),
        words=len(shown.split()),
        chance=response["confidence"],
        disputed=any(warning["type"] == "CONFLICTING_SOURCES" for warning in response["warnings"]),
        followed=bool(row.get("history")),
        pair=row.get("pair", 0),
    )


async def run_natural(
    rows: Sequence[Row], mode: str, on_each: Callable[[], object], *, as_text: bool = False
) -> list[NaturalResult]:
    """Ask every question in one mode; the earlier turns of a follow-up are asked before it, as a reader does.

    as_text: give their questions and the author's answers as text instead, as a program does.
    """
    found = []
    for row in rows:
        locale = row.get("language", "en")
        thread = {"history": history_of(row)} if as_text else {"asked_before": asked_before(row)}
        response = await ask(row["question"], mode=mode, locale=locale, **thread)
        found.append(score_response(row, response))
        on_each()
    return found


def shares(found: Sequence[NaturalResult]) -> dict[str, Share]:
    """The shares that apply to these answers: some need answerable questions, others follow-ups or pairs."""
    yes = [answer for answer in found if answer.answerable]
    no = [answer for answer in found if not answer.answerable]
    followed = [answer for answer in yes if answer.followed]
    by_name: dict[str, Share] = {}
    if yes:
        by_name |= {
            "answered": Share.of(answer.answered for answer in yes),
            "answer contains the answering sentences": Share.of(answer.answered and answer.contains for answer in yes),
            "answer or closest passage contains them": Share.of(answer.contains for answer in yes),
            "shown with a lead that answers": Share.of(answer.leads for answer in yes),
            "refused though answerable": Share.of(not answer.answered and not answer.closest for answer in yes),
            "answerable, sources said to disagree": Share.of(answer.disputed for answer in yes),
        }
    if followed:
        by_name["follow-ups, the same"] = Share.of(answer.contains for answer in followed)
    if no:
        by_name |= {
            "unanswerable answered": Share.of(answer.answered for answer in no),
            "unanswerable met by a closest passage": Share.of(answer.closest for answer in no),
            "unanswerable, sources said to disagree": Share.of(answer.disputed for answer in no),
        }
    if told_apart := pairs_told_apart(found):
        by_name["pairs whose answerable question is the likelier"] = Share.of(told_apart)
    return by_name


def pairs_told_apart(found: Sequence[NaturalResult]) -> list[bool]:
    """For each pair of questions of one form: is the gate surer of the one that has an answer?"""
    chances: dict[int, dict[bool, float]] = {answer.pair: {} for answer in found if answer.pair}
    for answer in found:
        if answer.pair:
            chances[answer.pair][answer.answerable] = answer.chance
    return [pair[True] > pair[False] for pair in chances.values() if len(pair) == 2]


def natural_part(found: Mapping[str, Sequence[NaturalResult]], mode: str, corpus: str, curve: str) -> list[str]:
    """Lines of a part of docs/results/natural.md. found: the answers of each half. curve: the name of its picture."""
    together = [answer for answers in found.values() for answer in answers]
    groups = {**found, **({"together": together} if len(found) > 1 else {})}
    names = shares(together)
    rows: list[tuple[object, ...]] = [
        (name, *(shares(own).get(name, "–") for own in groups.values()), GOALS.get(name, "–")) for name in names
    ]
    words = "words shown, median"
    rows.append((words, *map(_median_words, groups.values()), GOALS[words]))
    kinds = ("kind", "answered", "closest passage", "contains the answer", "of")
    return [
        f"{len(together)} questions, {mode} mode, over {corpus}. Shares with 95 % Wilson intervals.",
        "",
        *table(("", *groups, "goal"), rows),
        "By kind:",
        "",
        *table(kinds, _by_kind(together), right=kinds[1:]),
        f"By the least chance at which anything is shown ([curve]({curve}.svg)):",
        "",
        *table(TRADE_OFF, _trade_off(together), right=TRADE_OFF),
    ]


def useful_against_wrong(answers: Sequence[NaturalResult]) -> list[tuple[float, float, float]]:
    """(bar, wrong, useful) for each bar of the gate's chance, the highest first: nothing below it is shown.

    wrong: share of all questions that are shown something without an answer. useful: share of the answerable ones that
    are shown the answer.
    """
    found = []
    for bar in BARS:
        shown = [answer for answer in answers if answer.words and answer.chance >= bar]
        wrong = sum(not answer.contains for answer in shown) / len(answers)
        useful = sum(answer.contains for answer in shown) / max(1, sum(answer.answerable for answer in answers))
        found.append((bar, wrong, useful))
    return found


def _trade_off(answers: Sequence[NaturalResult]) -> Iterable[tuple[object, ...]]:
    return ((f"{bar:.1f}", f"{useful:.2f}", f"{wrong:.2f}") for bar, wrong, useful in useful_against_wrong(answers))


def _by_kind(answers: Sequence[NaturalResult]) -> Iterable[tuple[object, ...]]:
    for kind, number in Counter(answer.kind for answer in answers).most_common():
        own = [answer for answer in answers if answer.kind == kind]
        yield (
            kind.replace("_", " "),
            sum(answer.answered for answer in own),
            sum(answer.closest for answer in own),
            sum(answer.contains for answer in own),
            number,
        )


def _median_words(answers: Sequence[NaturalResult]) -> int:
    shown = [answer.words for answer in answers if answer.words]
    return round(median(shown)) if shown else 0


def _plain(text: str) -> str:
    return " ".join(text.split())
