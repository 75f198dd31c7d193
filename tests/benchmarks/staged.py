"""A small corpus, stand-in models and a scripted chat model, for measurements of what happens after retrieval."""

import asyncio
import os
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
os.environ.setdefault("LECTORIUM_DB_POOL", "16")  # as `make run` sets it
os.environ["LECTORIUM_ANSWER_CACHE"] = "0"  # every turn is made anew

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection

django.setup()

from chat.answering.ask import operator
from chat.answering.domain.question import Mode, Question
from corpus.models import Lecture
from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from lectorium.providers import registry
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
from lectorium.providers.stand_ins.scripted import ScriptedChat
from tests.benchmarks.turns import turn_of
from tests.chat.conftest import VERSES, VTT

QUESTION = "Who refused to bow to the newly made man?"
MODEL = "scripted:staged"


def set_up():
    """Import the tests' lecture and verses into this state's database, and let the scripted model write."""
    settings.CALIBRATIONS_DIR = settings.BASE_DIR / "tests" / "calibrations"
    registry.replace_model("embedder", HashingEmbedder())
    for role in ("reader", "verifier"):
        registry.replace_model(role, OverlapCrossEncoder())
    call_command("migrate", verbosity=0)
    if not Lecture.objects.exists():
        with tempfile.TemporaryDirectory() as folder:
            settings.MEDIA_ROOT = Path(folder) / "media"
            (Path(folder) / "first-steps.vtt").write_text(VTT, encoding="utf-8")
            (Path(folder) / "gita").mkdir()
            (Path(folder) / "gita" / "verses.jsonl").write_text(VERSES, encoding="utf-8")
            call_command("import_lectures", str(Path(folder) / "first-steps.vtt"), verbosity=0)
            call_command("import_works", str(Path(folder) / "gita"), verbosity=0)
            call_command("index", verbosity=0)
    Rung.objects.exists() or rung_save(rung=Rung(job="synthesize", model=MODEL, max_tokens=400), by="benchmark")


def say(model):
    """Let the scripted model be this one."""
    registry.replace_model(MODEL, model)


@contextmanager
def serving(jobs, reply):
    """Let a scripted model that gives this reply do further jobs, each by a row of its own."""
    model = ScriptedChat(reply, name="scripted:ahead")
    rows = [Rung(job=job, model=model.name, fallback="builtin") for job in jobs]
    registry.replace_model(model.name, model)
    try:
        store(rows, enabled=True)
        yield
    finally:
        store(rows, enabled=False)
        registry.replace_model(model.name, None)


def store(rows, *, enabled):
    """Switch rows of the ladder on or off, also from within a running loop."""

    def switch():
        for row in rows:
            row.enabled = enabled
            rung_save(rung=row, by="benchmark")
        connection.close()

    thread = Thread(target=switch)
    thread.start()
    thread.join()


async def asked(mode, viewer):
    """Return a turn that has ended, and (seconds, event) of all that its reader was sent."""
    events, began = [], time.perf_counter()

    async def hear(event):
        events.append((time.perf_counter() - began, event))

    return await turn_of(Question(QUESTION, viewer, Mode(mode)), hear), events


def viewer():
    return operator()


def run(coroutine):
    return asyncio.run(coroutine)
