"""Whether two questions ask the same: a cross-encoder on all-mpnet-base-v2 with an adapter and a head of its own.

`python -m training rewordings` trains it.
"""

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import cast

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from lectorium.providers.errors import ModelMissing
from lectorium.providers.mpnet.adapter import load_parameters
from lectorium.providers.mpnet.base import load_base_network, require_base
from lectorium.providers.mpnet.network import PAD, MPNetEncoder, MPNetNetwork, summary_of
from lectorium.providers.precision import dtype_of
from lectorium.providers.stand_ins import guard
from lectorium.providers.weight_files.files import RESTORE, load_weights, sha256_of

SHIPPED = Path(__file__).parent / "weights" / "rewordings.safetensors"
LONGEST = 96  # tokens of both questions together
INNER = 256  # width of the head's hidden layer
AT_ONCE = 48  # pairs

Pairs = Sequence[tuple[str, str]]


class RewordingNetwork(nn.Module):
    """The encoder, which reads "<s> one question </s></s> the other </s>", and a head on its summary."""

    def __init__(self, encoder: MPNetEncoder, tokenizer: Tokenizer) -> None:
        super().__init__()
        self.encoder, self.tokenizer = encoder, tokenizer
        self.tokenizer.enable_truncation(LONGEST)
        self.tokenizer.enable_padding(pad_id=PAD, pad_to_multiple_of=8)
        self.head = nn.Sequential(nn.Linear(2 * encoder.shape.width, INNER), nn.GELU(), nn.Linear(INNER, 1))

    @classmethod
    def on(cls, base: Path, network: MPNetNetwork | None = None) -> "RewordingNetwork":
        """On the base in this folder, or on a network of it that has an adapter already."""
        network = network or load_base_network(base, dtype_of("auto"))
        return cls(network.encoder, Tokenizer.from_file(str(require_base(base) / "tokenizer.json")))

    def forward(self, pairs: Pairs) -> Tensor:
        """The log odds that both questions of each pair ask the same, shape (len(pairs),)."""
        encoded = self.tokenizer.encode_batch(list(pairs))
        mask = torch.tensor([entry.attention_mask for entry in encoded])
        hidden = self.encoder(torch.tensor([entry.ids for entry in encoded]), mask)
        return cast(Tensor, self.head(summary_of(hidden, mask)).squeeze(-1))

    def trained(self) -> Iterator[tuple[str, nn.Parameter]]:
        """LoRA and layer norms of the adapted layers, and the head, by name."""
        return ((name, parameter) for name, parameter in self.named_parameters() if parameter.requires_grad)

    def save(self, file: Path) -> None:
        """Write what is trained, in bfloat16."""
        tensors = {name: parameter.detach().to(torch.bfloat16).contiguous() for name, parameter in self.trained()}
        save_file(tensors, file)

    def load(self, file: Path) -> None:
        """Read what `save` wrote. Raises ModelMissing where the file is missing or fits another network."""
        if not file.is_file():
            raise ModelMissing(f"There is no {file}. Write it with `python -m training rewordings`.")
        load_parameters(dict(self.trained()), load_weights(file, RESTORE), file)


class RewordingReader:
    """RewordingJudge on this machine; loads on first use."""

    def __init__(self, base: Path, file: Path = SHIPPED, *, threads: int = 2) -> None:
        self._base, self._file, self._threads = base, file, threads

    @cached_property
    def name(self) -> str:
        return f"lectorium-rewordings {sha256_of(self._file)[:12]}"

    def same(self, pairs: Pairs) -> list[float]:
        """The chance, 0..1, that both questions of each pair ask the same; the mean over both orders."""
        chances: list[float] = []
        with torch.inference_mode():
            for first in range(0, len(pairs), AT_ONCE):
                some = pairs[first : first + AT_ONCE]
                both = self._network([*some, *((other, one) for one, other in some)]).view(2, -1)
                chances += both.mean(0).sigmoid().tolist()
        return chances

    @cached_property
    def _network(self) -> RewordingNetwork:
        guard.check("rewording reader")
        torch.set_num_threads(self._threads)
        whole = load_base_network(self._base, dtype_of("auto"), initial=False)
        network = RewordingNetwork.on(self._base, whole)
        network.load(self._file)
        whole.merge_adapter()
        return network.eval().requires_grad_(False)


@cache
def shared_reader(base: Path, threads: int) -> RewordingReader:
    """The process's reader on this base, with the shipped weights."""
    return RewordingReader(base, threads=threads)
