"""The embedding space for questions in languages that the serving space cannot read."""

from corpus.models import EmbeddingSpace
from lectorium.ladder.read_once import read_once
from lectorium.providers.english.embedders import reads_only_english

State = EmbeddingSpace.State


@read_once
def multilingual_space() -> EmbeddingSpace | None:
    """The serving space if its embedder reads more than English, else the newest ready one whose embedder does.

    None without one.
    """
    spaces = EmbeddingSpace.objects.filter(state__in=(State.SERVING, State.READY)).order_by("-created_at")
    found = [space for space in spaces if not reads_only_english(space.model)]
    return next((space for space in found if space.state == State.SERVING), next(iter(found), None))
