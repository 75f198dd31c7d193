"""Exports the job's best weights for shipping: an adapter for the big reader, or int8 weights for the small one."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from lectorium.providers.cross_encoder import CrossEncoder
from lectorium.providers.cross_encoder_weights import SHIPPED, WeightsCalibration, load_network, pack, store_calibration
from lectorium.providers.mpnet.adapter import WEIGHTS, load_facts, save_adapter, save_facts
from lectorium.providers.mpnet.reader import BigReader
from lectorium.providers.weight_files.files import sha256_of
from training.background.bases import ADAPTER, mpnet_folder
from training.background.config import JobFolder, job_folder
from training.calibrate import fit_calibration
from training.gpu.distilling import read_small


def accept(base: str, to: Path | None, *, current: bool = False, source: Path | None = None) -> str:
    """Write the best weights, or the newest average, to a folder and calibrate them; return a message.

    to: None for the shipped folder of this base. source: a folder with another adapter, or with a distilled small
    reader, from a GPU.
    """
    folder = job_folder(base)
    if source and base == "minilm":
        parameters, pairs = read_small(source)
    elif source:
        parameters, pairs = load_file(source / WEIGHTS), load_facts(source).pairs
    else:
        parameters, pairs = newest(folder) if current else best(folder)
    calibration = (_accept_mpnet if base == "mpnet" else _accept_minilm)(folder.data, to, parameters, pairs)
    return f"Wrote version {calibration.version}, {sum(pairs.values()):,} pairs, to {to or 'the tree'}."


def best(folder: JobFolder) -> tuple[dict[str, Tensor], dict[str, int]]:
    """The parameters of the best evaluation and the pairs seen by then. Raises SystemExit if there is none."""
    if not folder.best.exists():
        raise SystemExit(f"{folder.path} holds no evaluated weights yet. Start the job with `make train-background`.")
    with safe_open(folder.best, "pt") as file:
        facts: dict[str, Any] = file.metadata() or {}
        return {name: file.get_tensor(name) for name in file.keys()}, json.loads(facts["pairs"])  # noqa: SIM118


def newest(folder: JobFolder) -> tuple[dict[str, Tensor], dict[str, int]]:
    """The moving average in the newest checkpoint and the pairs seen by then. Raises SystemExit if there is none."""
    if not folder.checkpoint.exists():
        raise SystemExit(f"{folder.path} holds no checkpoint yet. Start the job with `make train-background`.")
    saved = torch.load(folder.checkpoint, weights_only=True, map_location="cpu")
    return saved["average"], saved["progress"]["pairs"]


def _accept_mpnet(
    data: Path, to: Path | None, parameters: dict[str, Tensor], pairs: dict[str, int]
) -> WeightsCalibration:
    folder = to or ADAPTER
    save_adapter(folder, parameters, pairs)
    found = fit_calibration(BigReader(mpnet_folder(), folder), data)
    save_facts(folder, replace(load_facts(folder), calibration=found))
    return found


def _accept_minilm(
    data: Path, to: Path | None, parameters: dict[str, Tensor], pairs: dict[str, int]
) -> WeightsCalibration:
    folder = to or SHIPPED
    folder.mkdir(parents=True, exist_ok=True)
    network = load_network(SHIPPED, torch.float32).state_dict() | parameters
    part = folder / "cross_encoder.part"
    save_file(pack(network), part)
    version = sha256_of(part)[:12]
    part.replace(folder / "cross_encoder.safetensors")
    if folder != SHIPPED:
        shutil.copyfile(SHIPPED / "tokenizer.json", folder / "tokenizer.json")
    neutral = WeightsCalibration(version, (1.0, 0.0), (1.0, 0.0), 0.5, 0.5)
    store_calibration(folder, neutral)
    (folder / "run.json").write_text(json.dumps({"pairs": sum(pairs.values())}, indent=2) + "\n", encoding="utf-8")
    found = fit_calibration(CrossEncoder(folder), data)
    store_calibration(folder, found)
    return found
