"""A trained adapter for questions: they are embedded nearer to their answers, while passages keep their vectors.

The adapter is LoRA on an embedder's linear layers, added only while questions are read. So an index stays valid when
an adapter is added or replaced. `python -m training questions` trains one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor, nn

from lectorium.providers.errors import ModelMissing
from lectorium.providers.weight_files.files import RESTORE, load_weights

SHIPPED = Path(__file__).parent / "weights" / "questions.safetensors"  # for all-mpnet-base-v2


class QuestionAdapter:
    """Hooks on a network's linear layers that add the adapter's product of two thin matrices while switched on."""

    def __init__(self, network: "nn.Module", file: Path) -> None:
        """The file holds `LAYER.a`, (rank, inputs), and `LAYER.b`, (outputs, rank), per adapted layer.

        Raises ModelMissing where the network lacks a layer or its sizes differ.
        """
        self._on = False
        tensors = load_weights(file, RESTORE)
        layers = dict(network.named_modules())
        for name in sorted({key.rpartition(".")[0] for key in tensors}):
            layer: Any = layers.get(name)
            a, b = tensors[f"{name}.a"], tensors[f"{name}.b"]
            if layer is None or tuple(layer.weight.shape) != (b.shape[0], a.shape[1]):
                raise ModelMissing(f"The question adapter {file} does not fit the embedder: {name}.")
            layer.register_forward_hook(self._hook(a.to(layer.weight), b.to(layer.weight)))  # dtype and device

    def _hook(self, a: "Tensor", b: "Tensor") -> Any:
        from torch.nn.functional import linear

        def add(_: "nn.Module", inputs: tuple["Tensor", ...], output: "Tensor") -> "Tensor":
            return output + linear(linear(inputs[0], a), b) if self._on else output

        return add

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Read questions inside. Not for several threads at once."""
        self._on = True
        try:
            yield
        finally:
            self._on = False
