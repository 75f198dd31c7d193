"""Formats told by what they hold, read without loss of place, and refused with a reason."""

import io
import re
import sqlite3
import zipfile
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.importers.archive import unpack
from corpus.importers.discovery import FOREIGN_REPORTED, UnopenedFile, find_files, read
from corpus.importers.drafts import NoteDraft, PinDraft
from corpus.importers.recording import seconds_of
from corpus.importers.refusal import ImportRefused
from tests.corpus.files import broken_zip, library, pdf, wave, zipped

VTT = (
    "WEBVTT\n\n00:01.000 --> 00:02.500\n<v Dr Rao>One &amp; <i>two</i>\nthree. [applause]\n\n"
    "00:02.500 --> 00:04.000\nﬁne.\n"
)
PINS = "CREATE TABLE pins (question TEXT, 'references' TEXT);"
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x question FROM n"
SRT = "1\n00:00:01,000 --> 00:00:02,000\n- Hello\n- you\n"


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def brought(path, workspace):
    """Return the drafts a path holds, and the refusals as (name, sentence)."""
    drafts, refusals = [], []
    for file in find_files(path, workspace):
        if isinstance(file, UnopenedFile):
            refusals.append((file.file, str(file)))
            continue
        try:
            drafts += read(file)
        except ImportRefused as refusal:
            refusals.append((file.name, str(refusal)))
    return drafts, refusals


def one(path, tmp_path):
    (draft,), refusals = brought(path, tmp_path)
    assert not refusals
    return draft


def refusal(path, tmp_path):
    drafts, ((_, said),) = brought(path, tmp_path)
    assert not drafts
    return said


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("talk.txt", VTT, "One & two three. fine."),
        ("talk.txt", SRT, "Hello you"),
        ("talk", SRT, "Hello you"),
        ("talk.txt", "# Title\n\nWords.", "Words."),
        ("talk.bin", pdf(["Words on a page."]), "Words on a page."),
        ("talk.json", '{"_id": "a", "text": "Words."}', "Words."),
    ],
)
def test_a_file_is_known_by_what_it_holds(tmp_path, name, content, text):
    draft = one(written(tmp_path / "in" / name, content), tmp_path)
    assert " ".join(paragraph.text for paragraph in draft.paragraphs) == text


def test_a_caption_is_found_again_in_its_file(tmp_path):
    draft = one(written(tmp_path / "talk.vtt", VTT.replace("\n", "\r\n")), tmp_path)
    (paragraph,) = draft.paragraphs
    assert (paragraph.text, paragraph.speaker) == ("One & two three. fine.", "Dr Rao")
    assert "One &amp; <i>two" in paragraph.source
    assert "ﬁne" in paragraph.source
    assert "00:02.500 --> 00:04.000" in paragraph.source
    assert [(paragraph.text[c.start : c.end], c.start_s, c.end_s) for c in paragraph.cues] == [
        ("One & two three.", 1.0, 2.5),
        ("fine.", 2.5, 4.0),
    ]
    assert [(sound.label, sound.start_s, sound.end_s) for sound in draft.sounds] == [("applause", 1.0, 2.5)]


def test_a_subrip_cue_keeps_its_blank_lines_and_needs_a_number_or_a_blank_line_before_it(tmp_path):
    text = SRT + "\nstill you\n\n00:00:02.000 --> 00:00:03.000 X1:0\n12 more\n3\n00:00:03,000 --> 00:00:04,500\nEnd."
    draft = one(written(tmp_path / "talk.srt", text.replace("\n", "\r\n")), tmp_path)
    (paragraph,) = draft.paragraphs
    assert [(paragraph.text[c.start : c.end], c.start_s, c.end_s) for c in paragraph.cues] == [
        ("Hello you still you", 1.0, 2.0),
        ("12 more", 2.0, 3.0),
        ("End.", 3.0, 4.5),
    ]
    assert "12 more" in paragraph.source


@pytest.mark.parametrize(
    "broken",
    [
        "2\n00:00:03,000 -> 00:00:04,000",
        "\n00:00:03,000 --> 00:00:04,0100",
        "you2\n00:00:03,000 --> 00:00:04,000",
        "\n0:0:3 on",
    ],
)
def test_a_broken_cue_is_not_read_as_words_of_the_one_before_it(tmp_path, broken):
    said = refusal(written(tmp_path / "talk.srt", f"{SRT}{broken}\nLost.\n"), tmp_path / "work")
    assert said.startswith("has 2 cues, of which 1 cannot be read")


def test_the_facts_of_a_note_behind_another_note_are_read(tmp_path):
    content = VTT.replace("WEBVTT\n", "WEBVTT\n\nNOTE Made by hand.\n\nNOTE\ntitle: On wonder\n", 1)
    assert one(written(tmp_path / "in" / "a.vtt", content), tmp_path).title == "On wonder"


