"""The sample corpus is complete, well-formed and consistent with itself."""

import importlib.util
import json
import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
STEMS = sorted(path.stem for path in (SAMPLES / "src").glob("*.md"))
RECORDED = sorted(path.stem for path in (SAMPLES / "lectures").glob("*.mp3"))
CUE = re.compile(r"^(\d\d:\d\d:\d\d\.\d{3}) --> (\d\d:\d\d:\d\d\.\d{3})\n(.+)$", re.MULTILINE)
ADDRESS = re.compile(r"BG \d+\.\d+")


def load_build():
    spec = importlib.util.spec_from_file_location("samples_build", SAMPLES / "build.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


build = load_build()
META = json.loads((SAMPLES / "works/gita.meta.json").read_text(encoding="utf-8"))
VERSES = [json.loads(line) for line in (SAMPLES / "works/gita.jsonl").read_text(encoding="utf-8").splitlines()]
QUESTIONS = json.loads((SAMPLES / "questions.json").read_text(encoding="utf-8"))


def lecture(stem):
    return build.read_lecture(SAMPLES / "src" / f"{stem}.md")


def transcript(stem):
    return (SAMPLES / "lectures" / f"{stem}.vtt").read_text(encoding="utf-8")


def seconds(timestamp):
    hours, minutes, rest = timestamp.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def cues(stem):
    return [(seconds(start), seconds(end), text) for start, end, text in CUE.findall(transcript(stem))]


def mp3_seconds(data):
    """Duration of an MPEG-2 layer III stream, by walking its frames; the first only holds the encoder's note."""
    kbits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    rates = [22050, 24000, 16000]
    position, duration = 0, 0.0
    while position < len(data):
        assert data[position] == 0xFF
        assert data[position + 1] & 0xFE == 0xF2, "not an MPEG-2 layer III frame"
        flags = data[position + 2]
        rate = rates[flags >> 2 & 3]
        if position:
            duration += 576 / rate
        position += 72_000 * kbits[flags >> 4] // rate + (flags >> 1 & 1)
    return duration


def test_there_are_eight_lectures_and_two_of_them_are_recorded():
    assert len(STEMS) == 8
    assert [path.stem for path in sorted((SAMPLES / "lectures").glob("*.vtt"))] == STEMS
    assert [stem for stem in STEMS if lecture(stem).recorded] == RECORDED
    assert len(RECORDED) == 2


@pytest.mark.parametrize("stem", STEMS)
def test_a_lecture_has_between_1000_and_1800_words(stem):
    assert 1000 <= sum(len(paragraph.split()) for paragraph in lecture(stem).paragraphs) <= 1800


@pytest.mark.parametrize("stem", STEMS)
def test_a_transcript_opens_with_its_details_in_the_first_note(stem):
    header, note, _ = transcript(stem).split("\n\n", 2)
    first, *lines = note.splitlines()
    details = dict(line.split(": ", 1) for line in lines)
    assert (header, first) == ("WEBVTT", "NOTE")
    assert list(details) == ["title", "speaker", "date", "place", "language", "series"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", details["date"])


@pytest.mark.parametrize("stem", STEMS)
def test_cues_follow_one_another_and_last_from_two_to_ten_seconds(stem):
    spans = cues(stem)
    assert all(2 <= end - start <= 10 for start, end, _ in spans)
    assert all(end < start for (_, end, _), (start, _, _) in pairwise(spans))


@pytest.mark.parametrize("stem", STEMS)
def test_gaps_of_a_second_or_more_recover_the_paragraphs_of_the_source(stem):
    spans = cues(stem)
    paragraphs = [[spans[0][2]]]
    for (_, end, _), (start, _, text) in pairwise(spans):
        gap = start - end
        assert gap <= 0.4 or 1.2 <= gap <= 2
        paragraphs.append([text]) if gap >= 1 else paragraphs[-1].append(text)
    assert tuple(" ".join(parts) for parts in paragraphs) == lecture(stem).paragraphs


@pytest.mark.parametrize("stem", [stem for stem in STEMS if stem not in RECORDED])
def test_the_committed_transcript_of_an_unrecorded_lecture_is_what_its_source_builds(stem):
    built = [
        (build.timestamp(cue.start), build.timestamp(cue.end), cue.text) for cue in build.estimated_cues(lecture(stem))
    ]
    assert CUE.findall(transcript(stem)) == built


@pytest.mark.parametrize("stem", RECORDED)
def test_a_recording_is_small_and_ends_just_after_its_last_cue(stem):
    recording = (SAMPLES / "lectures" / f"{stem}.mp3").read_bytes()
    assert len(recording) <= 2_000_000
    assert mp3_seconds(recording) == pytest.approx(cues(stem)[-1][1] + build.TAIL, abs=0.15)


@given(
    st.lists(st.sampled_from(["word", "stop.", "comma,", "and", "[laughter]", "“Ask?”", "—"]), min_size=1, max_size=60)
)
def test_splitting_into_cues_keeps_every_word_in_order(words):
    paragraph = " ".join(words)
    assert " ".join(build.split_cues(paragraph)) == paragraph


def test_times_are_carried_into_minutes_and_hours():
    assert build.timestamp(59.9996) == "00:01:00.000"
    assert build.timestamp(3661.5) == "01:01:01.500"


def test_speech_has_addresses_in_words_and_names_in_phonemes():
    assert build.spoken("In BG 2.47, dharma.") == "In chapter 2, verse 47, [[d'A:m@]]."
    assert build.spoken("Kṛṣṇa’s titikṣā") == "[[kr'ISn@z]] titikshah"


def test_the_chapters_hold_seven_hundred_verses():
    assert list(META["chapters"]) == [str(chapter) for chapter in range(1, 19)]
    assert sum(META["chapters"].values()) == 700


def test_every_verse_has_a_sound_address_and_stands_in_order_once():
    places = [(verse["chapter"], verse["verse"]) for verse in VERSES]
    assert places == sorted(set(places))
    for verse in VERSES:
        assert verse["ref"] == f"BG {verse['chapter']}.{verse['verse']}"
        assert 1 <= verse["verse"] <= META["chapters"][str(verse["chapter"])]


def test_every_chapter_has_a_verse_and_no_text_is_repeated():
    assert {verse["chapter"] for verse in VERSES} == set(range(1, 19))
    assert max(Counter(verse["text"] for verse in VERSES).values()) == 1
    assert all(verse["text"].strip() == verse["text"] for verse in VERSES)


@pytest.mark.parametrize("stem", STEMS)
def test_every_verse_that_a_lecture_mentions_is_in_the_work(stem):
    mentioned = {address for paragraph in lecture(stem).paragraphs for address in ADDRESS.findall(paragraph)}
    assert mentioned
    assert mentioned <= {verse["ref"] for verse in VERSES}


def test_example_questions_expect_places_that_exist():
    places = {verse["ref"] for verse in VERSES} | set(STEMS)
    assert len(QUESTIONS["answerable"]) >= 12
    for example in QUESTIONS["answerable"]:
        assert set(example) == {"question", "expect"}
        assert example["expect"]
        assert set(example["expect"]) <= places


def test_every_lecture_is_expected_by_some_question():
    assert set(STEMS) <= {place for example in QUESTIONS["answerable"] for place in example["expect"]}


def test_example_refusals_say_why_they_must_be_refused():
    assert len(QUESTIONS["refused"]) >= 3
    assert all(set(example) == {"question", "reason"} for example in QUESTIONS["refused"])


def test_no_question_is_asked_twice():
    questions = [example["question"] for kind in QUESTIONS.values() for example in kind]
    assert len(set(questions)) == len(questions)
