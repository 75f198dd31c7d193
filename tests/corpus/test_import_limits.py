"""What a source and a file may cost: each limit refuses in a sentence that names its setting, and stores nothing."""

import json
from random import Random

import pytest

from corpus.importers import markdown
from corpus.models import Chunk, Lecture, Section, Work
from corpus.services import collection_ensure, sources_import
from curation.models import MemoryNote
from tests.corpus.files import library, zipped
from tests.corpus.large import HOSTILE, filled
from tests.corpus.soundness import readable, taken

MB = 1 << 20


def refused(path):
    """The problem that the import of a file is refused for; nothing may be stored."""
    report = sources_import(paths=[path], collection=collection_ensure(key="library"))
    (outcome,) = report.refused
    assert report.all_refused
    assert not Lecture.objects.exists()
    assert not Work.objects.exists()
    assert not Section.objects.exists()
    assert not Chunk.objects.exists()
    readable(outcome.source, outcome.problem)
    return outcome.problem


def verses(number):
    records = ({"ref": f"A 1.{n}", "chapter": 1, "verse": n, "text": "One."} for n in range(1, number + 1))
    return "\n".join(map(json.dumps, records))


def paragraphs(*lectures):
    records = ({"lecture": key, "para": n, "text": "The river runs. " * 20} for n, key in enumerate(lectures))
    return "\n".join(map(json.dumps, records))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "Aa bb cc.\n" * 120_000),
        ("a.vtt", "WEBVTT\n\n" + "\n" * MB),
        ("a/paragraphs.jsonl", paragraphs(*["talk"] * 4000)),
        ("verses.json", "[" + " " * MB + "]"),
    ],
)
def test_a_source_of_too_much_text_is_refused(name, content, tmp_path, settings):
    settings.SOURCE_MB = 1
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    assert "1 MB" in (problem := refused(path))
    assert "LECTORIUM_SOURCE_MB" in problem or "JSON Lines" in problem


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "One.\n\n" * 6),
        ("a/paragraphs.jsonl", paragraphs(*["talk"] * 6)),
        ("verses.jsonl", verses(6)),
    ],
)
def test_a_source_of_too_many_paragraphs_or_verses_is_refused(name, content, tmp_path, settings):
    settings.SOURCE_ROWS = 5
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    assert "more than 5 paragraphs or verses in one source (LECTORIUM_SOURCE_ROWS)" in refused(path)


@pytest.mark.django_db
def test_a_library_with_too_large_a_work_is_refused(tmp_path, settings):
    settings.SOURCE_ROWS = 5
    sections = [("k", f"A 1.{n}", "A", 1, n, "One.") for n in range(1, 7)]
    path = library(tmp_path / "l.db", [("j", "J", "en"), ("k", "K", "en")], [("j", "B 1.1", "B", 1, 1, "x"), *sections])
    assert "LECTORIUM_SOURCE_ROWS" in refused(path)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "content"),
    [("a.txt", "Ann: One.\n\nBob: Two.\n\n" * 3), ("verses.jsonl", verses(6))],
)
def test_a_source_of_too_many_chunks_is_refused_and_none_of_them_stays(name, content, tmp_path, settings):
    settings.SOURCE_CHUNKS = 5
    (tmp_path / name).write_text(content)
    assert "more than 5 chunks in one source (LECTORIUM_SOURCE_CHUNKS); split it" in refused(tmp_path / name)


@pytest.mark.django_db
def test_a_source_that_grows_too_large_keeps_what_it_had(tmp_path, settings):
    settings.SOURCE_CHUNKS = 5
    collection, path = collection_ensure(key="library"), tmp_path / "verses.jsonl"
    path.write_text(verses(5))
    assert sources_import(paths=[path], collection=collection).count("imported") == 1
    path.write_text(verses(6))
    assert sources_import(paths=[path], collection=collection).all_refused
    assert Chunk.objects.count() == Section.objects.count() == 5


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["l.db", "a/corpus.jsonl"])
def test_a_file_of_too_many_rows_is_refused_before_any_is_stored(name, tmp_path, settings):
    settings.FILE_ROWS = 5
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    if name == "l.db":
        library(path, [("k", "K", "en")], [("k", f"A 1.{n}", "A", 1, n, "One.") for n in range(1, 6)])
    else:
        path.write_text("\n".join(json.dumps({"_id": f"{n}", "title": "T", "text": "One."}) for n in range(6)))
    assert "more than 5 rows (LECTORIUM_FILE_ROWS); split it" in refused(path)


