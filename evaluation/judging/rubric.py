"""A judge without a chat model: a verifier for faithfulness, key facts for completeness, counts for the rest.

It sees the answers without their sides, as a model does.
"""

import re
from collections.abc import Sequence

from audit.domain.judging import CRITERIA, Choice
from corpus.domain.text.folding import fold
from corpus.domain.text.stopwords import STOPWORDS
from evaluation.judging.sides import SideAnswer
from lectorium.providers.protocols import Verifier
from lectorium.threads import in_thread

MARGIN = 0.05  # a smaller difference is a tie
HELD = 0.6  # share of a key fact's content words that the answer must have
SOURCES_ENOUGH = 3
_WORD = re.compile(r"\w+")


class RubricJudge:
    """Compares scores of 0..1; a difference below MARGIN is a tie."""

    def __init__(self, verifier: Verifier) -> None:
        self.name, self.model = f"rubric with {verifier.name}", ""
        self._verifier = verifier

    async def choose(
        self, question: str, first: SideAnswer, second: SideAnswer, key_facts: Sequence[str]
    ) -> dict[str, Choice]:
        """The better answer by criterion."""
        one, two = [await in_thread(self.scores, answer, key_facts) for answer in (first, second)]
        return {criterion: _better(one[criterion], two[criterion]) for criterion in CRITERIA}

    def scores(self, answer: SideAnswer, key_facts: Sequence[str]) -> dict[str, float]:
        """The score, 0..1, of an answer by criterion; without key facts all answers are equally complete."""
        return {
            "faithfulness": self._faithfulness(answer),
            "completeness": _completeness(answer.text, key_facts),
            "structure": _structure(answer),
            "balance": _balance(answer),
        }

    def _faithfulness(self, answer: SideAnswer) -> float:
        """The mean support of the sentences by what they cite; a sentence that cites nothing has none."""
        if not answer.sentences:
            return 1.0
        cited = [(evidence, text) for text, evidence in answer.sentences if evidence]
        support = sum(judgement.support for judgement in self._verifier.verify(cited)) if cited else 0.0
        return support / len(answer.sentences)


def _better(first: float, second: float) -> Choice:
    if abs(first - second) < MARGIN:
        return Choice.TIE
    return Choice.FIRST if first > second else Choice.SECOND


def _completeness(text: str, key_facts: Sequence[str]) -> float:
    said = _content(text)
    found = [len(_content(fact) & said) >= HELD * len(_content(fact)) for fact in key_facts]
    return sum(found) / len(found) if found else 1.0


def _structure(answer: SideAnswer) -> float:
    """The share of sentences that are neither repeated nor without a source; 1 for a message."""
    texts = [" ".join(text.casefold().split()) for text, _ in answer.sentences]
    sound = sum(bool(evidence) for text, evidence in dict(answer.sentences).items())
    return min(sound, len(set(texts))) / len(texts) if texts else 1.0


def _balance(answer: SideAnswer) -> float:
    """Of the sources there are, up to three, the share that the answer draws on."""
    there = min(SOURCES_ENOUGH, len(answer.sources))
    used = len({evidence for _, evidence in answer.sentences if evidence})
    return min(1.0, used / there) if there and answer.sentences else 1.0


def _content(text: str) -> set[str]:
    return set(_WORD.findall(fold(text))) - STOPWORDS
