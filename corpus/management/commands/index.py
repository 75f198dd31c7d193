import gc
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from corpus.catalogue.mentions import mentions_refresh
from corpus.indexing.context_sentences import JOB
from corpus.indexing.embedding import IndexPace, embed_changed
from corpus.indexing.tuning import space_tune
from corpus.management.index_bar import index_bar
from corpus.selectors import serving_space, space_embedder
from lectorium import asking
from lectorium.ladder.selectors import has_model

QUESTIONS, FEWEST = 200, 20  # that tuning measures with


class Command(BaseCommand):
    help = "Embed new and changed chunks. Safe to stop and repeat; several runs share the work."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", type=int, default=256, help="Chunks embedded and committed together.")
        parser.add_argument(
            "--contextualize",
            action="store_true",
            help="Also situate chunks that were indexed without a sentence of the contextualize model.",
        )

        parser.add_argument(
            "--tune",
            nargs="?",
            const="",
            metavar="FILE",
            help="Measure how many rows each vector search must look at for a recall of 0.95 and 0.99, and store that. "
            "With the questions of a file, one a line, or the latest ones that readers asked.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["tune"] is not None:
            self._tune(options["tune"])
            return
        if options["contextualize"] and not has_model(JOB):
            raise CommandError(f"No model does {JOB}: add a row for it under Model ladder → Rungs in admin first.")
        gc.freeze()  # what is loaded stays; to look through it for garbage takes a tenth of a second each time
        with index_bar(options["verbosity"]) as advance:
            report = embed_changed(
                IndexPace(batch=max(1, options["batch"])), advance, situate_all=options["contextualize"]
            )
        mentions_refresh()
        self.stdout.write(f"index: {report.embedded} chunks · {report.seconds:.1f} s · {report.rate:.0f} chunks/s")
        if report.situated:
            self.stdout.write(f"{report.situated} chunks situated by a model")
        if report.left:
            self.stdout.write(
                f"{report.left} chunks are claimed by other runs; if one was killed, repeat in two minutes."
            )

    def _tune(self, file: str) -> None:
        questions, space = _questions(file), serving_space()
        if space is None:
            raise CommandError("Nothing is indexed yet: run manage.py index first.")
        vectors = space_embedder(space).embed_questions(questions)
        space_tune(space=space, questions=vectors, tell=self.stdout.write)
        self.stdout.write(f"tuned {space} with {len(questions)} questions; LECTORIUM_RECALL is {settings.RECALL}")


def _questions(file: str) -> list[str]:
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines() if file else asking.asked_questions(QUESTIONS)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read as text: {error}") from error
    questions = list(dict.fromkeys(filter(None, map(str.strip, lines))))[:QUESTIONS]
    if len(questions) < FEWEST:
        whence = f"{file} has" if file else "Readers have asked"
        raise CommandError(
            f"{whence} {len(questions)} different questions, and tuning needs {FEWEST}: "
            "name a file with more, one a line, after --tune."
        )
    return questions
