"""Which numbers models compute in on this processor."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def dtype_of(name: str) -> "torch.dtype":
    """Return float32 or bfloat16; for auto, bfloat16 where the processor computes in it: not all AVX-512 does.

    Raises KeyError for another name.
    """
    import torch

    if name == "auto":
        name = native()
    return {"float32": torch.float32, "bfloat16": torch.bfloat16}[name]


def native() -> str:
    """Return the numbers that "auto" stands for here; times differ by them twofold, so reports of times name them."""
    return "bfloat16" if "avx512_bf16" in _cpu_flags() else "float32"


@cache  # a training step asks
def _cpu_flags() -> str:
    try:
        return Path("/proc/cpuinfo").read_text(encoding="ascii", errors="ignore")
    except OSError:
        return ""
