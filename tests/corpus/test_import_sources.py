"""Imports of everything at once: libraries, what belongs together but comes apart, and what the history says of it."""

import zipfile

import pytest
from django.core.management import call_command

from corpus.domain.text.cleaning import clean
from corpus.models import Chunk, Import, Lecture, Section, Work
from corpus.services import collection_ensure, sources_import
from curation.entries import EntryLists, entry_store, references_of
from curation.models import MemoryNote, PinnedQuestion
from tests.corpus.files import broken_zip, library, wave, zipped

pytestmark = pytest.mark.django_db
VTT = "WEBVTT\n\n00:01.000 --> 00:02.500\nOne &amp; <i>two</i>. [applause]\n"


@pytest.fixture(autouse=True)
def media_in_a_temporary_folder(settings, tmp_path_factory):
    settings.MEDIA_ROOT = tmp_path_factory.mktemp("media")


def bring(*paths, **options):
    return sources_import(paths=paths, collection=collection_ensure(key="library"), **options)


@pytest.fixture
def gita(tmp_path):
    return library(
        tmp_path / "library.db",
        works=[("gita", "Bhagavad-gītā", "en")],
        sections=[("gita", "BG 2.13", "BG", 2, 13, "The soul."), ("gita", "Preface", None, None, None, "Prose.")],
        pins=[("What is the soul?", '["BG 2.13"]')],
        notes=[("Soul", "A note.", "soul\nātmā")],
    )


def test_a_library_brings_its_works_and_hands_pins_and_notes_to_curation_as_drafts(gita):
    assert bring(gita).count("imported") == 3
    assert Work.objects.get().books == {"BG": {"2": 13}}
    assert dict(Chunk.objects.values_list("address", "kind")) == {"BG 2.13": "verse", "Preface": "library"}
    assert references_of(PinnedQuestion.objects.get()) == ["BG 2.13"]
    assert (MemoryNote.objects.get().triggers, MemoryNote.objects.get().state) == (["soul", "ātmā"], "draft")


def test_what_an_editor_has_made_of_a_pin_stays(gita):
    bring(gita)
    pin = PinnedQuestion.objects.get()
    pin.state = "published"
    entry_store(pin, EntryLists(["BG 2.20"]), by=None, reason="Changed")
    assert bring(gita).count("unchanged") == 3
    assert references_of(PinnedQuestion.objects.get()) == ["BG 2.20"]


def test_a_rehearsal_reports_the_same_and_keeps_nothing(gita, tmp_path):
    (tmp_path / "talk.wav").write_bytes(wave())
    rehearsed = bring(tmp_path, keep=False)
    assert not Work.objects.exists()
    assert not Lecture.objects.exists()
    assert not PinnedQuestion.objects.exists()
    assert [(o.state, o.chunks) for o in bring(tmp_path).outcomes] == [(o.state, o.chunks) for o in rehearsed.outcomes]


def test_recording_and_transcript_find_each_other_in_either_order(tmp_path):
    for first, second in (("a.wav", "a.vtt"), ("b.vtt", "b.wav")):
        for name in (first, second):
            folder = tmp_path / name.replace(".", "-")
            folder.mkdir()
            (folder / name).write_bytes(wave() if name.endswith("wav") else VTT.encode())
            assert not bring(folder).refused
    for lecture in Lecture.objects.all():
        assert (lecture.text, lecture.media_seconds, lecture.waits_for_transcript) == ("One & two.", 0.5, False)
        assert lecture.sounds == [[1.0, 2.5, "applause"]]
        assert lecture.chunks.count() == 1


def test_a_section_that_was_cleaned_keeps_its_source_as_imported(tmp_path):
    (tmp_path / "a.vtt").write_text(VTT)
    bring(tmp_path)
    section = Section.objects.get()
    assert "&amp; <i>two" in section.source_text
    assert section.source_text in VTT
    assert clean(section.text) == section.text


def test_a_command_enters_the_history(tmp_path):
    (tmp_path / "a.txt").write_text("One.")
    (tmp_path / "b.pdf").write_text("no")
    call_command("import_sources", tmp_path, verbosity=0)
    row = Import.objects.get()
    assert (row.by, row.state, row.count("imported"), row.count("refused")) == (None, "done", 1, 1)
    assert row.outcomes[0][0].endswith("b.pdf")
    assert "not a PDF" in row.outcomes[0][3]


def test_one_archive_that_cannot_be_unpacked_stops_no_other_file(tmp_path):
    (tmp_path / "a.zip").write_bytes(broken_zip(zipfile.ZIP_LZMA))
    (tmp_path / "b.zip").write_bytes(zipped({".": "x"}))
    (tmp_path / "c.txt").write_text("A good lecture.")
    assert [outcome.state for outcome in bring(tmp_path).outcomes] == ["refused", "refused", "imported"]
