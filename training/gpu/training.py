"""Runs of the big reader: LoRA, layer norms and heads, each run measured on the bench."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor

from lectorium.providers.cross_encoder_model import TASKS
from lectorium.providers.mpnet.adapter import FACTS, load_parameters, save_adapter
from lectorium.providers.mpnet.network import MPNetNetwork
from lectorium.providers.mpnet.reader import MPNET
from training.batches import Batch
from training.gpu.batches import GroupBatch, group_batch
from training.gpu.kit import ADAPTER
from training.gpu.learning import RunFacts, learn, log
from training.gpu.losses import label_losses
from training.gpu.mixture import mixed_steps
from training.gpu.networks import big_network, trained_parameters
from training.gpu.preparation import PreparedKit, Workplace, prepare, weights_of_sources
from training.gpu.settings import FRESH_START, SHIPPED_START, GpuSettings, NamedRun

RESULTS = "results.json"


def train_runs(place: Workplace, settings: GpuSettings, runs: list[NamedRun]) -> dict[str, Any]:
    """Measure the shipped adapter, then train and measure each run; write OUT/NAME/adapter.* and OUT/results.json."""
    prepared = prepare(place)
    network = big_network(place.kit, prepared.weights, place.device)
    fresh = {name: parameter.detach().clone() for name, parameter in trained_parameters(network).items()}
    put(network, load_file(place.kit / ADAPTER), place.kit)
    found: dict[str, Any] = {SHIPPED_START: prepared.bench.measure(network, MPNET, place.device)}
    log(run=SHIPPED_START, **found[SHIPPED_START])
    for run in runs:
        file = place.kit / ADAPTER if run.start == SHIPPED_START else Path(run.start)
        put(network, fresh if run.start == FRESH_START else load_file(file), file)
        facts = train_run(network, prepared, settings, run, place.device)
        before = {} if run.start == FRESH_START else pairs_before(file)
        save_adapter(place.out / run.name, {**trained_parameters(network)}, added(before, facts.pairs))
        found[run.name] = prepared.bench.measure(network, MPNET, place.device)
        log(run=run.name, steps=facts.steps, pairs=facts.pairs, losses=facts.losses, **found[run.name])
        write_results(place.out, found)
    return found


def train_run(
    network: MPNetNetwork, prepared: PreparedKit, settings: GpuSettings, run: NamedRun, device: torch.device
) -> RunFacts:
    """Train the network in place."""
    network.train()

    def losses_of(made: GroupBatch) -> tuple[dict[str, Tensor], Batch]:
        logits = network(**made.batch.inputs, task=TASKS.index(made.batch.task))
        own = run.settings
        losses = label_losses(logits, made, positive_weight=own.positive_weight, question_weight=own.question_weight)
        return losses, made.batch

    steps = mixed_steps(
        prepared.reading,
        prepared.grounding,
        weights_of_sources(settings),
        run.settings,
        lambda groups: group_batch(groups, MPNET, device),
    )
    return learn(trained_parameters(network), steps, losses_of, run.settings, run.seconds)


def put(network: MPNetNetwork, values: dict[str, Tensor], where: Path) -> None:
    """Copy an adapter's parameters into the network. Raises ModelMissing where they do not fit."""
    load_parameters(dict(network.trained()), values, where)


def pairs_before(adapter: Path) -> dict[str, int]:
    """The pairs that an adapter has seen by task, as the file beside it says."""
    facts = adapter.with_name(FACTS)
    return dict(json.loads(facts.read_text(encoding="utf-8"))["pairs"]) if facts.exists() else {}


def added(before: dict[str, int], pairs: dict[str, int]) -> dict[str, int]:
    return {task: before.get(task, 0) + count for task, count in pairs.items()}


def write_results(out: Path, found: dict[str, Any]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / RESULTS).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
