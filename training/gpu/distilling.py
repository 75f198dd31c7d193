"""The small reader learns from the big one: from its logits, and a little from the labels."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from lectorium.providers.cross_encoder import BERT
from lectorium.providers.cross_encoder_model import TASKS, CrossEncoderNetwork, Shape
from lectorium.providers.mpnet.reader import MPNET
from training.batches import Batch
from training.gpu.batches import GroupBatch, group_batch
from training.gpu.learning import RunFacts, learn, log
from training.gpu.losses import label_losses, teacher_losses
from training.gpu.mixture import mixed_steps
from training.gpu.networks import big_network, precision, small_network, trained_parameters
from training.gpu.preparation import PreparedKit, Workplace, prepare, weights_of_sources
from training.gpu.settings import GpuSettings
from training.gpu.training import put, write_results

PART = 14  # MiB; a file of at most 16 comes back from the machine
FACTS = "small.json"


def distil(
    place: Workplace, settings: GpuSettings, adapter: Path, *, seconds: float, shape: Shape | None = None
) -> dict[str, Any]:
    """Train the shipped small reader for some seconds; write OUT/small-N.safetensors, small.json and results.json.

    adapter: the teacher's file. shape: of the small reader.
    """
    prepared = prepare(place)
    teacher = big_network(place.kit, prepared.weights, place.device)
    put(teacher, load_file(adapter), adapter)
    teacher.merge_adapter()
    teacher.requires_grad_(False)
    student = small_network(place.kit, shape or Shape(), place.device)
    bench = prepared.bench
    found = {
        "small": bench.measure(student, BERT, place.device),
        "teacher": bench.measure(teacher, MPNET, place.device),
    }
    teacher.eval()
    facts = _distil_run(student, teacher, prepared, settings, place.device, seconds)
    found["distilled"] = bench.measure(student, BERT, place.device)
    for name, figures in found.items():
        log(run=name, **figures)
    log(steps=facts.steps, pairs=facts.pairs, losses=facts.losses)
    write_results(place.out, found)
    save_small(place.out, student, facts)
    return found


def _distil_run(
    student: CrossEncoderNetwork,
    teacher: torch.nn.Module,
    prepared: PreparedKit,
    settings: GpuSettings,
    device: torch.device,
    seconds: float,
) -> RunFacts:
    own = settings.distil

    def losses_of(made: tuple[GroupBatch, GroupBatch]) -> tuple[dict[str, Tensor], Batch]:
        ours, theirs = made
        task = TASKS.index(ours.batch.task)
        with torch.no_grad():
            aims = teacher(**theirs.batch.inputs, task=task)
        with precision(student, device):
            logits = student(**ours.batch.inputs, task=task)
        labels = label_losses(logits, ours, positive_weight=own.positive_weight, question_weight=own.question_weight)
        hard = {f"hard {name}": settings.hard_weight * loss for name, loss in labels.items()}
        return teacher_losses(logits, aims, ours, theirs, settings.temperature) | hard, ours.batch

    steps = mixed_steps(
        prepared.reading,
        prepared.grounding,
        weights_of_sources(settings),
        own,
        lambda groups: (group_batch(groups, BERT, device), group_batch(groups, MPNET, device)),
    )
    student.train()
    return learn(trained_parameters(student), steps, losses_of, own, seconds)


def save_small(out: Path, network: CrossEncoderNetwork, facts: RunFacts) -> None:
    """Write what was trained in bfloat16, in files small enough to come back, and the pairs that were read."""
    weights = {
        name: parameter.detach().to("cpu", torch.bfloat16).contiguous()
        for name, parameter in trained_parameters(network).items()
    }
    for number, part in enumerate(parts_of(weights, PART * 2**20), start=1):
        save_file(part, out / f"small-{number}.safetensors")
    (out / FACTS).write_text(json.dumps({"pairs": facts.pairs}) + "\n", encoding="utf-8")


def parts_of(weights: dict[str, Tensor], most: int) -> Iterator[dict[str, Tensor]]:
    """The weights in parts of at most `most` bytes; a larger tensor is a part of its own."""
    part: dict[str, Tensor] = {}
    size = 0
    for name, weight in weights.items():
        if part and size + weight.nbytes > most:
            yield part
            part, size = {}, 0
        part[name] = weight
        size += weight.nbytes
    if part:
        yield part


def read_small(folder: Path) -> tuple[dict[str, Tensor], dict[str, int]]:
    """The parameters that `save_small` wrote, and the pairs by task. Raises SystemExit if a file is missing."""
    files = sorted(folder.glob("small-*.safetensors"))
    if not files or not (folder / FACTS).exists():
        raise SystemExit(f"{folder} holds no distilled small reader: small-1.safetensors and {FACTS} are missing.")
    weights = {name: weight for file in files for name, weight in load_file(file).items()}
    return weights, dict(json.loads((folder / FACTS).read_text(encoding="utf-8"))["pairs"])
