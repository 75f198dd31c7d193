"""Whatever a file holds, an importer takes it or refuses it in a sentence; nothing crashes, nothing is half stored.

`pytest --hypothesis-profile=long tests/corpus/test_import_fuzz.py` tries fifty times as many files;
`python -m tests.benchmarks.fuzz` imports thousands and counts what became of them.
"""

import random
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.importers.drafts import WorkDraft
from corpus.models import Chunk, Lecture, Work
from corpus.services import collection_ensure, sources_import
from tests.corpus.damage import BOMBS, GOOD, NAUGHTY, REPETITIVE, WEDGES, damaged, filled, lines, naughty
from tests.corpus.soundness import taken


@pytest.mark.parametrize("name", GOOD)
def test_the_undamaged_file_is_taken(name, tmp_path):
    (tmp_path / name).write_bytes(GOOD[name])
    assert taken(tmp_path)


@pytest.mark.parametrize("name", GOOD)
@settings(deadline=None)
@given(chance=st.randoms(use_true_random=False), phrase=st.text(max_size=20))
def test_a_damaged_file_is_taken_or_refused_in_a_sentence(name, chance, phrase):
    with TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(damaged(GOOD[name], chance, [phrase, *naughty()]))
        taken(Path(folder))


@pytest.mark.parametrize("name", GOOD)
@settings(deadline=None)
@given(chance=st.randoms(use_true_random=False), phrase=st.text(max_size=20))
def test_a_file_of_odd_values_is_taken_or_refused_in_a_sentence(name, chance, phrase):
    with TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(filled(name, chance, [phrase, *naughty()]))
        taken(Path(folder))


@pytest.mark.parametrize("name", BOMBS)
def test_a_file_made_to_do_harm_does_none(name, tmp_path):
    (tmp_path / name).write_bytes(BOMBS[name]())
    taken(tmp_path)


@pytest.mark.parametrize("name", REPETITIVE)
def test_time_grows_with_a_repetitive_file_and_no_faster(name, tmp_path):
    def seconds(times):
        beginning, unit, end = REPETITIVE[name]
        (tmp_path / name).write_text(beginning + unit * times + end)
        began = time.process_time()
        taken(tmp_path)
        return time.process_time() - began

    def least(times):
        return min(seconds(times) for _ in range(3))  # a busy machine slows some, not all

    assert least(8000) < 24 * max(least(1000), 0.01)  # as the size grows: 8 times; as its square: 64 times


@settings(deadline=None)
@given(st.sampled_from(sorted(GOOD)), st.sampled_from(sorted(GOOD)))
def test_a_file_under_another_ending_is_taken_or_refused_in_a_sentence(name, content):
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(GOOD[content])
        taken(path)


@pytest.mark.parametrize("name", GOOD)
def test_every_truncation_is_taken_or_refused_in_a_sentence(name, tmp_path):
    good = GOOD[name]
    for size in range(0, len(good), max(1, len(good) // 40)):
        (tmp_path / name).write_bytes(good[:size])
        taken(tmp_path)


@pytest.mark.skipif(not NAUGHTY.is_file(), reason="LECTORIUM_DATA holds no naughty strings")
def test_naughty_strings_are_taken_in_every_text_format(tmp_path):
    texts = naughty()
    one_line = [" ".join(text.split()).replace("-->", "→") for text in texts]
    cues = (f"{n}\n{clock(n)} --> {clock(n + 1)}\nsays {text}\n" for n, text in enumerate(one_line, start=1))
    contents = {
        "a.txt": "\n\n".join(texts),
        "b.md": "\n\n".join(f"says {text}" for text in one_line),
        "c.srt": "\n".join(cues),
        "d/corpus.jsonl": lines({"_id": f"n{n}", "title": t[:400], "text": t} for n, t in enumerate(texts)),
        "e/verses.jsonl": lines(
            {"ref": f"X 1.{n}", "chapter": 1, "verse": n, "text": f"says {t}"} for n, t in enumerate(texts, start=1)
        ),
    }
    for name, content in contents.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    drafts = taken(tmp_path)
    whole = {draft.key for draft in drafts}
    assert {"a", "b", "c"} <= whole
    (work,) = (draft for draft in drafts if isinstance(draft, WorkDraft))
    assert len(work.verses) == len(texts)


def clock(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},000"


@pytest.mark.django_db
def test_damaged_files_leave_nothing_half_stored(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"
    chance, folder = random.Random(4), tmp_path / "in"
    for number in range(80):
        name = chance.choice(sorted(GOOD))
        data = bytearray(GOOD[name])
        for _ in range(chance.randrange(3)):
            at = chance.randrange(max(1, len(data)))
            data[at : at + chance.randrange(9)] = chance.choice(WEDGES)
        path = folder / f"{number}" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(bytes(data))
    report = sources_import(paths=[folder], collection=collection_ensure(key="library"))
    assert report.refused
    assert report.count("imported") > 10
    assert not [outcome for outcome in report.refused if "the importer fail" in outcome.problem]
    assert sum(outcome.chunks for outcome in report.outcomes) == Chunk.objects.count()
    for lecture in Lecture.objects.all():
        assert lecture.waits_for_transcript or (lecture.sections.exists() and lecture.chunks.exists())
    for work in Work.objects.all():
        assert work.sections.exists()
        assert work.chunks.exists()
