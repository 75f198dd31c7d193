"""A chat model that reads facts as a test told it, and verifiers that fail or judge as told."""

from contextlib import contextmanager

from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from lectorium.providers import registry
from lectorium.providers.errors import Unreachable
from lectorium.providers.protocols import Judgement, Piece


class ScriptedJob:
    """Answers every prompt with one text; an empty text is a fault."""

    def __init__(self, name, answer):
        self.name, self.answer, self.asked = name, answer, 0

    async def stream(self, messages, *, max_tokens, temperature, schema=None, tool=None):
        self.asked += 1
        if not self.answer:
            raise Unreachable("no service")
        yield Piece(self.answer)
        yield Piece(tokens_in=1, tokens_out=1)


@contextmanager
def model_for(job, answer):
    model = ScriptedJob(f"scripted:{job}", answer)
    rung = Rung.objects.filter(job=job).first() or Rung(job=job, model=model.name)
    rung.enabled = True
    rung_save(rung=rung, by="tests")
    registry.replace_model(model.name, model)
    try:
        yield model
    finally:
        registry.replace_model(model.name, None)
        rung.enabled = False
        rung_save(rung=rung, by="tests")


class UnreachableVerifier:
    name, passed_bar = "unreachable", False

    def verify(self, pairs):
        raise Unreachable("the verifier does not answer")


class SupportingVerifier:
    """Supports every claim as far as it is told."""

    name, passed_bar = "supporting", False

    def __init__(self, support=0.95, contradiction=0.0):
        self.support, self.contradiction, self.pairs = support, contradiction, []

    def verify(self, pairs):
        self.pairs += pairs
        label = "supported" if self.support > self.contradiction else "contradicted"
        return [Judgement(label, self.support, self.contradiction, (0, len(evidence))) for evidence, _ in pairs]
