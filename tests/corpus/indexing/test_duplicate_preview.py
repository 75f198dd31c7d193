"""What a preview says of near-duplicates: the index run's own findings, before anything is stored."""

import pytest

from corpus.indexing import duplicate_preview
from corpus.indexing.duplicates import duplicates_link, uncompared
from corpus.models import Chunk, Fingerprint, Lecture
from corpus.services import source_groups, sources_import
from tests.factories import a_collection, a_lecture

pytestmark = pytest.mark.django_db
TALK = " ".join(f"word{letter}{second}" for letter in "abcdefgh" for second in "klmnopqrstuv") + "."
OTHER = "Quite another matter altogether."


@pytest.fixture
def previewed(tmp_path):
    """Preview files of these names and texts; return what is said and how many duplicates there are, by name."""

    def preview(keep=False, **files):
        folder = tmp_path / "in"
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            (folder / name.replace("_", ".")).write_text(text)
        report = sources_import(paths=[folder], collection=a_collection(), keep=keep)
        return {outcome.source.rpartition("/")[2]: (outcome.duplicates, outcome.remark) for outcome in report.outcomes}

    return preview


def said(number, total, where):
    return number, f"{number} of {total} is a near-duplicate of {where}, which search shows instead"


def test_a_chunk_that_nearly_equals_what_is_indexed_is_foreseen_and_nothing_is_stored(previewed):
    a_lecture(TALK, key="a", title="One")
    duplicates_link()
    before = list(Chunk.objects.values()), list(Fingerprint.objects.values())
    assert previewed(b_txt=TALK.replace("wordfp", "wordxx"), c_txt=OTHER) == {
        "b.txt": said(1, "1 new chunk", "“One”"), "c.txt": (0, ""),
    }  # fmt: skip
    assert (list(Chunk.objects.values()), list(Fingerprint.objects.values())) == before


def test_a_chunk_that_nearly_equals_what_no_index_run_has_seen_is_foreseen(previewed):
    a_lecture(TALK, key="a", title="One")
    assert previewed(b_txt=TALK) == {"b.txt": said(1, "1 new chunk", "“One”")}


def test_of_two_files_that_say_the_same_the_second_is_the_duplicate(previewed):
    assert previewed(a_txt=TALK, b_txt=OTHER, c_txt=TALK) == {
        "a.txt": (0, ""), "b.txt": (0, ""), "c.txt": said(1, "1 new chunk", "“A”"),
    }  # fmt: skip


def test_a_text_that_says_the_same_twice_is_told_so(previewed):
    twice = f"# One\n\n{TALK}\n\n# Two\n\n{TALK}\n"
    assert previewed(a_md=twice) == {"a.md": said(1, "2 new chunks", "itself")}


def test_titles_are_counted_where_there_are_several(previewed):
    for number in range(5):
        a_lecture(f"{TALK} Number {number}.", key=f"k{number}", title=f"T{number}")
    text = "".join(f"# Head {number}\n\n{TALK} Number {number}.\n\n" for number in range(5))
    ((number, remark),) = previewed(a_md=text).values()
    assert number == 5
    assert remark.count("(1)") == 3
    assert remark.startswith("5 of 5 new chunks are near-duplicates of “T")
    assert remark.endswith(", others (2), which search shows instead")


def test_a_recording_that_would_serve_in_place_of_a_text_says_so(previewed):
    a_lecture(TALK, key="text", title="Text")
    duplicates_link()
    heard = f"WEBVTT\n\n00:01.000 --> 01:00.000\n{TALK}\n"
    assert previewed(heard_vtt=heard) == {
        "heard.vtt": (0, "replaces 1 near-duplicate in “Text”, because it can be played")
    }


def test_what_a_new_transcript_replaces_is_no_duplicate(previewed):
    a_lecture(TALK, key="typed", title="Heard")
    duplicates_link()
    ((number, remark),) = previewed(heard_md=f"# Heard\n\n{TALK}\n").values()
    assert (number, remark.partition(",")[0]) == (0, "replaces typed")


def test_a_changed_source_is_compared_by_what_is_new_in_it(previewed):
    previewed(keep=True, a_txt=TALK)
    duplicates_link()
    assert previewed(a_txt=f"{TALK}\n\n{OTHER}") == {"a.txt": (0, "")}


def test_the_preview_foresees_what_the_index_run_links(previewed):
    a_lecture(TALK, key="a", title="One")
    duplicates_link()
    files = {f"{name}_txt": text for name, text in zip("bcde", (TALK, OTHER, OTHER, TALK[:500]), strict=True)}
    foreseen = previewed(**files)
    previewed(keep=True, **files)
    duplicates_link()
    linked = Chunk.objects.filter(duplicate_of__isnull=False).count()
    assert sum(number for number, _ in foreseen.values()) == linked == 2


def test_memory_is_bounded_and_the_preview_says_what_it_left_out(previewed, monkeypatch):
    monkeypatch.setattr(duplicate_preview, "CHUNKS_KEPT", 1)
    monkeypatch.setattr(source_groups, "GROUP_SOURCES", 1)
    said = previewed(a_txt=TALK, b_txt=OTHER, c_txt=OTHER)
    assert [number for number, _ in said.values()] == [0, 0, 0]
    assert "may be more" in said["b.txt"][1]
    assert not Lecture.objects.exists()


def test_the_chunks_of_a_source_that_are_uncompared_are_those_of_the_index_run():
    a_lecture(TALK, key="a", title="One")
    a_lecture(TALK, key="b", title="Two")
    a_lecture(OTHER, key="c", title="Three")
    duplicates_link()
    Chunk.objects.filter(lecture__key="c").update(content_hash="changed")
    Chunk.objects.filter(duplicate_of__isnull=False).update(duplicate_of=None)  # released
    a_lecture("What no run has seen.", key="d", title="Four")
    wanted = set(uncompared().values_list("pk", flat=True))
    assert len(wanted) == 3
    assert set(duplicate_preview._uncompared_of(list(Lecture.objects.all()))) == wanted
