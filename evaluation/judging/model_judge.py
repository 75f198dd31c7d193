"""A chat model of the ladder as judge: any OpenAI-compatible service, at temperature 0, in strict JSON."""

import asyncio
import json
import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

from audit.domain.judging import CRITERIA, Choice
from evaluation.judging.sides import SideAnswer
from lectorium.ladder.calling import stream, unfenced
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.ladder.selectors import prompt, serving
from lectorium.providers.errors import ProviderError

log = logging.getLogger(__name__)
JOB = "judge"
ATTEMPTS = 2
SECONDS = 60.0
MAX_TOKENS = 300
DOWN_AFTER = 5  # pairs in a row without a verdict
SCHEMA = {
    "type": "object",
    "properties": {criterion: {"enum": list(Choice)} for criterion in CRITERIA},
    "required": [*CRITERIA],
    "additionalProperties": False,
}


class SameModel(ValueError):
    """The judge wrote one of the answers, so it would judge itself."""


class JudgeDown(RuntimeError):
    """The judge gave no verdict several times in a row."""


class ModelJudge:
    """Asks the model twice at most; an answer that is prose, late or missing is no verdict."""

    def __init__(self, model: str) -> None:
        """model: PROVIDER:MODEL. Raises LookupError where its row of the ladder cannot be read."""
        self.name = self.model = model
        self._served = replace(serving(JOB, model), temperature=0.0, max_tokens=MAX_TOKENS)
        self._prompt = prompt(JOB, self._served.prompt)
        self._failed = 0

    async def choose(
        self, question: str, first: SideAnswer, second: SideAnswer, key_facts: Sequence[str]
    ) -> dict[str, Choice]:
        """The better answer by criterion; {} without a usable verdict. Raises SameModel and JudgeDown.

        key_facts are not shown: a judge reads the sources.
        """
        if self.model in first.models | second.models:
            raise SameModel(f"{self.model} wrote one of the answers; choose another judge")
        sources = list(dict.fromkeys((*first.sources, *second.sources)))
        slots: dict[str, Slot] = {
            "question": (FencedText("Question", question),),
            "sources": tuple(FencedText(f"Source {n}", text) for n, text in enumerate(sources, 1)),
            "first": (FencedText("First answer", first.text),),
            "second": (FencedText("Second answer", second.text),),
        }
        choices: dict[str, Choice] = {}
        for _ in range(ATTEMPTS):
            choices = choices or read_choices(await self._ask(slots))
        return self._counted(choices)

    async def _ask(self, slots: dict[str, Slot]) -> str:
        """What the model said; "" for a fault."""
        try:
            async with (
                asyncio.timeout(SECONDS),
                aclosing(stream(self._served, self._prompt.fill(**slots), schema=SCHEMA)) as pieces,
            ):
                return "".join([piece.text async for piece in pieces])
        except (ProviderError, TimeoutError) as error:
            log.warning("the judge %s gave no verdict: %s", self.model, error)
            return ""

    def _counted(self, choices: dict[str, Choice]) -> dict[str, Choice]:
        self._failed = 0 if choices else self._failed + 1
        if self._failed >= DOWN_AFTER:
            raise JudgeDown(f"{self.model} gave no usable verdict {DOWN_AFTER} times in a row; the run stops here")
        return choices


def read_choices(said: str) -> dict[str, Choice]:
    """The verdict in a model's answer; {} where it is not the JSON that was asked for."""
    try:
        found = json.loads(unfenced(said))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or set(found) != set(CRITERIA):
        return {}
    names = set(Choice)
    return {name: Choice(value) for name, value in found.items()} if set(map(str, found.values())) <= names else {}
