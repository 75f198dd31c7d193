"""Reads rows from disk on demand. A worker only keeps their offsets, so it starts quickly and uses little memory."""

import json
import os
import random
from array import array
from collections.abc import Sequence
from pathlib import Path

from training.rows import Row, Split, parse_row


class RowFile:
    """The rows of a source and split, parsed when accessed."""

    def __init__(self, path: Path, split: Split) -> None:
        self.path = path
        self._starts = array("q")
        self._sizes = array("q")
        place = 0
        with path.open("rb") as lines:
            for line in lines:
                if line.strip() and json.loads(line)["split"] == split:
                    self._starts.append(place)
                    self._sizes.append(len(line))
                place += len(line)
        self._file = os.open(path, os.O_RDONLY)  # read with pread, which forked workers can share

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, index: int) -> Row:
        line = os.pread(self._file, self._sizes[index], self._starts[index])
        return parse_row(line.decode("utf-8"))


def row_files(data: Path, names: Sequence[str], split: Split) -> dict[str, RowFile]:
    """Open the rows of each source. Raises SystemExit with the command to run if a source is missing."""
    if missing := [name for name in names if not (data / f"{name}.jsonl").is_file()]:
        wanted = " ".join(f"--source {name}" for name in missing)
        raise SystemExit(
            f"{data} has no rows of {', '.join(missing)}. Run `python -m training build {wanted}` and copy "
            f"var/training/data/*.jsonl to {data}."
        )
    files = {name: RowFile(data / f"{name}.jsonl", split) for name in names}
    return {name: file for name, file in files.items() if len(file)}


class RowStream:
    """Draws rows forever: a source by weight, then its rows in a fresh shuffle each pass."""

    def __init__(self, files: dict[str, RowFile], weights: dict[str, float], rng: random.Random) -> None:
        self._files = files
        self._names = [name for name in files if weights[name] > 0]
        self._weights = [weights[name] for name in self._names]
        self._rng = rng
        self._queues: dict[str, array[int]] = {name: array("q") for name in self._names}

    def draw(self) -> Row:
        name = self._rng.choices(self._names, self._weights)[0]
        if not self._queues[name]:
            order = list(range(len(self._files[name])))
            self._rng.shuffle(order)
            self._queues[name] = array("q", order)
        return self._files[name][self._queues[name].pop()]