@pytest.mark.django_db
def test_a_library_of_too_many_pins_and_notes_is_refused_before_any_is_stored(tmp_path, settings):
    settings.FILE_ENTRIES = 5
    pins, notes = [(f"Question {n}?", "A 1.1") for n in range(3)], [(f"Note {n}", "b", "x") for n in range(3)]
    path = library(tmp_path / "l.db", pins=pins, notes=notes)
    assert "more than 5 pins, notes and facts (LECTORIUM_FILE_ENTRIES); split it" in refused(path)
    assert not MemoryNote.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["l.db", "corpus.jsonl"])
def test_a_file_of_too_many_megabytes_is_refused(name, tmp_path, settings):
    settings.FILE_MB = 1
    path = tmp_path / name
    path.write_bytes(HOSTILE["library.db" if name == "l.db" else "same_title/corpus.jsonl"](int(1.2 * MB)))
    assert "a file may have 1 MB (LECTORIUM_FILE_MB), so split it" in refused(path)


@pytest.mark.django_db
def test_paragraphs_may_be_mixed_only_in_a_file_that_fits_in_memory(tmp_path, settings):
    path = tmp_path / "paragraphs.jsonl"
    path.write_text(paragraphs(*["a", "b"] * 1500))
    assert len(taken(path)) == 2
    settings.SOURCE_MB = 1
    assert "mixes its lectures" in refused(path)
    path.write_text(paragraphs(*["a"] * 1500, *["b"] * 1500))
    assert len(taken(path)) == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"l.db": b"SQLite format 3" + bytes(9 * MB)}, "100 times its packed size"),
        ({f"{n}.txt": filled("a ", 900_000) for n in range(20)}, "100 times its packed size"),
        ({f"{n}.txt": Random(n).randbytes(3 * MB // 2) for n in range(2)}, "2 MB of text (LECTORIUM_FILE_MB)"),
    ],
)
def test_an_archive_that_unpacks_to_too_much_is_refused(entries, said, tmp_path, settings):
    settings.FILE_MB = 2 if "LECTORIUM" in said else 512
    path = tmp_path / "a.zip"
    path.write_bytes(zipped(entries))
    assert f"unpacks to more than {said}, at" in refused(path)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["a.txt", "a.vtt", "corpus.jsonl", "l.db"])
def test_characters_that_stand_for_phrases_are_refused_in_bulk(name, tmp_path):
    phrases, path = "\ufdfa" * 3000, tmp_path / name
    if name == "l.db":
        library(path, [("k", "K", "en")], [("k", "A 1.1", "A", 1, 1, phrases)])
    else:
        record = json.dumps({"_id": "a", "title": "T", "text": phrases})
        path.write_text({"a.txt": phrases, "a.vtt": f"WEBVTT\n\n{phrases}"}.get(name, record))
    assert "such as U+FDFA: " in (problem := refused(path))
    assert "write them out or remove them" in problem


def test_a_text_may_hold_such_a_character_here_and_there(tmp_path):
    (tmp_path / "a.txt").write_text("The Prophet \ufdfa said to them that the river runs to the sea. " * 100)
    assert taken(tmp_path)


def test_a_letter_keeps_thirty_marks(tmp_path):
    (tmp_path / "a.txt").write_text("a" + "\u0301\u0323" * 10_000 + " b")
    ((paragraph,),) = [draft.paragraphs for draft in taken(tmp_path)]
    assert len(paragraph.text) <= len("a b") + 30


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["- a\n" * 100, "*a* " * 100, "> " * 15 + "a\n\n" * 100])
def test_markdown_of_too_many_marks_is_refused(text, tmp_path, monkeypatch):
    monkeypatch.setattr(markdown, "STEPS_LIMIT", 100)
    (tmp_path / "a.md").write_text(text)
    assert "more than 100 marks, lines and paragraphs of Markdown; split it" in refused(tmp_path / "a.md")
