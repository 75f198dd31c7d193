"""What an answer depended on, so that a stored or cached one can be told from today's."""

from chat.calibrations import calibration_path
from corpus.models import EmbeddingSpace
from corpus.selectors import corpus_version, words_version
from curation.lookup import curation_version
from lectorium.ladder.selectors import ladder_version
from lectorium.providers.registry import embedder


def versions(space: EmbeddingSpace | None) -> dict[str, str]:
    """Return the version of each thing an answer depends on; `space` is the one it is looked for in."""
    model = space.model if space else embedder().name
    return {
        "corpus": corpus_version(),
        "words": words_version(),
        "curation": curation_version(),
        "ladder": ladder_version(),
        "calibration": calibration_path(model).stem,
        "space": str(space or ""),
    }
