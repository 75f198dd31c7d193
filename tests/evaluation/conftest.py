import pytest

from tests.chat.conftest import corpus
from tests.evaluation.golden_rows import write_golden

__all__ = ["corpus"]


@pytest.fixture
def golden(corpus, tmp_path, settings):
    """Golden rows about the corpus; returns the folder of the results page."""
    settings.DATA_DIR = write_golden(tmp_path / "data")
    settings.BASE_DIR = tmp_path
    return tmp_path / "docs" / "results"
