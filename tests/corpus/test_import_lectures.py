"""Lectures from files: what is taken, what is refused and why, and what a second import keeps."""

import json
import threading
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.importers.drafts import LectureDraft
from corpus.indexing import meanwhile
from corpus.models import Chunk, ChunkVector, Collection, Lecture, Section
from corpus.selectors import passages
from corpus.services import collection_ensure, sources_import
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db

VTT = """WEBVTT

NOTE
title: On Wonder
speaker: Dr. Rao
date: 2023-01-08
place: Mysuru
language: en
series: Evenings
summary: Where wonder begins, and where it ends.

00:00:00.500 --> 00:00:04.000
Wonder is where

00:00:04.100 --> 00:00:06.000
it begins &amp; ends. [applause]

00:00:08.000 --> 00:00:10.000
<v A student>Does it?
"""


@pytest.fixture(autouse=True)
def media_in_a_temporary_folder(settings, tmp_path_factory):
    settings.MEDIA_ROOT = tmp_path_factory.mktemp("media")


def bring(*paths):
    return sources_import(paths=paths, collection=collection_ensure(key="library"), only=LectureDraft)


def written(path, text, encoding="utf-8"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding) if isinstance(text, str) else text)
    return path


def lines(*records):
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records)


def problem(path):
    (refused,) = bring(path).refused
    return refused.problem


def test_a_vtt_becomes_a_lecture_with_its_facts_paragraphs_and_times(tmp_path):
    bring(written(tmp_path / "wonder.vtt", VTT))
    lecture = Lecture.objects.get()
    assert (lecture.title, lecture.speaker, str(lecture.date)) == ("On Wonder", "Dr. Rao", "2023-01-08")
    assert lecture.summary == "Where wonder begins, and where it ends."
    assert lecture.text == "Wonder is where it begins & ends.\n\nDoes it?"
    assert [lecture.text[s:e] for s, e, _, _ in lecture.cues] == ["Wonder is where", "it begins & ends.", "Does it?"]
    sections = lecture.sections.values_list("address", "speaker", "start", "end")
    assert list(sections) == [("wonder:1", "", 0.5, 6.0), ("wonder:2", "A student", 8.0, 10.0)]


def test_a_chunk_knows_its_place_its_addresses_and_its_seconds(tmp_path):
    bring(written(tmp_path / "wonder.vtt", VTT))
    spoken, asked = Chunk.objects.order_by("ordinal")
    lecture = Lecture.objects.get()
    assert spoken.text == lecture.text[spoken.char_start : spoken.char_end]
    assert (spoken.start, spoken.end, spoken.address) == (0.5, 6.0, "wonder:1")
    assert spoken.address_keys == ["wonder 1"]
    assert [(spoken.text[s:e], a) for s, e, a in spoken.paragraphs] == [
        ("Wonder is where it begins & ends.", "wonder:1")
    ]
    assert [spoken.text[s:e] for s, e, _, _ in spoken.cues] == ["Wonder is where", "it begins & ends."]
    assert [passage.speaker for passage in passages([spoken.pk, asked.pk])] == ["Dr. Rao", "A student"]
    assert asked.context == "On Wonder. Evenings. A student, 8 January 2023, Mysuru."


def test_every_kind_of_file_in_a_folder_is_taken(tmp_path):
    written(tmp_path / "a.txt", "One.\n\nTwo.")
    written(tmp_path / "b.md", "---\nspeaker: Mara\n---\n# The *title*\n\nFirst.\n\n## Part two\n\nSecond **one**.")
    written(tmp_path / "sub" / "c.srt", "1\n00:00:01,000 --> 00:00:02,000\nThree.\n")
    written(tmp_path / "t" / "corpus.jsonl", lines({"_id": "d1", "title": "D", "text": "Four.\n\nFive."}))
    written(tmp_path / "t" / "SOURCE.md", "where it is from")
    written(tmp_path / "p" / "paragraphs.jsonl", lines({"lecture": "e", "address": "X:e:1", "para": 1, "text": "Six."}))
    written(tmp_path / "p" / "lectures.jsonl", lines({"lecture": "e", "title": "The E", "speaker": "Ann"}))
    written(tmp_path / "README.md", "not a lecture")
    written(tmp_path / "picture.png", b"\x89PNG")
    report = bring(tmp_path)
    assert [outcome.source for outcome in report.refused] == [str(tmp_path / "picture.png")]
    assert dict(Lecture.objects.values_list("key", "title")) == {
        "a": "A", "b": "The title", "sub/c": "C", "d1": "D", "e": "The E",
    }  # fmt: skip
    assert set(Section.objects.values_list("address", flat=True)) == {
        "a:1", "a:2", "b:1", "b:2", "sub/c:1", "d1", "X:e:1",
    }  # fmt: skip
    assert Section.objects.get(address="b:2").heading == "Part two"
    assert Chunk.objects.get(address="b:2").heading == "The title · Part two"


