"""Questions in readers' own words, and how well the product answers them. README.md names their authors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.domain.metrics import Share
from audit.domain.outcomes import ANSWERED
from chat.answering.domain.refusals import LIKELY
from evaluation.golden import CLOSEST
from lectorium.asking import ask
from lectorium.management.json_lines import read_objects

HALVES = ("dev", "unseen")
LANGUAGES = ("languages_dev", "languages")  # questions in German, Spanish and Hindi
# Each written after parts of the one before had been read, from the eighth author on in two halves. Whether the gate is
# fitted on it, as on `dev`: the others are read by nobody who tunes.
LATER = {
    "fresh": True,
    "latest": True,
    "newest": True,
    "eighth_dev": True,
    "eighth": True,
    "ninth_dev": True,
    "ninth": False,
    "tenth_dev": True,
    "tenth": False,
    "eleventh_dev": True,
    "eleventh": False,
    "twelfth_dev": True,
    "twelfth": False,
}
FITTED = ("dev", *(name for name, fitted in LATER.items() if fitted))
REPORT_ONLY = tuple(name for name, fitted in LATER.items() if not fitted)
LECTURES = {"samples": False, "real": True}  # which lectures questions are about, and whether these are real ones
BARS = tuple(tenth / 10 for tenth in range(9, -1, -1))
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NaturalResult:
    """The answer to one question.

    contains: it shows all answering sentences, or one that suffices alone. leads: its first sentence, or the leading
    sentence of its first clip, is one of those. words: its length. chance: the gate's, 0..1, that it answers. likely: a
    closest passage that is said to answer probably. disputed: its sources are said to disagree. followed: it was asked
    after other questions. pair: shared with the question of the same form that has an answer where this one has none;
    "" without one.
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
    likely: bool = False
    disputed: bool = False
    followed: bool = False
    pair: str = ""

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
        likely=response["message"] == LIKELY,
        disputed=any(warning["type"] == "CONFLICTING_SOURCES" for warning in response["warnings"]),
        followed=bool(row.get("history")),
        pair=f"{row['id'][0]}{row['pair']}" if "pair" in row else "",  # authors number their own
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
            "unanswerable, a closest passage said to answer probably": Share.of(answer.likely for answer in no),
            "unanswerable, sources said to disagree": Share.of(answer.disputed for answer in no),
        }
    if likely := [answer.contains for answer in found if answer.likely]:
        by_name["closest passages said to answer probably that do"] = Share.of(likely)
    if told_apart := pairs_told_apart(found):
        by_name["pairs whose answerable question is the likelier"] = Share.of(told_apart)
    return by_name


def pairs_told_apart(found: Sequence[NaturalResult]) -> list[bool]:
    """For each pair of questions of one form: is the gate surer of the one that has an answer?"""
    chances: dict[str, dict[bool, float]] = {answer.pair: {} for answer in found if answer.pair}
    for answer in found:
        if answer.pair:
            chances[answer.pair][answer.answerable] = answer.chance
    return [pair[True] > pair[False] for pair in chances.values() if len(pair) == 2]


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


def _plain(text: str) -> str:
    return " ".join(text.split())
