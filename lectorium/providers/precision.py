"""The number format in which models compute."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def dtype_of(name: str) -> "torch.dtype":
    """float32 or bfloat16; "auto" is bfloat16 if the processor computes in it, which not all AVX-512 ones do.

    Raises KeyError for another name.
    """
    import torch

    if name == "auto":
        name = native()
    return {"float32": torch.float32, "bfloat16": torch.bfloat16}[name]


def native() -> str:
    """The name "auto" resolves to here. Speeds differ twofold, so benchmark reports state it."""
    return "bfloat16" if "avx512_bf16" in _cpu_flags() else "float32"


@cache  # called in every training step
def _cpu_flags() -> str:
    try:
        return Path("/proc/cpuinfo").read_text(encoding="ascii", errors="ignore")
    except OSError:
        return ""