@pytest.mark.parametrize("fraction", ["5", "50", "500"])
def test_a_fraction_of_a_second_in_subrip_is_read_by_its_digits(tmp_path, fraction):
    content = SRT.replace("01,000", f"01,{fraction}")
    (paragraph,) = one(written(tmp_path / "in" / "a.srt", content), tmp_path).paragraphs
    assert paragraph.cues[0].start_s == 1.5


def test_two_voices_in_one_cue_are_both_named(tmp_path):
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Yes.\n<v Bo>No.\n"
    assert one(written(tmp_path / "a.vtt", text), tmp_path).paragraphs[0].speaker == "Ann, Bo"


def test_a_markdown_quote_is_found_again_between_its_marks(tmp_path):
    text = "---\ntitle: T\n---\n# Head\n\nAll *men* are\n[mortal](http://x.org) &amp; \\*free\\*.\n\n> A `code` here.\n"
    first, second = one(written(tmp_path / "a.md", text), tmp_path).paragraphs
    assert first.text == "All men are mortal & *free*."
    assert first.source == "All *men* are\n[mortal](http://x.org) &amp; \\*free\\*."
    assert second.source == "A `code` here."


def test_indented_verse_and_fenced_blocks_are_paragraphs_of_their_own(tmp_path):
    text = "# T\n\n    dharma-kshetre\n    kuru-kshetre\n\n    mamakah\n\n> ```\n> In a fence.\n> ```\n"
    paragraphs = one(written(tmp_path / "a.md", text), tmp_path).paragraphs
    assert [p.text for p in paragraphs] == ["dharma-kshetre kuru-kshetre", "mamakah", "In a fence."]
    assert paragraphs[0].source == "dharma-kshetre\n    kuru-kshetre"
    assert paragraphs[2].source == ""


def test_no_grammar_of_markdown_swallows_what_is_said(tmp_path):
    text = (
        "---\nFirst words.\n---\n\n[Ann]: Yes.\n[Bo]: No.\n\n[link]: http://x.org\n\n1776. A great year.\n\n"
        "<p>Some <b>bold</b></p>\n\n| a | b |\n|---|---|\n| c | d |\n\n~~~ om namo\nnarayana\n~~~\n\n"
        "## 1. Atha\n## 2. Yoga\n"
    )
    said = " ".join(p.text for p in one(written(tmp_path / "a.md", text), tmp_path).paragraphs)
    for words in ("[Ann]: Yes.", "[Bo]: No.", "1776. A great year.", "<b>bold</b>", "| c | d |", "om namo narayana"):
        assert words in said
    assert "2. Yoga" in said
    assert "x.org" not in said


BLOCKS = st.sampled_from(
    ["{}", "    {}", "\t{}", "> {}", "- {}", "1. {}", "7) {}", "# {}", "### {}", "```\n{}\n```", "~~~ {} {}\n{}",
     "<div>{}</div>", "| {} | {} |\n|---|---|", "[{}]: {}", "{}\n===", "*{}* [{}](http://x.org)", "![{}](a.png)",
     "`{}`", "-     {}"]
)  # fmt: skip


@settings(deadline=None)
@given(blocks=st.lists(st.tuples(BLOCKS, st.sampled_from(["\n", "\n\n", "\n\n\n"])), min_size=1, max_size=12))
def test_no_word_is_lost(blocks):
    numbers = count(1)
    text = "".join(re.sub(r"\{\}", lambda _: f"w{next(numbers)}w", form) + end for form, end in blocks)
    with TemporaryDirectory() as folder:
        draft = one(written(Path(folder) / "a.md", f"{text}\n\nThe end.\n"), Path(folder))
    kept = " ".join([draft.title, *(f"{p.heading} {p.text}" for p in draft.paragraphs)])
    assert set(re.findall(r"w\d+w", text)) <= set(re.findall(r"w\d+w", kept)), text


def test_plain_text_lifts_speakers_and_joins_divided_words(tmp_path):
    text = "Rao: The con-\nscious self. [laughter]\n\nMara: Why?\n\nRao: Be-\ncause.\n\nMara: Oh."
    paragraphs = one(written(tmp_path / "a.txt", text), tmp_path).paragraphs
    assert [(p.speaker, p.text) for p in paragraphs] == [
        ("Rao", "The conscious self."), ("Mara", "Why?"), ("Rao", "Because."), ("Mara", "Oh."),
    ]  # fmt: skip
    assert paragraphs[0].source.startswith("The con-\nscious self.")


