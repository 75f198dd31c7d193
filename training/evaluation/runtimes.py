"""Compares runtimes for the weights: torch in bfloat16, torch with int8 layers, ONNX Runtime in int8."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lectorium.providers.cross_encoder_model import CrossEncoderNetwork
from lectorium.providers.cross_encoder_weights import load_network
from training.evaluation.testsets import ClaimRow

Result = dict[str, Any]
Run = Callable[[Tensor, Tensor, Tensor], Any]
LENGTHS = (64, 128, 256)
PAIRS = 16
TIMES = 5


class _Grounding(nn.Module):
    """The network as a function of three tensors, for export."""

    def __init__(self, network: CrossEncoderNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        grounding: Tensor = self.network(input_ids, attention_mask, token_type_ids, 1).grounding
        return grounding


def compare(folder: Path, batches: list[tuple[Tensor, Tensor, Tensor]], threads: int = 2) -> Result:
    """By runtime: pairs per second by length, and the difference of its support from float32 on `batches`, 0..1."""
    torch.set_num_threads(threads)
    reference = _Grounding(load_network(folder, torch.float32))
    truth = _support(reference, batches)
    found: Result = {}
    for name, build in RUNTIMES.items():
        run = build(folder)
        support = _support(run, batches)
        found[name] = {
            **{f"pairs_a_second_{length}": _speed(run, length) for length in LENGTHS},
            "mean_difference": round(float(np.abs(support - truth).mean()), 4),
            "largest_difference": round(float(np.abs(support - truth).max()), 4),
        }
    return found


def batches_of(folder: Path, rows: list[ClaimRow]) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Claims and their evidence as input tensors of at most 256 tokens, PAIRS per batch."""
    from transformers import PreTrainedTokenizerFast

    stored = str(folder / "tokenizer.json")
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=stored, pad_token="[PAD]")  # type: ignore[no-untyped-call]  # noqa: S106
    made = []
    for start in range(0, len(rows), PAIRS):
        part = rows[start : start + PAIRS]
        encoded = tokenizer(
            [row.claim for row in part], [row.evidence for row in part], truncation="only_second", max_length=256,
            padding=True, return_tensors="pt", return_token_type_ids=True,
        )  # fmt: skip
        made.append((encoded["input_ids"], encoded["attention_mask"], encoded["token_type_ids"]))
    return made


def _bfloat16(folder: Path) -> Run:
    return _Grounding(load_network(folder, torch.bfloat16))


def _float32(folder: Path) -> Run:
    return _Grounding(load_network(folder, torch.float32))


def _torch_int8(folder: Path) -> Run:
    network = load_network(folder, torch.float32)
    quantize = torch.ao.quantization.quantize_dynamic
    network.encoder = quantize(network.encoder, {nn.Linear}, dtype=torch.qint8)  # type: ignore[no-untyped-call]
    return _Grounding(network)


def _onnx_int8(folder: Path) -> Run:
    import onnxruntime  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from onnxruntime.quantization import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
        QuantType,
        quantize_dynamic,
    )

    with tempfile.TemporaryDirectory() as scratch:
        plain, small = Path(scratch) / "plain.onnx", Path(scratch) / "int8.onnx"
        names = ["input_ids", "attention_mask", "token_type_ids"]
        example = tuple(torch.ones(2, 16, dtype=torch.long) for _ in names)
        axes = {name: {0: "rows", 1: "tokens"} for name in names}
        network = _Grounding(load_network(folder, torch.float32))
        torch.onnx.export(
            network, example, str(plain), input_names=names, output_names=["grounding"], dynamic_axes=axes, dynamo=False
        )
        quantize_dynamic(plain, small, weight_type=QuantType.QInt8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = torch.get_num_threads()
        session = onnxruntime.InferenceSession(small.read_bytes(), options, providers=["CPUExecutionProvider"])

    def run(*tensors: Tensor) -> Tensor:
        inputs = {name: tensor.numpy() for name, tensor in zip(names, tensors, strict=True)}
        return torch.from_numpy(session.run(None, inputs)[0])

    return run


RUNTIMES: dict[str, Callable[[Path], Run]] = {
    "torch float32": _float32,
    "torch bfloat16": _bfloat16,
    "torch int8 layers": _torch_int8,
    "ONNX Runtime int8": _onnx_int8,
}


@torch.inference_mode()
def _support(run: Run, batches: list[tuple[Tensor, Tensor, Tensor]]) -> Any:
    return torch.cat([run(*batch).float().softmax(-1)[:, 0] for batch in batches]).numpy()


@torch.inference_mode()
def _speed(run: Run, length: int) -> float:
    ids = torch.randint(1000, 20000, (PAIRS, length))
    tensors = (ids, torch.ones_like(ids), torch.ones_like(ids))
    run(*tensors)
    taken = []
    for _ in range(TIMES):
        started = time.perf_counter()
        run(*tensors)
        taken.append(time.perf_counter() - started)
    return round(PAIRS / min(taken), 1)
