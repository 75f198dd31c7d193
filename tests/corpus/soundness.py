"""What must hold of every file's reading, whatever it is: drafts that can be stored, and refusals that can be read."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.importers.discovery import UnopenedFile, find_files, read
from corpus.importers.drafts import LectureDraft
from corpus.importers.refusal import ImportRefused


def taken(folder):
    """Return every draft a folder or file yields that passes its check; each refusal must be a readable sentence."""
    drafts = []
    with TemporaryDirectory() as workspace:
        try:
            for file in find_files(folder, Path(workspace)):
                if isinstance(file, UnopenedFile):
                    readable(file.file, file)
                    continue
                try:
                    for draft in read(file):
                        draft.check()
                        sound(draft)
                        drafts.append(draft)
                except ImportRefused as refusal:
                    readable(file.name, refusal)
        except ImportRefused as refusal:
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