def test_a_pdf_loses_page_numbers_and_running_heads_and_keeps_its_sentences(tmp_path):
    pages = [f"ON WONDER\nand goes on through page {n} until the\n{n}" for n in range(1, 5)]
    text = "\n".join(p.text for p in one(written(tmp_path / "a.pdf", pdf(pages)), tmp_path).paragraphs)
    assert "ON WONDER" not in text
    assert "until the and goes on through page 2" in text


@pytest.mark.parametrize(
    ("pages", "text"),
    [
        (["He left for Chicago in\n1893.", "He arrived in July."], "He left for Chicago in 1893. He arrived in July."),
        (["He left for Chicago in\n7", "1893.\nHe came late."], "He left for Chicago in 1893. He came late."),
        (["On the way he was very\nill.", "He came late."], "On the way he was very ill. He came late."),
        (["He left Bombay.\n12.", "He came late."], "He left Bombay. He came late."),
        (["On the way he was\n12.", "ill for days."], "On the way he was ill for days."),
        (["vi.\nHe left Bombay.", "He came late."], "He left Bombay. He came late."),
    ],
)
def test_a_number_alone_on_a_line_is_kept_where_it_ends_a_sentence(tmp_path, pages, text):
    paragraphs = one(written(tmp_path / "a.pdf", pdf(pages)), tmp_path).paragraphs
    assert " ".join(paragraph.text for paragraph in paragraphs) == text


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.pdf", pdf([""]), "has no text layer"),
        ("a.pdf", b"words", "not a PDF that can be read"),
        ("a.pdf", pdf(["Words."])[:200], "a PDF"),
        ("a.mp3", b"not a sound", "no readable audio"),
        ("a.webm", b"not a sound", "no readable audio"),
        ("a.db", b"SQLite format 3\0" + b"x" * 200, "SQLite file that cannot be read"),
        ("a.txt", "<!DOCTYPE html><p>x", "is a web page"),
        ("a.txt", "{\\rtf1 x}", "Rich Text"),
        ("a.zip", b"PK\x03\x04 broken", "cannot be unpacked"),
        ("a.zip", broken_zip(zipfile.ZIP_DEFLATED), "cannot be unpacked"),
        ("a.zip", broken_zip(zipfile.ZIP_BZIP2), "pack it again"),
        ("a.zip", broken_zip(zipfile.ZIP_LZMA), "cannot be unpacked"),
        ("a.zip", zipped({".": "x"}), "names no file"),
        ("a.zip", zipped({"../../etc/a.txt": "x"}), "written elsewhere"),
        ("a.zip", zipped({"/a.txt": "x"}), "written elsewhere"),
        ("a.zip", zipped({"C:\\a.txt": "x"}), "written elsewhere"),
        ("a.zip", zipped({"a.txt": b"\0" * 30_000_000}), "unpacks to more than 100 times its packed size"),
        ("a.zip", zipped({"b.zip": zipped({"a.txt": "x"})}), "an archive itself"),
        ("a.zip", zipped({"[Content_Types].xml": "x"}), "office document"),
        ("a.zip", zipped({"picture.png": "x"}), "contains no file that ends in"),
        ("a.docx", b"\xd0\xcf\x11\xe0\0\0", "has no supported format"),
    ],
)
def test_what_cannot_be_taken_says_so_in_a_sentence(tmp_path, name, content, said):
    assert said in refusal(written(tmp_path / "in" / name, content), tmp_path)


def test_webm_is_taken_by_how_it_begins_and_its_length_stays_unknown(tmp_path):
    draft = one(written(tmp_path / "a.webm", b"\x1a\x45\xdf\xa3\x01"), tmp_path)
    assert (draft.media, seconds_of(draft.media)) == (tmp_path / "a.webm", None)


