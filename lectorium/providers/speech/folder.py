"""The folder of a local speech model. Settings read this before anything else, so nothing heavy is imported."""

from pathlib import Path

LOCAL = "local:"  # how the name of a local model begins; its folder follows
FILES = ("model.bin", "config.json", "tokenizer.json")


def is_local_speech(model: str) -> bool:
    """Whether "local:FOLDER" names a folder of Whisper's weights, as CTranslate2 reads them."""
    return model.startswith(LOCAL) and is_whole(Path(model.removeprefix(LOCAL)))


def is_whole(folder: Path) -> bool:
    return all((folder / name).is_file() for name in FILES)
