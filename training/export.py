"""Exports a checkpoint for shipping: packed weights, tokenizer, a neutral calibration and the facts of the run."""

import hashlib
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from lectorium.providers.cross_encoder_weights import SHIPPED, pack, unpack
from training.base import base_folder
from training.config import TrainingConfig


def export(config: TrainingConfig, folder: Path = SHIPPED, *, share: float = 1.0) -> str:
    """Write the run's checkpoint to a weights folder; return the SHA-256 of the packed file.

    share: 0..1, the weight of the run in the average with the folder's weights, which must be from the same start.
    Raises FileNotFoundError if the share is below 1 and the folder has no weights.
    """
    saved = torch.load(config.run / "checkpoint.pt", weights_only=True, map_location="cpu")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "cross_encoder.safetensors"
    part = file.with_suffix(".part")
    network = (
        saved["network"] if share == 1 else average(saved["network"], unpack(load_file(file), torch.float32), share)
    )
    save_file(pack(network), part)
    part.replace(file)
    shutil.copyfile(base_folder() / "tokenizer.json", folder / "tokenizer.json")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    calibration = {
        "version": digest[:12],
        "support": [1.0, 0.0],
        "answerability": [1.0, 0.0],
        "supported": 0.5,
        "answered": 0.5,
    }
    progress = saved["progress"]
    run = {"minutes": round(progress["seconds"] / 60, 1), "pairs": sum(progress["pairs"].values())}
    for name, facts in {"calibration.json": calibration, "run.json": run}.items():
        (folder / name).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return digest


def average(ours: dict[str, Tensor], theirs: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """The weights `share` of the way from theirs to ours. Runs from the same start can be averaged.

    Source: Wortsman et al. 2022, "Model soups".
    """
    return {name: share * weight.float() + (1 - share) * theirs[name] for name, weight in ours.items()}
