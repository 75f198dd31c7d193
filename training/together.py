"""Trains one network with several workers in shared memory, without locks (Hogwild)."""

from dataclasses import replace

import torch
from torch import Tensor

from lectorium.providers.cross_encoder_model import CrossEncoderNetwork
from lectorium.providers.cross_encoder_weights import load_network
from training.base import load_base
from training.config import TrainingConfig
from training.loop import Trainer, no_pairs


def train_together(config: TrainingConfig) -> None:
    """Train on a GPU if available, else with the configured number of workers on shared weights.

    Workers apply their updates without locks. Rare conflicts do no harm, and no worker waits for another on a busy
    machine.
    """
    torch.manual_seed(config.seed)
    network = begin(config)
    if torch.cuda.is_available():
        train(replace(config, loop=replace(config.loop, workers=1)), network.to("cuda"), 0, no_pairs(1))
        return
    network.share_memory()
    counts = no_pairs(config.loop.workers).share_memory_()  # type: ignore[no-untyped-call]
    context = torch.multiprocessing.get_context("spawn")
    others = [
        context.Process(target=train, args=(config, network, i, counts), daemon=True)
        for i in range(1, config.loop.workers)
    ]
    for process in others:
        process.start()
    train(config, network, 0, counts)
    for process in others:
        process.join()


def begin(config: TrainingConfig) -> CrossEncoderNetwork:
    """The network a run starts from. Raises PermanentError if the configured weights folder is incomplete."""
    network, _ = load_base(dropout=config.loop.dropout)
    if config.start:
        network.load_state_dict(load_network(config.start, torch.float32).state_dict())
    return network


def train(config: TrainingConfig, network: CrossEncoderNetwork, worker: int, counts: Tensor) -> None:
    """Train `network` in place, from the run's checkpoint if it exists, until the budget is spent."""
    if config.loop.workers > 1:
        torch.set_num_threads(1)
    _, tokenizer = load_base(dropout=0.0)
    trainer = Trainer(config, network, tokenizer, worker=worker, counts=counts)
    trainer.resume()
    trainer.run()
