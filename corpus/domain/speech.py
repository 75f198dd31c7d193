"""The parts of a transcript that are not spoken words: speaker labels and noises."""

import re
from collections import Counter
from collections.abc import Sequence

from .text.traced import TracedText

_NOISES = (
    "applause|laughter|laughs?|laughing|chuckles?|music|singing|cheering|cheers|inaudible|unintelligible|indistinct|"
    "silence|pause|noise|background noise|cough(?:s|ing)?|sighs?|crosstalk|bells?(?: rings?| ringing)?|clapping|"
    "static|no audio|blank[_ ]audio|chanting|humming|whistling|footsteps|knocking|foreign language"
)
# Square brackets mark an editor's addition; round ones may quote a speaker, so only a bare noise counts there.
NOISE = re.compile(
    rf"\[\s*(?:[\w’']+\s+){{0,2}}(?:{_NOISES})(?:\s+[\w’']+){{0,2}}\s*\]"
    rf"|\(\s*(?:(?:audience|loud|more|general|soft)\s+)?(?:{_NOISES})\s*\)"
    r"|[♪♫]+[^♪♫]*[♪♫]+|[♪♫]",
    re.IGNORECASE,
)
# A cue of only this may describe the sound in more words; other words in brackets are text: "[Krishna]".
SOUND = re.compile(rf"^\s*\[\s*(?:[\w’']+[\s,]+){{0,4}}(?:{_NOISES})(?:[\s,]+[\w’']+){{0,4}}\s*\]\s*$", re.IGNORECASE)
_CAPITALS = re.compile(r"^(?:>>\s*)?(?P<name>[A-ZÀ-ÞĀ-Ž][A-ZÀ-ÞĀ-ŽḌṂṆṚṢṬ.’' -]{1,40}):\s+")
_NAME = re.compile(r"^(?P<name>[^\W\d_][\w.’'-]*(?: [^\W\d_][\w.’'-]*){0,3}):\s+(?=\S)")


def labelled(text: TracedText) -> tuple[str, TracedText]:
    """The speaker in a leading "NAME:" in capitals ("" without one), and the text after it."""
    label = _CAPITALS.match(text.text)
    if not label:
        return "", text
    return label["name"].strip().title(), text.cut(label.end(), len(text.text))


def lifted(paragraphs: Sequence[TracedText]) -> list[tuple[str, TracedText]]:
    """(speaker, words) of each paragraph of an untimed transcript.

    A leading "Name:" is a speaker only if it leads two or more paragraphs; once, it may be a heading. A paragraph
    without a label has no speaker, since the previous one may have stopped.
    """
    labels = [_label(paragraph.text) for paragraph in paragraphs]
    names = Counter(label["name"] for label in labels if label)
    return [
        (_name(label["name"]), paragraph.cut(label.end(), len(paragraph.text)))
        if label and names[label["name"]] > 1
        else ("", paragraph)
        for label, paragraph in zip(labels, paragraphs, strict=True)
    ]


def _label(text: str) -> re.Match[str] | None:
    label = _CAPITALS.match(text) or _NAME.match(text)
    return label if label and label["name"][0].isupper() else None


def _name(label: str) -> str:
    return label.title() if label.isupper() else label
