"""Models that `make install` downloads, in LECTORIUM_MODELS."""

from pathlib import Path

from django.conf import settings

from lectorium.providers.errors import ModelMissing


def is_downloaded(name: str) -> bool:
    return (settings.MODELS_DIR / name / "config.json").is_file()


def downloaded_folder(name: str) -> Path:
    """The folder of a model that `make install` downloads. Raises ModelMissing."""
    folder: Path = settings.MODELS_DIR / name
    if not is_downloaded(name):
        raise ModelMissing(
            f"The model {name} is not in {folder}: run `make install` to download it, "
            "or set LECTORIUM_MODELS to the folder that holds it."
        )
    return folder
