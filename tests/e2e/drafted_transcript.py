"""Gives the site a recording whose transcript a model drafted; run in its own shell."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.models import Lecture, Transcription
from corpus.services import sources_import

OPEN = Lecture.objects.get(title="Two Armies, One Question").collection  # other scripts make closed ones

with TemporaryDirectory() as folder:
    shutil.copy("samples/lectures/01-two-armies-one-question.mp3", Path(folder) / "evening-talk.mp3")
    sources_import(paths=[Path(folder)], collection=OPEN)
Transcription.objects.filter(lecture__key="evening-talk").update(
    state="review", lines=[[0.0, 4.0, "A talc of the evening."], [4.0, 9.0, "It ends hear."], [9.0, 12.0, "Thanks."]]
)
print(Transcription.objects.get(lecture__key="evening-talk").pk)
