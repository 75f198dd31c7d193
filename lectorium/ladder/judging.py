"""A chat model of the ladder as verifier, within budget and recorded."""

from collections.abc import Sequence
from dataclasses import replace

from lectorium.ladder.calling import metered
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.ladder.selectors import ResolvedModel, has_passed_bar, prompt
from lectorium.providers.llm_judge import LlmJudge
from lectorium.providers.protocols import ChatMessage, Judgement


class RungJudge:
    """A verifier on a rung's model, with the rung's version of the prompt "verify"."""

    def __init__(self, served: ResolvedModel) -> None:
        """Raises LookupError where the rung's prompt version does not exist."""
        self._prompt = prompt(served.job, served.prompt)
        self.served = replace(served, prompt=self._prompt.version)
        self.name = f"judge {served.model}"
        self.passed_bar = has_passed_bar(served.model, self.served.prompt)

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (evidence, claim) pairs. Call it on a thread without an event loop. Raises ProviderError."""
        with metered(self.served) as model:
            return LlmJudge(model, self._ask, passed_bar=self.passed_bar).verify(pairs)

    def _ask(self, evidence: str, claim: str) -> Sequence[ChatMessage]:
        return self._prompt.fill(**judge_slots(evidence, claim))


def judge_slots(evidence: str, claim: str) -> dict[str, Slot]:
    return {"evidence": (FencedText("Evidence", evidence),), "claim": (FencedText("Claim", claim),)}
