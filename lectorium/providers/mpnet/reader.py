"""The big reader: does the same as the small one, slower and better."""

from dataclasses import replace
from functools import cached_property
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn

from lectorium.providers.cross_encoder import CrossEncoder
from lectorium.providers.cross_encoder_weights import WeightsCalibration
from lectorium.providers.handwritten_bar import HandwrittenBar
from lectorium.providers.mpnet.adapter import FACTS, load_adapter, load_facts, save_facts
from lectorium.providers.mpnet.base import load_base_network, require_base
from lectorium.providers.pair_layout import PairLayout
from lectorium.providers.stand_ins import guard

MPNET = PairLayout(
    first=0,
    between=(2, 2),
    last=2,
    pad=1,
    typed=False,
    longest={"reading": 256, "grounding": 256},
    packed=True,
)


class BigReader(CrossEncoder):
    """Reader, reranker and verifier on all-mpnet-base-v2 with an adapter; both load on first use."""

    layout = MPNET
    batch_tokens = 1024  # more at once is no quicker, and callers would wait for one another

    def __init__(self, base: Path, adapter: Path, *, dtype: torch.dtype | None = None, threads: int = 2) -> None:
        """`dtype` defaults to bfloat16 if the processor supports it."""
        super().__init__(adapter, dtype=dtype, threads=threads)
        self._base = base

    @property
    def name(self) -> str:
        return f"lectorium-big-reader {self.calibration.version}"

    def store_bar(self, bar: HandwrittenBar) -> Path:
        facts = load_facts(self.folder)
        save_facts(self.folder, replace(facts, calibration=replace(facts.calibration, handwritten=bar)))
        return self.folder / FACTS

    @cached_property
    def _network(self) -> nn.Module:
        guard.check("big reader")
        torch.set_num_threads(self._threads)
        network = load_base_network(self._base, self._dtype, initial=False)
        load_adapter(network, self.folder)
        network.merge_adapter()
        return network.eval().requires_grad_(False)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = Tokenizer.from_file(str(require_base(self._base) / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def calibration(self) -> WeightsCalibration:
        return load_facts(self.folder).calibration
