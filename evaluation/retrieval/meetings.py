"""Converts QMSum's meetings to the importer's JSON lines: one paragraph per turn, with its speaker."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


def converted(source: Iterable[Path], folder: Path) -> tuple[int, int]:
    """Write the meetings of `source` as lectures.jsonl and paragraphs.jsonl; return (meetings, turns).

    A turn's address is "<meeting>:<number>", from 0 like the gold turn spans. A meeting in two files is written once.
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
                paragraph = {"lecture": key, "para": number, "speaker": turn["speaker"], "text": turn["content"]}
                paragraphs.write(json.dumps(paragraph) + "\n")
                turns += 1
    return len(seen), turns


def _meetings(source: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for path in source:
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)
