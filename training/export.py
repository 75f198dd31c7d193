"""Turns a checkpoint into what ships: packed weights, the tokenizer, and a neutral calibration."""

import hashlib
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file

from lectorium.providers.cross_encoder_weights import SHIPPED, pack
from training.base import base_folder
from training.config import TrainingConfig


def export(config: TrainingConfig, folder: Path = SHIPPED) -> str:
    """Write the run's checkpoint to a weights folder; return the sha256 of the packed file."""
    saved = torch.load(config.run / "checkpoint.pt", weights_only=True, map_location="cpu")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "cross_encoder.safetensors"
    part = file.with_suffix(".part")
    save_file(pack(saved["network"]), part)
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
    (folder / "calibration.json").write_text(json.dumps(calibration, indent=2) + "\n", encoding="utf-8")
    return digest
