"""Models compute in bfloat16 where the processor has it, which AVX-512 alone does not mean."""

import pytest
import torch

from lectorium.providers import precision
from lectorium.providers.cross_encoder import CrossEncoder


@pytest.mark.parametrize(
    ("flags", "dtype"),
    [
        ("flags : avx2 avx512f avx512bw avx512_vnni", torch.float32),
        ("flags : avx512f avx512_bf16", torch.bfloat16),
        ("", torch.float32),
    ],
)
def test_embedder_and_cross_encoder_take_bfloat16_where_the_processor_has_it(monkeypatch, flags, dtype):
    monkeypatch.setattr(precision, "_cpu_flags", lambda: flags)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX512")
    assert precision.dtype_of("auto") == dtype
    assert f"torch.{precision.native()}" == str(dtype)
    assert CrossEncoder()._dtype == dtype


def test_what_is_asked_for_by_name_is_taken():
    assert precision.dtype_of("float32") == torch.float32
    assert precision.dtype_of("bfloat16") == torch.bfloat16
    assert CrossEncoder(dtype=torch.float32)._dtype == torch.float32
