"""Build the sample lectures: read samples/src/*.md, write WebVTT transcripts and, for recorded lectures, MP3 speech.

Run ``python samples/build.py``. Rebuilding a recording needs espeak-ng and ffmpeg; where either is missing the
committed recording and its transcript are left as they are.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = HERE / "src"
LECTURES = HERE / "lectures"

VOICE = "en-gb-x-rp+f4"
SPEAKING_RATE = 148  # words a minute inside a phrase; pauses bring the lecture to about 150
BIT_RATE = "24k"

SECONDS_PER_WORD = 0.4
CUE_WORDS = range(8, 23)
IDEAL_CUE_WORDS = 15
LEAD_IN = 0.5
TAIL = 0.5
PHRASE_GAP = 0.1
SENTENCE_GAP = 0.3
PARAGRAPH_GAP = 1.5

ASIDE = re.compile(r"\[\w+\]")
PHRASE = re.compile(rf"{ASIDE.pattern}|\S.*?(?:[.?!,;:][”’)]*(?=\s|$)|\s—(?=\s)|$)")
SENTENCE_END = re.compile(r"[.?!\]][”’)]*$")
JOINING_WORDS = frozenset(
    ["and", "or", "but", "that", "which", "who", "because", "when", "if", "than", "as", "for", "to"]
)
ADDRESS = re.compile(r"BG (\d+)\.(\d+)")
WORD = re.compile(r"(?P<stem>\w+)(?P<possessive>['’]s\b)?")
MARKS = re.compile("[āīūṛṅñṭḍṇśṣṃṁḥ]", re.IGNORECASE)
LETTER_SOUNDS = str.maketrans(
    {"ā": "ah", "ī": "ee", "ū": "oo", "ṛ": "ri", "ṭ": "t", "ḍ": "d", "ṅ": "n", "ñ": "n", "ṇ": "n"}
    | {"ś": "sh", "ṣ": "sh", "ṃ": "m", "ṁ": "m", "ḥ": "h"}
)


@dataclass(frozen=True)
class SampleLecture:
    stem: str
    details: dict[str, str]
    paragraphs: tuple[str, ...]

    @property
    def recorded(self) -> bool:
        return self.details.get("recorded") == "yes"


@dataclass(frozen=True)
class SampleCue:
    text: str
    start: float
    end: float


def read_lecture(path: Path) -> SampleLecture:
    """Parse front matter (``key: value`` lines between two ``---`` lines) and blank-line separated paragraphs."""
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    details = dict(line.split(": ", 1) for line in front.strip().splitlines())
    paragraphs = tuple(" ".join(block.split()) for block in body.strip().split("\n\n"))
    return SampleLecture(path.stem, details, paragraphs)


def split_cues(paragraph: str) -> list[str]:
    """Cut a paragraph into cue texts at phrase ends, preferring sentence ends and cues of about 15 words."""
    phrases = [part for phrase in PHRASE.findall(paragraph) for part in _shorten(phrase)]
    best: list[tuple[float, list[str]]] = [(0.0, [])]
    for end in range(1, len(phrases) + 1):
        candidates = []
        for begin in range(end):
            text = " ".join(phrases[begin:end])
            cost, cues = best[begin]
            candidates.append((cost + _cue_cost(text), [*cues, text]))
        best.append(min(candidates, key=lambda candidate: candidate[0]))
    return best[-1][1]


def _shorten(phrase: str) -> list[str]:
    """Halve an unpunctuated phrase too long for one cue, before the joining word nearest its middle."""
    words = phrase.split()
    if len(words) < CUE_WORDS.stop:
        return [phrase]
    middle = len(words) / 2
    places = [i for i in range(4, len(words) - 3) if words[i] in JOINING_WORDS] or [round(middle)]
    cut = min(places, key=lambda place: abs(place - middle))
    return [*_shorten(" ".join(words[:cut])), *_shorten(" ".join(words[cut:]))]


def _cue_cost(text: str) -> float:
    if ASIDE.search(text):
        return 0 if ASIDE.fullmatch(text) else 1000
    count = len(text.split())
    outside = 1000 if count not in CUE_WORDS else 0
    unfinished = 0 if SENTENCE_END.search(text) else 25
    return outside + unfinished + (count - IDEAL_CUE_WORDS) ** 2


def pauses(paragraphs: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    """Yield each cue text with the silence, in seconds, that precedes it."""
    pause = LEAD_IN
    for paragraph in paragraphs:
        for text in split_cues(paragraph):
            yield text, pause
            pause = SENTENCE_GAP if SENTENCE_END.search(text) else PHRASE_GAP
        pause = PARAGRAPH_GAP


def estimated_cues(lecture: SampleLecture) -> list[SampleCue]:
    cues: list[SampleCue] = []
    clock = 0.0
    for text, pause in pauses(lecture.paragraphs):
        start = clock + pause
        clock = start + max(3.0, len(text.split()) * SECONDS_PER_WORD)
        cues.append(SampleCue(text, start, clock))
    return cues


def recorded_cues(lecture: SampleLecture, recording: Path) -> list[SampleCue]:
    """Speak the lecture cue by cue into ``recording`` and return cues timed by the sample counts of the pieces."""
    cues: list[SampleCue] = []
    frames = 0
    with tempfile.TemporaryDirectory() as folder:
        joined = Path(folder) / "lecture.wav"
        with wave.open(str(joined), "wb") as out:
            for text, pause in pauses(lecture.paragraphs):
                sound, rate = speak(text, Path(folder) / "cue.wav")
                if not cues:
                    out.setparams((1, 2, rate, 0, "NONE", "not compressed"))
                silence = round(pause * rate)
                out.writeframes(b"\0\0" * silence + sound)
                start = frames + silence
                frames = start + len(sound) // 2
                cues.append(SampleCue(text, start / rate, frames / rate))
            out.writeframes(b"\0\0" * round(TAIL * rate))
        encode(joined, recording)
    return cues


def speak(text: str, piece: Path) -> tuple[bytes, int]:
    """Return 16-bit mono samples and their rate for one cue."""
    command = ["espeak-ng", "-v", VOICE, "-s", str(SPEAKING_RATE), "-z", "-w", str(piece), "--stdin"]
    subprocess.run(command, input=spoken(text), text=True, check=True)
    with wave.open(str(piece), "rb") as sound:
        return sound.readframes(sound.getnframes()), sound.getframerate()


def encode(sound: Path, recording: Path) -> None:
    exact = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-id3v2_version", "0"]
    command = ["ffmpeg", "-v", "error", "-y", "-i", str(sound), "-ac", "1", "-c:a", "libmp3lame", "-b:a", BIT_RATE]
    subprocess.run([*command, *exact, str(recording)], check=True)


def spoken(text: str) -> str:
    """Write addresses out in words and give espeak-ng the phonemes of the words it would otherwise mispronounce."""
    text = ADDRESS.sub(r"chapter \1, verse \2", text)
    return WORD.sub(_sound, text)


def _sound(word: re.Match[str]) -> str:
    sound = pronunciations().get(word["stem"].lower())
    if sound is None:
        return word.group().lower().translate(LETTER_SOUNDS) if MARKS.search(word.group()) else word.group()
    return f"[[{sound}{'z' if word['possessive'] else ''}]]"


@cache
def pronunciations() -> dict[str, str]:
    lines = (SOURCES / "pronunciations.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(" = ", 1) for line in lines if not line.startswith("#"))


def write_transcript(lecture: SampleLecture, cues: list[SampleCue]) -> None:
    details = [f"{key}: {value}" for key, value in lecture.details.items() if key != "recorded"]
    blocks = ["WEBVTT", "\n".join(["NOTE", *details])]
    blocks += [f"{timestamp(cue.start)} --> {timestamp(cue.end)}\n{cue.text}" for cue in cues]
    (LECTURES / f"{lecture.stem}.vtt").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def timestamp(seconds: float) -> str:
    minutes, milliseconds = divmod(round(seconds * 1000), 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{milliseconds / 1000:06.3f}"


def build(lecture: SampleLecture, can_speak: bool) -> str:
    """Write one lecture's outputs and return a line that says what was written."""
    if not lecture.recorded:
        cues = estimated_cues(lecture)
    elif can_speak:
        cues = recorded_cues(lecture, LECTURES / f"{lecture.stem}.mp3")
    else:
        return f"{lecture.stem}: kept as committed; install espeak-ng and ffmpeg to rebuild its recording"
    write_transcript(lecture, cues)
    words = sum(len(paragraph.split()) for paragraph in lecture.paragraphs)
    return f"{lecture.stem}: {words} words, {len(cues)} cues, {timestamp(cues[-1].end)}"


def main() -> None:
    LECTURES.mkdir(exist_ok=True)
    can_speak = all(map(shutil.which, ("espeak-ng", "ffmpeg")))
    for path in sorted(SOURCES.glob("*.md")):
        sys.stdout.write(build(read_lecture(path), can_speak) + "\n")


if __name__ == "__main__":
    main()
