"""Which numbers models compute in on this processor."""

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
        return torch.bfloat16 if "avx512_bf16" in _cpu_flags() else torch.float32
    return {"float32": torch.float32, "bfloat16": torch.bfloat16}[name]


def _cpu_flags() -> str:
    try:
        return Path("/proc/cpuinfo").read_text(encoding="ascii", errors="ignore")
    except OSError:
        return ""
