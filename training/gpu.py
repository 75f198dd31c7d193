"""Trains the big reader on a GPU for a fixed number of minutes, on a machine with nothing but this repository.

python -m training.gpu pack KIT            here: rows, base and starting adapter, in pieces small enough to carry
python -m training.gpu train KIT OUT       there: join the pieces, train, write the adapter to OUT

training/gpu.md says how the pieces travel.
"""

import argparse
import hashlib
import json
import lzma
import os
import sys
import tarfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch.utils.data import DataLoader, IterableDataset

from lectorium.providers.cross_encoder_model import TASKS
from lectorium.providers.mpnet.adapter import save_adapter
from lectorium.providers.mpnet.base import BASE_NAME
from lectorium.providers.mpnet.network import MPNetNetwork
from training.background.accept import best, newest
from training.background.bases import MPNET, mpnet_folder, read_warm_start
from training.background.config import JobConfig, JobFolder, JobTask, job_folder, load_job
from training.background.evaluation import HeldBackRows, evaluate, held_back_rows
from training.background.learner import Learner
from training.background.row_files import RowFile, row_files
from training.background.shapes import mixed_rows, shaped_batch
from training.batches import Batch

PIECE = 24  # MiB; a transfer carries at most 64, half of which is the repository
COOL_DOWN = 0.3  # share of the minutes in which the learning rate falls to zero
START = "start.safetensors"


class EndlessBatches(IterableDataset[Batch]):
    """Batches forever, made in the loader's worker processes with different seeds."""

    def __init__(self, config: JobConfig, files: dict[str, RowFile], tokenizer: Any) -> None:
        self.config, self.files, self.tokenizer = config, files, tokenizer

    def __iter__(self) -> Iterator[Batch]:
        info = torch.utils.data.get_worker_info()
        seed = self.config.seed + (info.id if info else 0)
        for shaped in mixed_rows(self.config, self.files, self.tokenizer, seed):
            yield shaped_batch(shaped, self.tokenizer)


def pack(kit: Path, *, piece: int = PIECE, most_rows: int = 30_000) -> list[Path]:
    """Write the kit's pieces and their checksum; return the pieces. The best adapter so far is included."""
    kit.mkdir(parents=True, exist_ok=True)
    folder = job_folder(MPNET.name)
    archive = kit / "kit.tar"
    with tarfile.open(archive, "w") as tar:
        for name, content in _packed_files(folder, kit, most_rows):
            tar.add(content, name)
            content.unlink()
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    pieces: list[Path] = []
    with archive.open("rb") as whole:
        while block := whole.read(piece * 2**20):
            pieces.append(kit / f"piece-{len(pieces) + 1:02}")
            pieces[-1].write_bytes(block)
    archive.unlink()
    (kit / "sha256").write_text(digest + "\n", encoding="utf-8")
    return pieces


def _packed_files(folder: JobFolder, kit: Path, most_rows: int) -> Iterator[tuple[str, Path]]:
    config = load_job()
    for name in [*config.grounding, *config.reading]:
        part = kit / f"{name}.jsonl.xz"
        with (folder.data / f"{name}.jsonl").open("rb") as lines, lzma.open(part, "wb", preset=6) as out:
            out.writelines(islice(lines, most_rows))
        yield f"data/{part.name}", part
    base = mpnet_folder()
    weights = {name: _halved(tensor) for name, tensor in load_file(base / "model.safetensors").items()}
    save_file(weights, kit / "model.safetensors")
    yield f"{BASE_NAME}/model.safetensors", kit / "model.safetensors"
    for file in [*base.glob("*.json"), *base.glob("*.txt")]:
        copy = kit / file.name
        copy.write_bytes(file.read_bytes())
        yield f"{BASE_NAME}/{file.name}", copy
    if folder.best.exists() or folder.checkpoint.exists():
        parameters, _ = best(folder) if folder.best.exists() else newest(folder)
        save_file({name: _halved(tensor) for name, tensor in parameters.items()}, kit / START)
        yield START, kit / START


