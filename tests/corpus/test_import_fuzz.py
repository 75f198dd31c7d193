"""Whatever a file holds, an importer takes it or refuses it in a sentence; nothing crashes, nothing is half stored.

`pytest --hypothesis-profile=long tests/corpus/test_import_fuzz.py` tries fifty times as many files.
"""

import json
import random
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.conf import settings as site
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.importers.discovery import Unopened, find_files, read
from corpus.importers.drafts import LectureDraft, Refused, WorkDraft
from corpus.models import Chunk, Lecture, Section, Work
from corpus.services import collection_ensure, sources_import
from tests.corpus.files import library, pdf, wave, zipped

NAUGHTY = site.DATA_DIR / "attacks" / "naughty_strings.json"
MARKDOWN = "---\ntitle: T\ndate: 2023-01-08\n---\n# Head\n\nOne *two* &amp; \\*.\n\n## Next\n\n- a\n- b `c`\n"
VTT = (
    "WEBVTT\n\nNOTE\ntitle: T\n\n1\n00:01.000 --> 00:02.000\n<v Ann>One &amp;\ntwo [applause]\n\n"
    "00:02.000 --> 00:03.500\nX: y\n"
)
SRT = "1\n00:00:01,000 --> 00:00:02,000\n- One\n\n2\n00:00:02,500 --> 00:00:03,000\nTWO: two\n"
PARAGRAPHS = [{"lecture": "a", "para": n, "text": f"Words {n}.", "speaker": "Ann"} for n in range(3)]
VERSES = [{"ref": f"BG 1.{n}", "chapter": 1, "verse": n, "text": ["one", "two"]} for n in range(1, 4)]


def lines(records):
    return "\n".join(json.dumps(record) for record in records)


def library_bytes():
    with TemporaryDirectory() as folder:
        path = library(
            Path(folder) / "l.db", [("k", "T", "en")], [("k", "BG 1.1", "BG", 1, 1, "One")], [("q", '["BG 1.1"]')],
            [("t", "b", "x")],
        )  # fmt: skip
        return path.read_bytes()


GOOD = {
    "a.txt": b"Ann: One con-\nscious.\n\nAnn: Two [laughter]\r\n\r\nThree.",
    "a.md": MARKDOWN.encode(),
    "a.vtt": VTT.encode(),
    "a.srt": SRT.encode(),
    "paragraphs.jsonl": lines(PARAGRAPHS).encode(),
    "corpus.jsonl": lines({"_id": str(n), "title": "T", "text": "One.\n\nTwo."} for n in range(3)).encode(),
    "verses.jsonl": lines(VERSES).encode(),
    "a.pdf": pdf(["HEAD\nOne con-\nscious.\n1", "HEAD\nTwo.\n2"]),
    "a.db": library_bytes(),
    "a.zip": zipped({"b/a.vtt": VTT, "c.txt": "One."}),
    "a.wav": wave(),
}
WEDGES = [
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"-->", b"\n\n", b"{", b'"', b"\\u0000", b"\\ud800", b"&#0;",
    b"&#xd800;", b"<v ", b"99:99:99.999", b"9999999999:00:00.000", b"1e999", b"endobj", b"/Filter /FlateDecode", b"-1",
    b"..", b"[" * 2000,
]  # fmt: skip
ENCODINGS = ["utf-16", "utf-16-be", "utf-32", "cp1252", "shift_jis", "utf-7", "cp037"]


@st.composite
def damaged(draw, good):
    """A good file that was cut, flipped, wedged, doubled or encoded otherwise; or noise with its first bytes."""
    data = bytearray(good)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.sampled_from(["cut", "flip", "wedge", "double", "noise", "encode"])):
            case "cut":
                del data[at : at + draw(st.integers(1, 400))]
            case "flip" if data:
                data[at] = draw(st.integers(0, 255))
            case "wedge":
                data[at:at] = draw(st.sampled_from(WEDGES) | st.binary(max_size=20) | st.text(max_size=20).map(encoded))
            case "double":
                data[at:at] = data[: draw(st.integers(0, 300))]
            case "noise":
                data[at:] = draw(st.binary(max_size=300))
            case "encode":
                data = bytearray(data.decode("utf-8", "replace").encode(draw(st.sampled_from(ENCODINGS)), "replace"))
    return bytes(data)


