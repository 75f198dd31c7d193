"""Files of many small sources: stored together, as they would be one by one, at a few statements for all of them."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.models import Chunk, Lecture, Section, Work
from corpus.services import collection_ensure, source_groups, sources_import
from tests.corpus.files import library

pytestmark = pytest.mark.django_db
ALIKE = "The river runs to the sea, and the hills look on while nobody minds or counts their years and days. "
WORDS = "The river runs to the sea, and {n} hills look on while nobody minds. Nobody counts them."
SOURCES = ("key", "title", "state", "source_hash")
PLACED = (
    "address", "text", "ordinal", "folded_text", "folded_heading", "folded_context", "content_hash", "paragraphs",
    "retrievable", "tokens", "kind", "language", "heading", "context", "embedded_hash", "address_keys",
)  # fmt: skip


def works(path, number):
    keys = [f"k{n}" for n in range(number)]
    verses = [(key, f"{key.upper()} 1.{v}", key.upper(), 1, v, WORDS.format(n=key)) for key in keys for v in (1, 2)]
    return library(path / "l.db", [(key, f"Title {key}", "en") for key in keys], verses)


def talks(path, number):
    return written(path, number, lambda n: {"lecture": f"a{n}", "para": 1, "text": ALIKE * (1 + n % 2)})


def namesakes(path, number):
    return written(path, number, lambda n: {"_id": f"{n}", "title": "T", "text": ALIKE + f"{n} years."}, "corpus.jsonl")


def passages(path, number):
    return written(path, number, lambda n: {"_id": f"{n}", "title": f"T {n}", "text": f"{n} years."}, "corpus.jsonl")


def written(path, number, record, name="paragraphs.jsonl"):
    folder = path / "talks"
    folder.mkdir()
    (folder / name).write_text("\n".join(json.dumps(record(n)) for n in range(number)))
    return folder


def imported(path, keep=True, key="library"):
    return sources_import(paths=[path], collection=collection_ensure(key=key), keep=keep)


def stored(key):
    """Everything that was stored in a collection, without ids and times."""
    sources = [
        list(
            model.objects.filter(collection__key=key)
            .order_by("key")
            .values_list("key", "title", "state", "source_hash")
        )
        for model in (Lecture, Work)
    ]
    chunks = Chunk.objects.filter(collection__key=key).order_by("lecture__key", "work__key", "ordinal")
    sections = [
        list(
            Section.objects.filter(**{f"{name}__collection__key": key})
            .order_by(f"{name}__key", "ordinal")
            .values_list("address", "address_key", "text", "heading", "char_start", "char_end")
        )
        for name in ("lecture", "work")
    ]
    return sources, list(chunks.values_list(*PLACED)), sections


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("make", [works, talks, namesakes])
def test_many_small_sources_take_few_statements(make, keep, tmp_path):
    path = make(tmp_path, 60)
    with CaptureQueriesContext(connection) as queries:
        report = imported(path, keep)
    assert report.count("imported") == 60
    assert len(queries) < 60


@pytest.mark.parametrize("make", [works, talks, namesakes])
def test_sources_that_are_stored_together_are_those_that_are_stored_one_by_one(make, tmp_path, monkeypatch):
    path = make(tmp_path, 15)
    together = imported(path, key="together")
    monkeypatch.setattr(source_groups, "GROUP_SOURCES", 1)
    apart = imported(path, key="apart")
    assert stored("together") == stored("apart")
    assert together == apart
    assert any(outcome.remark for outcome in together.outcomes) is (make is namesakes)  # which replace one another


@pytest.mark.parametrize("make", [works, talks])
def test_the_preview_of_many_sources_says_of_each_what_it_would_alone(make, tmp_path, monkeypatch):
    path = make(tmp_path, 30)
    together = imported(path, keep=False)
    assert not Chunk.objects.exists()
    monkeypatch.setattr(source_groups, "GROUP_SOURCES", 1)
    assert together == imported(path, keep=False)
    assert together.duplicates


def test_a_refused_source_among_many_is_the_only_one_that_is_missing(tmp_path, settings):
    settings.SOURCE_CHUNKS = 5
    long = "\n".join(json.dumps({"lecture": "long", "para": n, "text": ALIKE * 9}) for n in range(30))
    folder = talks(tmp_path, 20)
    path = folder / "paragraphs.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:10], long, *lines[10:]]))
    report = imported(folder)
    (refused,) = report.refused
    assert "LECTORIUM_SOURCE_CHUNKS" in refused.problem
    assert report.count("imported") == Lecture.objects.count() == 20
    assert not Lecture.objects.filter(key__contains="long").exists()


def test_many_sources_imported_twice_are_unchanged_and_a_changed_one_keeps_its_id(tmp_path):
    folder = talks(tmp_path, 20)
    imported(folder)
    ids = dict(Lecture.objects.values_list("key", "pk"))
    assert imported(folder).count("unchanged") == 20
    path = folder / "paragraphs.jsonl"
    path.write_text(path.read_text().replace(ALIKE, ALIKE.upper(), 1))
    report = imported(folder)
    assert (report.count("changed"), report.count("unchanged")) == (1, 19)
    assert dict(Lecture.objects.values_list("key", "pk")) == ids


def test_the_report_of_very_many_sources_keeps_numbers_instead_of_outcomes(tmp_path):
    path = passages(tmp_path, 12)
    report = sources_import(paths=[path], collection=collection_ensure(key="library"), outcomes_kept=3)
    assert len(report.outcomes) == 3
    assert (report.sources, report.count("imported"), report.chunks) == (12, 12, Chunk.objects.count())
    assert report.changed_anything
    assert not report.all_refused


def test_what_an_editor_must_see_stays_in_the_report_of_very_many_sources(tmp_path):
    paths = [passages(tmp_path, 12), tmp_path / "gone"]
    report = sources_import(paths=paths, collection=collection_ensure(key="library"), outcomes_kept=0)
    assert [outcome.state for outcome in report.outcomes] == ["refused"]
    assert report.sources == 13
