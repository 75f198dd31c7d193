"""Models that `make` downloads, in LECTORIUM_MODELS."""

from pathlib import Path

from django.conf import settings

from lectorium.providers.errors import ModelMissing

MULTILINGUAL = "multilingual-e5-small"


def is_downloaded(name: str) -> bool:
    return (settings.MODELS_DIR / name / "config.json").is_file()


def downloaded_folder(name: str) -> Path:
    """The folder of a model that `make` downloads. Raises ModelMissing."""
    folder: Path = settings.MODELS_DIR / name
    if not is_downloaded(name):
        command = "make multilingual" if name == MULTILINGUAL else "make install"
        raise ModelMissing(
            f"The model {name} is not in {folder}: run `{command}` to download it, "
            "or set LECTORIUM_MODELS to the folder that holds it."
        )
    return folder


def missing_reader_folder() -> Path | None:
    """The folder that lacks the big reader's base or adapter; None if both are there."""
    from .adapter import is_adapter
    from .base import is_base

    places = ((settings.READER_BASE, is_base), (settings.READER_ADAPTER, is_adapter))
    return next((folder for folder, is_there in places if not is_there(folder)), None)
