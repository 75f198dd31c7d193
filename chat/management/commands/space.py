"""`manage.py space list|build|switch|retire`: builds a second embedding space and switches to it."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from chat.answering.calibrations import MissingCalibration, switch_space
from corpus.indexing.embedding import PACE, space_embed
from corpus.models import EmbeddingSpace
from corpus.selectors import SpaceRefused, space_named, space_progress
from corpus.services.spaces import space_build, space_retire
from lectorium.providers import registry
from lectorium.providers.english.embedders import reads_only_english
from lectorium.providers.errors import ModelMissing


class Command(BaseCommand):
    help = "Embedding spaces: list them, build one in the background, switch to it (and back), retire one."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("list", help="Print every space with its state and progress.")
        build = actions.add_parser("build", help="Fill a space while another serves; run it again to continue.")
        build.add_argument("model", help="A model, as in LECTORIUM_EMBEDDER.")
        build.add_argument("--index", choices=EmbeddingSpace.Dtype.values, default=settings.VECTOR_INDEX)
        for name, description in (
            ("switch", "Serve this space from the next question on."),
            ("retire", "Delete the vectors of a space that does not serve."),
        ):
            action = actions.add_parser(name, help=description)
            action.add_argument("space", help="MODEL, or MODEL:INDEX if a model has two spaces.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['action']}")(options)
        except (SpaceRefused, MissingCalibration, ModelMissing) as refusal:
            raise CommandError(str(refusal)) from refusal

    def _list(self, options: dict[str, Any]) -> None:
        for space in EmbeddingSpace.objects.order_by("created_at"):
            done, total = space_progress(space)
            auroc = space.calibration.get("evidence", {}).get("auroc", "of its model")
            self.stdout.write(
                f"{space.state:9} {space}  {space.width} wide · {done:,} of {total:,} chunks · calibration {auroc}"
            )

    def _build(self, options: dict[str, Any]) -> None:
        space = space_build(registry.embedder(options["model"]), options["index"])
        with tqdm(desc=str(space), unit=" chunks", file=sys.stderr, disable=options["verbosity"] == 0) as bar:

            def advance(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            space_embed(space, PACE, advance)
        space.refresh_from_db()
        english = f"manage.py calibrate --space {space}, manage.py space switch"
        others = "manage.py calibrate --languages; it serves questions in other languages, beside the space in use"
        self.stdout.write(f"{space} is {space.state}. Next: {english if reads_only_english(space.model) else others}")

    def _switch(self, options: dict[str, Any]) -> None:
        space = space_named(options["space"])
        switch_space(space)
        self.stdout.write(f"{space} serves from now on.")

    def _retire(self, options: dict[str, Any]) -> None:
        space = space_named(options["space"])
        self.stdout.write(f"{space} is retired; {space_retire(space=space):,} vectors deleted.")
