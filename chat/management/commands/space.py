"""`manage.py space list|build|switch|retire`: a second embedding model beside the first, then in its place."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from chat.answering.calibrations import MissingCalibration
from chat.answering.space_switch import switch_space
from corpus.indexing.embedding import PACE, space_embed
from corpus.models import EmbeddingSpace
from corpus.selectors import SpaceRefused, space_named, space_progress
from corpus.services.spaces import space_build, space_retire
from lectorium.providers import registry
from lectorium.providers.errors import ModelMissing


class Command(BaseCommand):
    help = "Embedding spaces: list them, build one in the background, switch to it (and back), retire one."

    def add_arguments(self, parser: CommandParser) -> None:
        does = parser.add_subparsers(dest="does", required=True)
        does.add_parser("list", help="Every space with its state and progress.")
        build = does.add_parser("build", help="Fill a space while another answers; repeat it to go on.")
        build.add_argument("model", help="As for LECTORIUM_EMBEDDER.")
        build.add_argument("--index", choices=EmbeddingSpace.Dtype.values, default=settings.VECTOR_INDEX)
        for name, says in (
            ("switch", "Answer from this space from the next question on."),
            ("retire", "Give up a space that does not serve, with its vectors."),
        ):
            does.add_parser(name, help=says).add_argument("space", help="MODEL, or MODEL:INDEX where there are two.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['does']}")(options)
        except (SpaceRefused, MissingCalibration, ModelMissing) as refusal:
            raise CommandError(str(refusal)) from refusal

    def _list(self, options: dict[str, Any]) -> None:
        for space in EmbeddingSpace.objects.order_by("created_at"):
            done, total = space_progress(space)
            auroc = space.calibration.get("evidence", {}).get("auroc", "that of its model")
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
        self.stdout.write(
            f"{space} is {space.state}. Next: manage.py calibrate --space {space}, manage.py space switch"
        )

    def _switch(self, options: dict[str, Any]) -> None:
        space = space_named(options["space"])
        switch_space(space)
        self.stdout.write(f"{space} answers from now on.")

    def _retire(self, options: dict[str, Any]) -> None:
        space = space_named(options["space"])
        self.stdout.write(f"{space} is retired; {space_retire(space=space):,} vectors deleted.")
