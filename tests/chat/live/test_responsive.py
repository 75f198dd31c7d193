"""Nothing blocks the event loop during a turn: it goes on ticking while any model of the turn is at work.

No clock decides, so a busy machine fails nothing: a model's call only returns once the loop has ticked on. A call that
is made on the loop itself waits for what it keeps from happening. (Look-ups need no such test: Django refuses to query
on the loop.)
"""

import asyncio
import threading
from contextlib import asynccontextmanager, suppress

import pytest

from chat.answering.ask import operator
from lectorium.providers import registry
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking
from tests.chat.turns import run_recorded

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Who refused to bow to the newly made man?"
WRITTEN = "Only Iblis refused to bow to the newly made man [^1]."
BEATS, PATIENCE = 3, 20


class Heart:
    """Beats every 10 ms on the event loop; a thread may wait until it has beaten on."""

    def __init__(self, patience=PATIENCE):
        self._patience = patience
        self._beaten = threading.Condition()
        self._beats = 0

    async def beat(self):
        while True:
            await asyncio.sleep(0.01)
            with self._beaten:
                self._beats += 1
                self._beaten.notify_all()

    def beats_on(self):
        """Wait for some beats; return whether they came."""
        with self._beaten:
            due = self._beats + BEATS
            return self._beaten.wait_for(lambda: self._beats >= due, timeout=self._patience)


class SlowVerifier:
    """A model whose every call lasts until the loop has ticked on, and that notes which calls it did not tick in."""

    def __init__(self, model, heart):
        self._model, self._heart = model, heart
        self.called, self.blocked = [], []

    def __getattr__(self, name):
        found = getattr(self._model, name)
        if not callable(found):
            return found

        def call(*arguments):
            self.called.append(name)
            if not self._heart.beats_on():
                self.blocked.append(name)
            return found(*arguments)

        return call


@asynccontextmanager
async def slow_models():
    """Serve slow models beside a beating heart; gives them by role."""
    heart = Heart()
    models = {"embedder": SlowVerifier(HashingEmbedder(), heart), "reader": SlowVerifier(OverlapCrossEncoder(), heart)}
    models["verifier"] = SlowVerifier(OverlapCrossEncoder(), heart)
    for role, model in models.items():
        registry.replace_model(role, model)
    beating = asyncio.create_task(heart.beat())
    try:
        yield models
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating


async def test_the_loop_ticks_on_while_a_question_is_embedded_and_passages_are_read(corpus):
    async with slow_models() as models:
        ended, _ = await run_recorded(QUESTION, await in_thread(operator))
    assert ended.sentences
    assert "embed_questions" in models["embedder"].called  # sentences were embedded when they were indexed
    assert "read" in models["reader"].called
    assert [model.blocked for model in models.values()] == [[], [], []]


async def test_the_loop_ticks_on_while_what_a_model_wrote_is_checked(corpus):
    await give("synthesize")
    async with slow_models() as models:
        with speaking("synthesize", WRITTEN):
            ended, _ = await run_recorded(QUESTION, await in_thread(operator), mode="auto")
    assert ended.sentences
    assert "verify" in models["verifier"].called
    assert [model.blocked for model in models.values()] == [[], [], []]


async def test_a_call_on_the_loop_is_caught():
    heart = Heart(patience=0.05)
    model = SlowVerifier(OverlapCrossEncoder(), heart)
    beating = asyncio.create_task(heart.beat())
    model.read("who", ["he"])
    beating.cancel()
    assert model.blocked == ["read"]