def test_a_second_import_changes_nothing(tmp_path):
    written(tmp_path / "a.txt", "One.\n\nTwo.")
    bring(tmp_path)
    before = Lecture.objects.get().updated_at, Collection.objects.get().changed_at
    report = bring(tmp_path)
    assert (report.count("unchanged"), report.chunks) == (1, 0)
    assert (Lecture.objects.get().updated_at, Collection.objects.get().changed_at) == before


def test_a_changed_lecture_keeps_the_ids_of_what_did_not_change(tmp_path):
    long = " ".join(f"word{n}" for n in range(200)) + "."
    path = written(tmp_path / "a.txt", f"{long}\n\n{long.upper()}\n\nLast.")
    bring(path)
    first, second, _ = Chunk.objects.order_by("ordinal")
    ids = dict(Section.objects.values_list("ordinal", "id"))
    written(path, f"{long}\n\nAnother end.")
    assert bring(path).count("changed") == 1
    kept, fresh = Chunk.objects.order_by("ordinal")
    assert kept.pk == first.pk
    assert fresh.pk != second.pk
    assert dict(Section.objects.values_list("ordinal", "id")) == {0: ids[0], 1: ids[1]}


def test_a_recording_comes_along_and_is_replaced_when_its_bytes_change(tmp_path, django_capture_on_commit_callbacks):
    written(tmp_path / "wonder.vtt", VTT)
    written(tmp_path / "wonder.mp3", b"first")
    bring(tmp_path)
    lecture = Lecture.objects.get()
    assert Path(lecture.media.path).read_bytes() == b"first"
    assert lecture.media_seconds is None
    old = lecture.media.path
    written(tmp_path / "wonder.mp3", b"second")
    with django_capture_on_commit_callbacks(execute=True):
        assert bring(tmp_path).count("changed") == 1
    assert Path(Lecture.objects.get().media.path).read_bytes() == b"second"
    assert not Path(old).exists()


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8-sig", "Gītā."),
        ("utf-16", "Gītā."),
        ("cp1252", "Il était une fois, dans un château, un roi très âgé — “déjà”!"),
    ],
)
def test_other_encodings_are_read(tmp_path, encoding, text):
    bring(written(tmp_path / "a.txt", text, encoding))
    assert Lecture.objects.get().text == text.strip()


