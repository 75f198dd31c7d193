"""Chat models of these tests: they say what they are told to, through the ladder, as any other would."""

from contextlib import contextmanager

from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from lectorium.providers import registry
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat
from lectorium.threads import in_thread


@contextmanager
def speaking(job, *replies):
    """Let a scripted model do a job, with these replies in turn."""
    name = f"scripted:{job}"
    model = ScriptedChat(*(reply if isinstance(reply, Reply) else Reply.of(reply) for reply in replies), name=name)
    registry.replace_model(name, model)
    try:
        yield model
    finally:
        registry.replace_model(name, None)


async def give(*jobs):
    """Store the rows that give these jobs to their scripted models."""
    for job in jobs:
        row = Rung(job=job, model=f"scripted:{job}", temperature=0.0, max_tokens=400)
        await in_thread(rung_save, rung=row, by="tests")
