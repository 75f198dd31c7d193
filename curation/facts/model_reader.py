"""Asks the `extract_facts` model for the facts of passages, a few at a time."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

from corpus.domain.passage import Passage
from curation.domain.facts.model_lines import ModelFacts, parse_facts
from lectorium.ladder import calling
from lectorium.ladder.call_run import CallRun
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.providers.errors import TooSlow

log = logging.getLogger(__name__)
JOB = "extract_facts"
NO_FACTS = ModelFacts((), {})


@dataclass(frozen=True, slots=True)
class FactReaderLimits:
    """seconds: per passage, over all rungs. misses: failures in a row after which the run stops asking."""

    seconds: float = 60.0
    misses: int = 4


LIMITS = FactReaderLimits()


@dataclass(frozen=True, slots=True)
class ModelReading:
    """The facts a model read, with the model's name as `author`; `fault` says why it could not be asked."""

    facts: ModelFacts = NO_FACTS
    author: str = ""
    fault: str = ""


class ModelFactReader:
    """One run, on one event loop. `remark` gives the reason if it stopped asking."""

    def __init__(self, today: date) -> None:
        self.remark = ""
        self._today, self._misses = today, 0
        self._calls = CallRun(JOB, LIMITS.seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._calls.__exit__(*error)

    def read(self, passages: Sequence[Passage]) -> list[ModelReading]:
        """One reading per passage, in order."""
        readings = self._calls.run(self._ask_all(passages))
        for reading in readings:
            self._misses = self._misses + 1 if reading.fault else 0
            if self._misses >= LIMITS.misses:
                self.remark = f"{self._misses} times in a row the model did not answer ({reading.fault})"
                log.warning("%s: %s", JOB, self.remark)
                break
        return readings

    async def _ask_all(self, passages: Sequence[Passage]) -> list[ModelReading]:
        return await asyncio.gather(*(self._ask(passage) for passage in passages))

    async def _ask(self, passage: Passage) -> ModelReading:
        try:
            written, fault = await self._calls.ask(str(passage.chunk_id), slots_of(passage))
        except TimeoutError:
            return ModelReading(fault=TooSlow.fault)
        except Exception as error:  # one passage must not stop the others
            log.exception("facts of a passage could not be read")
            return ModelReading(fault=type(error).__name__)
        if written is None:
            return ModelReading(fault=fault or "no model")
        read = parse_facts(calling.unfenced(written.text), passage.text, self._today)
        return ModelReading(read, written.served.model)


def slots_of(passage: Passage) -> dict[str, Slot]:
    about = ", ".join(filter(None, (passage.title, passage.speaker, passage.date)))
    return {"source": (FencedText("Source", about),), "passage": (FencedText("Passage", passage.text),)}
