"""QMSum's meetings as the importer's own JSON lines: one turn a paragraph, its speaker in a field."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


def converted(source: Iterable[Path], folder: Path) -> tuple[int, int]:
    """Write meetings.jsonl lines of `source` as lectures.jsonl and paragraphs.jsonl; return (meetings, turns).

    A turn's address is "<meeting>:<number>", counted from 0 as the gold turn spans do; a meeting named by both of its
    splits is written once.
    """
    folder.mkdir(parents=True, exist_ok=True)
    seen, turns = set(), 0
    with (folder / "lectures.jsonl").open("w") as lectures, (folder / "paragraphs.jsonl").open("w") as paragraphs:
        for meeting in _meetings(source):
            key = meeting["meeting_id"]
            if key in seen:
                continue
            seen.add(key)
            lectures.write(json.dumps({"lecture": key, "title": f"Meeting {key}"}) + "\n")
            for number, turn in enumerate(meeting["meeting_transcripts"]):
                said = {"lecture": key, "para": number, "speaker": turn["speaker"], "text": turn["content"]}
                paragraphs.write(json.dumps(said) + "\n")
                turns += 1
    return len(seen), turns


def _meetings(source: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for path in source:
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)