BACKWARD = VTT.replace("00:00:08.000 --> 00:00:10.000", "00:00:03.000 --> 00:00:10.000")
BEIR = {"_id": "a", "title": "A", "text": "One."}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"", "is empty"),
        ("a.txt", b" \n ", "is empty"),
        ("a.txt", b"\x00\x01\xff\xfe\x80" * 50, "save it as UTF-8"),
        ("a.vtt", "WEBVTT\n\n", "contains no text"),
        ("a.vtt", "no header\n", "must be WEBVTT"),
        ("a.vtt", BACKWARD, "cue 3 starts at 0:00:03.000, but cue 2 lasts from 0:00:04.100 to 0:00:06.000"),
        ("a.vtt", VTT + "\n0:99 --> what\nlost\n", "cannot be read"),
        ("a.vtt", VTT.replace("2023-01-08", "Sunday"), "write it as YYYY-MM-DD"),
        ("a.srt", "nothing of the kind", "is not SubRip"),
        ("a.jsonl", lines(BEIR) + "\n{broken", "line 2 is not JSON"),
        ("a.jsonl", lines(BEIR, BEIR), "line 2 repeats the id a of line 1"),
        (
            "a.jsonl",
            lines({"lecture": "x", "para": 1, "text": "a"}, {"lecture": "x", "para": 1, "text": "b"}),
            "repeats",
        ),
        ("a.jsonl", "[1]", "is not a JSON object"),
        ("a.jsonl", lines({"ref": "BG 1.1", "chapter": 1, "verse": 1, "text": "a"}), "import_works"),
        ("a.jsonl", lines({"what": 1}), "neither"),
        ("a.jsonl", lines({"_id": "x" * 201, "text": "a"}), "the limit is 200"),
        ("a.jsonl", '{"_id": ' + "[" * 100_000, "line 1 is not JSON (nested too deeply)"),
        ("a.jsonl", '{"_id": ' + "9" * 5000 + "}", "line 1 is not JSON (a number has too many digits)"),
        ("a.pdf", "%PDF", "not a PDF that can be read"),
    ],
)
def test_bad_input_gets_one_sentence_and_stores_nothing(tmp_path, name, content, said):
    assert said in problem(written(tmp_path / name, content))
    assert not Lecture.objects.exists()
    assert not Chunk.objects.exists()


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl"])
def test_a_line_of_fifty_megabytes_is_refused(tmp_path, name):
    assert "4 MB" in problem(written(tmp_path / name, b'{"_id": "a", "text": "' + b"a" * 50_000_000))


def test_a_path_that_does_not_exist_stops_no_other(tmp_path):
    report = bring(tmp_path / "nowhere", written(tmp_path / "a.txt", "One."))
    assert (report.outcomes[0].state, report.outcomes[0].problem) == ("refused", "does not exist; check the path")
    assert report.count("imported") == 1


def test_two_files_with_one_key_are_not_mixed(tmp_path):
    written(tmp_path / "a.txt", "One.")
    written(tmp_path / "a.md", "Two.")
    report = bring(tmp_path)
    assert (report.count("imported"), report.count("refused")) == (1, 1)


def test_the_command_sums_up_and_fails_only_where_nothing_was_taken(tmp_path, capsys):
    written(tmp_path / "a.txt", "One.")
    written(tmp_path / "b.txt", "")
    call_command("import_lectures", tmp_path, "--collection", "talks", "--visibility", "members")
    out, err = capsys.readouterr()
    assert "1 imported, 0 changed, 0 unchanged, 1 refused" in out
    assert "b.txt: is empty." in out
    assert "lectures" in err
    assert Collection.objects.get(key="talks").visibility == "members"
    with pytest.raises(CommandError):
        call_command("import_lectures", tmp_path / "b.txt", "-v0")


def test_naughty_strings_are_stored_as_they_read(tmp_path):
    naughty = [
        "\u0000\u0001",
        "<script>alert(1)</script>",
        "Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤",
        "'; DROP TABLE corpus_chunk;--",
        "\ud800 x",
        "表ポあA",
    ]
    records = [{"_id": f"n{n}", "title": text, "text": f"Says {text}"} for n, text in enumerate(naughty)]
    path = written(tmp_path / "a.jsonl", "\n".join(json.dumps(record) for record in records))
    assert not bring(path).refused
    assert Lecture.objects.get(key="n1").text == "Says <script>alert(1)</script>"


@pytest.mark.django_db(transaction=True)
def test_what_is_imported_is_embedded_while_the_import_goes_on(monkeypatch):
    embed, embedded = meanwhile.embed_changed, threading.Event()

    def embed_and_tell(**options):
        embed(**options)
        if ChunkVector.objects.exists():
            embedded.set()

    monkeypatch.setattr(meanwhile, "EVERY", 0.01)
    monkeypatch.setattr(meanwhile, "embed_changed", embed_and_tell)
    with meanwhile.embedding_meanwhile():
        a_lecture("Alpha beta.")
        assert embedded.wait(20)
        assert ChunkVector.objects.count() == 1


def test_one_command_imports_and_embeds(tmp_path, capsys):
    file = written(tmp_path / "on-wonder.txt", "Wonder is where it begins.")
    call_command("import_lectures", str(file), "--index", verbosity=0)
    assert ChunkVector.objects.count() == Chunk.objects.count() == 1
    said = capsys.readouterr().out
    assert "index: 1 chunks" in said
    assert "Next:" not in said
