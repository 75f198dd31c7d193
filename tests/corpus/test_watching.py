"""Folders that are imported every hour: new, changed, gone and come back."""

import json
import sqlite3
from contextlib import closing

import pytest

from corpus.models import Chunk, Import, Lecture, Work
from corpus.services import source_publish, source_withdraw
from corpus.services.watching import folder_import, folders_import
from corpus.tasks import index_corpus
from tests.factories import a_collection, a_lecture

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"
    folder = tmp_path / "talks"
    (folder / "1893").mkdir(parents=True)
    (folder / "1893" / "a.txt").write_text("The lamp does not flicker.", encoding="utf-8")
    (folder / "b.txt").write_text("The river runs to the sea.", encoding="utf-8")
    settings.SOURCES = {"library": folder}
    return folder


def states():
    return dict(Lecture.objects.order_by("key").values_list("key", "state"))


def test_the_hourly_job_takes_what_is_new_and_changed_and_embeds_it(folder):
    assert index_corpus().startswith("2 chunks embedded")
    (folder / "b.txt").write_text("The river runs to the ocean.", encoding="utf-8")
    assert index_corpus().startswith("1 chunks embedded")
    assert index_corpus().startswith("0 chunks embedded")
    assert [row.counts["imported"] + row.counts["changed"] for row in Import.objects.all()] == [1, 2]


def test_what_is_gone_is_withdrawn_with_its_reason_and_serves_again_when_it_is_back(folder):
    a_lecture("Handed in by hand.", key="hand")
    folders_import()
    text = (folder / "b.txt").read_bytes()
    (folder / "b.txt").unlink()
    folders_import()
    assert states() == {"1893/a": "published", "b": "withdrawn", "hand": "published"}
    gone = Lecture.objects.get(key="b")
    assert gone.withdrawn_because == f"its file is gone: {folder}/b.txt"
    assert not Chunk.objects.filter(lecture=gone, retrievable=True).exists()
    assert [row[3] for row in Import.objects.first().outcomes if row[3]] == ["withdrawn: its file is gone"]
    (folder / "b.txt").write_bytes(text)
    folders_import()
    assert states()["b"] == "published"
    assert Chunk.objects.filter(lecture=gone, retrievable=True).exists()
    assert Lecture.objects.get(key="b").withdrawn_because == ""


def test_an_editors_word_stands(folder):
    folders_import()
    source_withdraw(source=Lecture.objects.get(key="b"))
    folders_import()
    assert states()["b"] == "withdrawn"
    (folder / "1893" / "a.txt").unlink()
    folders_import()
    source_publish(source=Lecture.objects.get(key="1893/a"))
    folders_import()
    assert states()["1893/a"] == "published"


def test_a_folder_that_is_away_or_empty_or_a_file_that_is_broken_withdraws_nothing(folder):
    folders_import()
    away = folder.rename(folder.with_name("away"))
    folders_import()
    folder.mkdir()
    folders_import()
    assert set(states().values()) == {"published"}
    empty, gone = (row.outcomes[0][3] for row in Import.objects.all()[:2])
    assert empty.startswith("contains no file that ends in")
    assert gone == "does not exist; check the path"
    folder.rmdir()
    away.rename(folder)
    (folder / "b.txt").write_bytes(b"")
    folders_import()
    assert set(states().values()) == {"published"}


def test_a_file_of_several_sources_that_is_broken_withdraws_none_of_them(folder):
    lines = [json.dumps({"lecture": key, "para": 1, "text": f"Words of {key}."}) for key in ("CW1", "CW2")]
    paragraphs = folder / "works" / "paragraphs.jsonl"
    paragraphs.parent.mkdir()
    paragraphs.write_text("\n".join(lines), encoding="utf-8")
    library = folder / "library.db"
    with closing(sqlite3.connect(library)) as database:
        database.executescript(
            "CREATE TABLE works (key, title); CREATE TABLE sections (work, address, text);"
            "INSERT INTO works VALUES ('gita', 'Gita'); INSERT INTO sections VALUES ('gita', 'BG 2.13', 'As the body')"
        )
    folders_import()
    paragraphs.write_text(lines[0] + "\n" + lines[1][:20], encoding="utf-8")
    with closing(sqlite3.connect(library)) as database:
        database.executescript("UPDATE sections SET text = ''")
    folders_import()
    assert len([row for row in Import.objects.first().outcomes if row[1] == "refused"]) == 2
    assert states() == dict.fromkeys(("1893/a", "CW1", "CW2", "b"), "published")
    assert Work.objects.get().state == "published"


def test_the_same_refusal_is_told_once(folder):
    (folder / "c.txt").write_bytes(b"")
    folders_import()
    folders_import()
    assert Import.objects.count() == 1


def test_a_run_that_died_half_way_is_ended_by_the_next(folder, monkeypatch):
    folders_import()
    (folder / "b.txt").unlink()
    (folder / "1893" / "a.txt").unlink()
    (folder / "c.txt").write_text("Another talk.", encoding="utf-8")

    def killed(*, source, because):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("corpus.services.watching.source_withdraw", killed)
        with pytest.raises(KeyboardInterrupt):
            folder_import(folder=folder, collection=a_collection())
    folders_import()
    assert states() == {"1893/a": "withdrawn", "b": "withdrawn", "c": "published"}


def test_a_folder_that_fails_keeps_nothing_else_from_being_embedded(folder, monkeypatch):
    a_lecture("Alpha beta.")

    def broken(**_):
        raise OSError("share gone")

    monkeypatch.setattr("corpus.services.watching.sources_import", broken)
    with pytest.raises(OSError, match="share gone"):
        index_corpus()
    assert Chunk.objects.get().vectors.count() == 1


def test_each_folder_that_fails_is_logged(folder, settings, monkeypatch, caplog):
    settings.SOURCES = {"library": folder, "more": folder.parent}

    def broken(*, paths, **_):
        raise OSError(f"{paths[0].name} is gone")

    monkeypatch.setattr("corpus.services.watching.sources_import", broken)
    with pytest.raises(OSError, match="talks is gone"):
        folders_import()
    assert [(record.getMessage(), str(record.exc_info[1])) for record in caplog.records] == [
        (f"cannot import the watched folder {place}", f"{place.name} is gone") for place in (folder, folder.parent)
    ]