def test_a_link_or_a_password_in_an_archive_is_refused(tmp_path):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        link = zipfile.ZipInfo("a.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert "is a link" in refusal(written(tmp_path / "in" / "a.zip", file.getvalue()), tmp_path)


def test_an_archive_is_a_folder_and_one_bad_file_in_it_stops_no_other(tmp_path):
    content = zipped({"x/a.txt": "One.", "x/b.vtt": "no", "__MACOSX/._a.txt": "junk", "c.md": "Two."})
    drafts, refusals = brought(written(tmp_path / "in" / "talks.zip", content), tmp_path)
    assert {draft.key for draft in drafts} == {"x/a", "c"}
    ((name, _),) = refusals
    assert name.endswith("talks.zip/x/b.vtt")


def test_what_a_folder_holds_beside_sources_is_told_but_for_noise(tmp_path):
    for name in ("a.txt", "a.wav", "cover.jpg", "deep/b.html", ".git/c.txt", "~$a.docx", "Thumbs.db", "README.md"):
        written(tmp_path / "in" / name, wave() if name.endswith("wav") else "Words.")
    (draft,), refusals = brought(tmp_path / "in", tmp_path)
    assert draft.key == "a"
    assert sorted(name.rpartition("/in/")[2] for name, _ in refusals) == ["cover.jpg", "deep/b.html"]
    assert all(said.startswith("has no supported format; convert it to one of .vtt") for _, said in refusals)


def test_many_files_that_are_not_read_are_told_in_few_lines(tmp_path):
    written(tmp_path / "in" / "a.txt", "Words.")
    for number in range(50):
        written(tmp_path / "in" / f"{number:02}.jpg", "x")
    _, refusals = brought(tmp_path / "in", tmp_path)
    assert len(refusals) == FOREIGN_REPORTED + 1
    assert refusals[-1][0].endswith("/20.jpg")
    assert refusals[-1][1].startswith("has no supported format (29 more here); convert")


def test_a_recording_alone_waits_and_beside_a_transcript_joins_it(tmp_path):
    written(tmp_path / "in" / "a.wav", wave())
    written(tmp_path / "in" / "b.wav", wave())
    written(tmp_path / "in" / "b.txt", "Words.")
    (waiting, joined), _ = brought(tmp_path / "in", tmp_path)
    assert (waiting.key, waiting.paragraphs, waiting.media.name) == ("a", (), "a.wav")
    assert (joined.key, joined.media.name) == ("b", "b.wav")


def test_a_library_brings_works_pins_and_notes(tmp_path):
    path = library(
        tmp_path / "in" / "library.db",
        works=[("gita", "Bhagavad-gītā", "en")],
        sections=[
            ("gita", "BG 2.13", "BG", 2, 13, "As the  embodied soul"),
            ("gita", "Preface 1", None, None, None, "Prose."),
        ],
        pins=[("What is the soul?", '["BG 2.13"]')],
        notes=[("Soul", "A note.", "soul\nātmā")],
    )
    (work, pin, note), refusals = brought(path, tmp_path)
    assert not refusals
    assert [(v.address, v.chapter, v.text) for v in work.verses] == [
        ("BG 2.13", 2, "As the embodied soul"), ("Preface 1", None, "Prose."),
    ]  # fmt: skip
    assert work.books == {"BG": {"2": 13}}
    assert isinstance(pin, PinDraft)
    assert (pin.key, pin.references) == ("What is the soul?", ("BG 2.13",))
    assert isinstance(note, NoteDraft)
    assert note.triggers == ("soul", "ātmā")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("CREATE TABLE other (x)", "holds no works, pins, notes or facts"),
        ("CREATE TABLE works (key TEXT, title TEXT)", 'none called "sections"'),
        ("CREATE TABLE pins (question TEXT)", 'table "pins" without the column "references"'),
        (PINS + "INSERT INTO pins VALUES ('q', '')", "row 1 has nothing under"),
        (PINS + "INSERT INTO pins VALUES ('q', '[1')", "not a JSON list"),
        (PINS + "INSERT INTO pins VALUES (x'ff00', 'a')", 'row 1 has bytes under "question", not text'),
        (f"CREATE VIEW pins AS {ENDLESS}", "holds no works"),
    ],
)  # fmt: skip
def test_a_library_that_is_wrong_says_where(tmp_path, statement, said):
    path = tmp_path / "in.db"
    with sqlite3.connect(path) as database:
        database.executescript(statement)
    database.close()
    assert said in refusal(path, tmp_path)


@pytest.mark.parametrize(
    ("section", "said"),
    [
        (("k", "BG 1.1", "B" * 201, 1, 1, "One"), "has a book of 201 characters"),
        (("k", "B" * 201, "BG", 1, 1, "One"), "has a ref of 201 characters"),
    ],
)
def test_a_section_whose_names_no_table_holds_is_refused(tmp_path, section, said):
    draft = one(library(tmp_path / "in" / "a.db", [("k", "T", "en")], [section]), tmp_path)
    with pytest.raises(ImportRefused, match=said):
        draft.check()


def test_a_file_name_no_database_takes_is_still_imported(tmp_path):
    path = Path(str(tmp_path / "in" / "b\udcffd.txt"))
    assert one(written(path, "Words."), tmp_path).key == "bd"


def test_a_refusal_repeats_no_more_of_a_file_than_fits_a_sentence(tmp_path):
    """What zipfile says of a damaged entry quotes the bytes in place of its name, however many."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a" * 2000 + ".txt", "In the beginning.")
    path.write_bytes(path.read_bytes().replace(b"aaaa", b"\x00\xff\x00\xff", 300))
    with pytest.raises(ImportRefused) as refusal:
        unpack(path, tmp_path / "out")
    assert len(str(refusal.value)) < 300
    assert str(refusal.value).endswith("pack it again")