def _halved(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to(torch.bfloat16) if tensor.ndim == 2 and tensor.is_floating_point() else tensor


def unpack(kit: Path) -> None:
    """Join, check and unpack the pieces. Raises SystemExit if a piece is missing."""
    archive = kit / "kit.tar"
    with archive.open("wb") as whole:
        for piece in sorted(kit.glob("piece-*")):
            whole.write(piece.read_bytes())
    if hashlib.sha256(archive.read_bytes()).hexdigest() != (kit / "sha256").read_text(encoding="utf-8").strip():
        raise SystemExit(f"The pieces in {kit} do not match their checksum: copy the missing ones, then try again.")
    with tarfile.open(archive) as tar:
        tar.extractall(kit, filter="data")
    archive.unlink()
    for part in (kit / "data").glob("*.xz"):
        part.with_suffix("").write_bytes(lzma.decompress(part.read_bytes()))


def train(kit: Path, out: Path, config: JobConfig, *, minutes: float, device: torch.device, feeders: int) -> None:
    """Train on the unpacked kit and write adapter and curve to `out`; the rate falls to zero towards the end."""
    os.environ["LECTORIUM_READER_BASE"] = str(kit / BASE_NAME)
    if device.type == "cpu":
        torch.set_num_threads(1)  # threads that wait for each other slow down on a shared machine
    folder = JobFolder(out, kit / "data")
    names = [*config.grounding, *config.reading]
    held_back = held_back_rows(config, row_files(folder.data, names, "calibrate"))
    learner = _learner(config, folder, device)
    if (kit / START).exists():
        learner.start_from(read_warm_start(kit / START))
    out.mkdir(parents=True, exist_ok=True)
    _measure(learner, held_back)
    end = time.monotonic() + 60 * minutes
    dataset = EndlessBatches(config, row_files(folder.data, names, "train"), learner.tokenizer)
    for batch in DataLoader(dataset, batch_size=None, num_workers=feeders):
        left = (end - time.monotonic()) / (60 * minutes)
        if left <= 0:
            break
        learner.rate_share = min(1.0, left / COOL_DOWN)
        learner.learn(batch)
    _measure(learner, held_back)
    learner.report()
    save_adapter(out, learner.average, learner.totals().pairs)


def _learner(config: JobConfig, folder: JobFolder, device: torch.device) -> Learner:
    network, tokenizer = MPNET.load()
    assert isinstance(network, MPNetNetwork)
    if device.type == "cuda":
        network.cast_linear(torch.bfloat16)
    counts = torch.zeros(1, len(TASKS), dtype=torch.long)
    return Learner(config, folder, MPNET, network.to(device), tokenizer, counts=counts)


def _measure(learner: Learner, rows: HeldBackRows) -> None:
    line = json.dumps({"pairs": learner.totals().total, **evaluate(learner, rows)})
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
    with learner.folder.curve.open("a", encoding="utf-8") as curve:
        curve.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.gpu", description=__doc__)
    parser.add_argument("command", choices=["pack", "train"])
    parser.add_argument("kit", type=Path)
    parser.add_argument("out", type=Path, nargs="?", default=Path("gpu-out"))
    parser.add_argument("--piece", type=int, default=PIECE, help="MiB of a piece")
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--step-tokens", type=int, default=4096)
    parser.add_argument("--feeders", type=int, default=12, help="processes that make batches")
    parser.add_argument("--task", choices=["grounding", "reading", "both"], default="both")
    arguments = parser.parse_args()
    if arguments.command == "pack":
        pieces = pack(arguments.kit, piece=arguments.piece)
        sys.stdout.write(f"{len(pieces)} pieces, {sum(piece.stat().st_size for piece in pieces) / 2**20:.0f} MiB\n")
        return
    if not (arguments.kit / "data").is_dir():
        unpack(arguments.kit)
    task: JobTask = arguments.task
    config = replace(load_job().with_task(task), step_tokens=arguments.step_tokens)
    device = torch.device(arguments.device)
    train(arguments.kit, arguments.out, config, minutes=arguments.minutes, device=device, feeders=arguments.feeders)


if __name__ == "__main__":
    main()
