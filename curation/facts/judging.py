"""Judges suspect pairs: by their words, by a `consistency` model where one is configured, else by the verifier."""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from curation.domain.facts.consistency import (
    RULES,
    ConsistencyRules,
    FactJudgement,
    PairReading,
    StoredFact,
    judge_by_reading,
    judge_by_words,
)
from curation.domain.facts.model_verdict import parse_verdict
from lectorium.ladder import calling
from lectorium.ladder.call_run import CallRun
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.ladder.selectors import has_model
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Verifier
from lectorium.providers.registry import verifier

log = logging.getLogger(__name__)
JOB = "consistency"
SECONDS = 30.0  # for a pair, over all rungs
Pair = tuple[StoredFact, StoredFact]
UNREAD = FactJudgement("distinct", "no verifier could be asked")


@dataclass(frozen=True, slots=True)
class NamedJudgement:
    """A judgement and who gave it."""

    judgement: FactJudgement
    judge: str = "rules"


class PairJudge:
    """`read` counts the pairs that a verifier or model read."""

    def __init__(self, rules: ConsistencyRules = RULES, reader: Verifier | None = None) -> None:
        self.read, self._rules, self._reader = 0, rules, reader
        self._calls = CallRun(JOB, SECONDS)
        self._asks_model = has_model(JOB)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._calls.__exit__(*error)

    def judge(self, pairs: Sequence[Pair]) -> list[NamedJudgement]:
        """One judgement a pair, in order."""
        by_words = [judge_by_words(*pair, self._rules) for pair in pairs]
        open_pairs = [pair for pair, found in zip(pairs, by_words, strict=True) if found is None]
        self.read += len(open_pairs)
        read = iter(self._read(open_pairs))
        return [NamedJudgement(found) if found else next(read) for found in by_words]

    def _read(self, pairs: Sequence[Pair]) -> list[NamedJudgement]:
        asked = self._calls.run(self._ask_all(pairs)) if self._asks_model and pairs else [None] * len(pairs)
        rest = iter(self._verify([pair for pair, found in zip(pairs, asked, strict=True) if found is None]))
        return [found or next(rest) for found in asked]

    def _verify(self, pairs: Sequence[Pair]) -> list[NamedJudgement]:
        if not pairs:
            return []
        reader = self._reader or verifier()
        try:
            said = reader.verify([texts for one, other in pairs for texts in _both_ways(one, other)])
        except ProviderError as error:
            log.warning("facts are not compared: %s", error)
            return [NamedJudgement(UNREAD)] * len(pairs)
        found = []
        for (one, other), there, back in zip(pairs, said[::2], said[1::2], strict=True):
            reading = PairReading(min(there.support, back.support), min(there.contradiction, back.contradiction))
            found.append(NamedJudgement(judge_by_reading(one, other, reading, self._rules), reader.name))
        return found

    async def _ask_all(self, pairs: Sequence[Pair]) -> list[NamedJudgement | None]:
        return await asyncio.gather(*(self._ask(*pair) for pair in pairs))

    async def _ask(self, one: StoredFact, other: StoredFact) -> NamedJudgement | None:
        """None where no model answers, or answers with prose: then the verifier judges."""
        slots: dict[str, Slot] = {"first": (_fenced("First", one),), "second": (_fenced("Second", other),)}
        try:
            written, _ = await self._calls.ask(f"{one.id}{other.id}", slots)
        except Exception:  # one pair must not stop the others
            log.exception("a pair of facts could not be judged by a model")
            return None
        if written is None:
            return None
        judgement = parse_verdict(calling.unfenced(written.text), one, other, self._rules)
        return NamedJudgement(judgement, written.served.model) if judgement else None


def _both_ways(one: StoredFact, other: StoredFact) -> tuple[tuple[str, str], tuple[str, str]]:
    return (one.content, other.content), (other.content, one.content)


def _fenced(name: str, fact: StoredFact) -> FencedText:
    return FencedText(name, f"{json.dumps(fact.content, ensure_ascii=False)} ({fact.day or 'no date'})")
