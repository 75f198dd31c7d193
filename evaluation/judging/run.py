"""Runs a blind comparison: answers from both sides, the judge's verdicts, the swapped and the repeated askings."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from audit.domain.judging import CRITERIA, Choice, PairVerdict, Round, Winner, first_side, other
from evaluation.judging.model_judge import JudgeDown
from evaluation.judging.sides import AnswerSide, SideAnswer, answers_of
from lectorium.asking import History

SWAPPED_SHARE, REPEATED_SHARE = 0.5, 0.25  # of the pairs, by a hash of the question
Answers = Callable[[Sequence[AnswerSide], str, History], Awaitable[list[SideAnswer]]]
Relevancy = Callable[[str, SideAnswer], Awaitable[float | None]]


class AnswerJudge(Protocol):
    """model: the chat model that judges, or "". choose: the better answer by criterion, {} for no verdict."""

    name: str
    model: str

    async def choose(
        self, question: str, first: SideAnswer, second: SideAnswer, key_facts: Sequence[str]
    ) -> dict[str, Choice]: ...


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """key_facts: sentences of the sources that answer; empty where nothing does."""

    id: str
    text: str
    key_facts: tuple[str, ...] = ()
    history: History = ()


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """A question with both answers, the verdicts on them, and the relevancy of each, None where it has none."""

    question: JudgedQuestion
    answers: tuple[SideAnswer, SideAnswer]
    verdicts: tuple[PairVerdict, ...]
    relevancy: tuple[float | None, float | None]


@dataclass(slots=True)
class Comparison:
    """pairs: those judged. stopped: why the run ended early, or ""."""

    pairs: list[ComparedPair]
    stopped: str = ""

    @property
    def verdicts(self) -> list[PairVerdict]:
        return [verdict for pair in self.pairs for verdict in pair.verdicts]


async def compare_sides(
    questions: Sequence[JudgedQuestion],
    sides: tuple[AnswerSide, AnswerSide],
    judge: AnswerJudge,
    *,
    relevancy: Relevancy,
    on_each: Callable[[], object],
    answers: Answers = answers_of,
) -> Comparison:
    """Judge every question. A judge that is down ends the run with what it has. Raises SameModel."""
    done = Comparison([])
    for question in questions:
        one, two = await answers(sides, question.text, question.history)
        try:
            verdicts = await _verdicts(question, one, two, judge)
        except JudgeDown as error:
            done.stopped = str(error)
            return done
        measured = [await relevancy(question.text, answer) for answer in (one, two)]
        done.pairs.append(ComparedPair(question, (one, two), verdicts, (measured[0], measured[1])))
        on_each()
    return done


async def _verdicts(
    question: JudgedQuestion, one: SideAnswer, two: SideAnswer, judge: AnswerJudge
) -> tuple[PairVerdict, ...]:
    first = first_side(question.text)
    if one.text == two.text:  # equal answers need no judge
        return (PairVerdict(question.text, Round.PLAIN, first, dict.fromkeys(CRITERIA, Choice.TIE)),)
    rounds = [Round.PLAIN]
    rounds += [Round.SWAPPED] if _is_drawn(question.text, "swapped", SWAPPED_SHARE) else []
    rounds += [Round.REPEATED] if _is_drawn(question.text, "repeated", REPEATED_SHARE) else []
    found = []
    for kind in rounds:
        shown = other(first) if kind is Round.SWAPPED else first
        pair = (one, two) if shown is Winner.A else (two, one)
        found.append(
            PairVerdict(question.text, kind, shown, await judge.choose(question.text, *pair, question.key_facts))
        )
    return tuple(found)


def _is_drawn(question: str, what: str, share: float) -> bool:
    return int(hashlib.sha256(f"{what}:{question}".encode()).hexdigest(), 16) % 1000 < 1000 * share


def pair_as_dict(pair: ComparedPair) -> dict[str, Any]:
    """A pair for the stored run."""
    plain = pair.verdicts[0]
    winners: Mapping[str, str] = {name: str(plain.winner(name) or "") for name in CRITERIA}
    return {
        "id": pair.question.id,
        "question": pair.question.text,
        "a": pair.answers[0].text,
        "b": pair.answers[1].text,
        "winners": winners,
        "relevancy": pair.relevancy,
    }