def encoded(text):
    return text.encode("utf-8", "surrogatepass")


def taken(folder):
    """Return every draft a folder or file yields that passes its check; each refusal must be a readable sentence."""
    drafts = []
    with TemporaryDirectory() as workspace:
        try:
            for file in find_files(folder, Path(workspace)):
                if isinstance(file, Unopened):
                    readable(file.file, file)
                    continue
                try:
                    for draft in read(file):
                        draft.check()
                        sound(draft)
                        drafts.append(draft)
                except Refused as refusal:
                    readable(file.name, refusal)
        except Refused as refusal:
            readable(str(folder), refusal)
    return drafts


def readable(name, refusal):
    said = f"{name} {refusal}"
    assert str(refusal).strip()
    assert "\n" not in str(refusal)
    assert "Traceback" not in said
    assert len(str(refusal)) < 500
    storable(said)


def storable(text):
    assert "\0" not in text
    text.encode()


def sound(draft):
    """A draft must be storable, and whatever it claims of times and places must hold."""
    for value in (draft.file, draft.key, getattr(draft, "title", ""), getattr(draft, "speaker", "")):
        storable(value)
    if isinstance(draft, LectureDraft):
        cues = [cue for paragraph in draft.paragraphs for cue in paragraph.cues]
        assert all(cue.start_s < cue.end_s for cue in cues)
        assert all(a.end_s <= b.start_s for a, b in pairwise(cues))
        assert all(cue.end <= len(p.text) and cue.start < cue.end for p in draft.paragraphs for cue in p.cues)
    for part in draft.paragraphs if isinstance(draft, LectureDraft) else getattr(draft, "verses", ()):
        storable(part.text)
        storable(part.source)
        assert part.text.strip()
        assert all(0 <= o.start < o.end <= len(part.text) for o in part.origins)
        assert all(0 <= o.source_start <= o.source_end <= len(part.source) for o in part.origins)


@pytest.mark.parametrize("name", GOOD)
def test_the_undamaged_file_is_taken(name, tmp_path):
    (tmp_path / name).write_bytes(GOOD[name])
    assert taken(tmp_path)


@pytest.mark.parametrize("name", GOOD)
@settings(deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_taken_or_refused_in_a_sentence(name, data):
    with TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(data.draw(damaged(GOOD[name])))
        taken(Path(folder))


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
    naughty = [text for text in json.loads(NAUGHTY.read_text(encoding="utf-8")) if text.strip()]
    one_line = [" ".join(text.split()).replace("-->", "→") for text in naughty]
    cues = (f"{n}\n{clock(n)} --> {clock(n + 1)}\nsays {text}\n" for n, text in enumerate(one_line, start=1))
    contents = {
        "a.txt": "\n\n".join(naughty),
        "b.md": "\n\n".join(f"says {text}" for text in one_line),
        "c.srt": "\n".join(cues),
        "d/corpus.jsonl": lines({"_id": f"n{n}", "title": t[:400], "text": t} for n, t in enumerate(naughty)),
        "e/verses.jsonl": lines(
            {"ref": f"X 1.{n}", "chapter": 1, "verse": n, "text": f"says {t}"} for n, t in enumerate(naughty, start=1)
        ),
    }
    for name, content in contents.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    drafts = taken(tmp_path)
    whole = {draft.key for draft in drafts}
    assert {"a", "b", "c"} <= whole
    (work,) = (draft for draft in drafts if isinstance(draft, WorkDraft))
    assert len(work.verses) == len(naughty)


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
    assert all(section.as_imported(0, len(section.text)) for section in Section.objects.all())
