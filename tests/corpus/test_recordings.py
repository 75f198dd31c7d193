"""Recordings are stored whole or not at all."""

import errno

import pytest
from django.core.files import File
from django.core.files.storage import default_storage

from corpus.importers.refusal import ImportRefused
from corpus.services.recordings import recording_store
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media_in_a_temporary_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def talk(tmp_path):
    path = tmp_path / "talk.mp3"
    path.write_bytes(b"\1" * 500_000)
    return path


def stored():
    _, files = default_storage.listdir("lectures")
    return {name: default_storage.size(f"lectures/{name}") for name in files}


def full_after(blocks, monkeypatch):
    whole = File.chunks

    def chunks(file, chunk_size=None):
        for number, chunk in enumerate(whole(file, chunk_size)):
            if number == blocks:
                raise OSError(errno.ENOSPC, "No space left on device")
            yield chunk

    monkeypatch.setattr(File, "chunks", chunks)


def test_a_disk_that_fills_midway_keeps_no_part_of_a_recording(talk, monkeypatch):
    full_after(2, monkeypatch)
    with pytest.raises(ImportRefused, match="No space left on device"):
        recording_store(lecture=a_lecture(), path=talk)
    assert stored() == {}


def test_a_part_that_a_killed_process_left_is_replaced_by_the_whole(talk):
    lecture = a_lecture()
    recording_store(lecture=lecture, path=talk)
    name = lecture.media.name
    (talk.parent / "media" / name).write_bytes(b"\1" * 131_072)
    recording_store(lecture=lecture, path=talk)
    assert lecture.media.name == name
    assert list(stored().values()) == [500_000]


def test_a_recording_that_is_there_already_is_not_copied_again(talk, monkeypatch):
    lecture = a_lecture()
    recording_store(lecture=lecture, path=talk)
    full_after(0, monkeypatch)
    recording_store(lecture=lecture, path=talk)
    assert list(stored().values()) == [500_000]
