"""Trains the adapter: LoRA on the upper layers of all-mpnet-base-v2, by comparing a question with the whole pool."""

import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize

from lectorium.providers.mpnet.base import load_base_network, shape_of
from lectorium.providers.mpnet.network import PAD, MPNetEncoder
from training.annealing import annealed_steps
from training.questions.examples import QuestionExample, SentencePool

LONGEST = 48  # tokens of a question
EXCLUDED = -1e4


@dataclass(frozen=True, slots=True)
class QuestionConfig:
    """scale: of cosines before the softmax. passage_weight: of the whole passages' loss beside the sentences'."""

    rate: float = 2e-4
    batch: int = 48
    epochs: float = 1.0
    warmup: int = 40
    scale: float = 20.0
    passage_weight: float = 0.5
    first_adapted: int = 4
    rank: int = 16
    seed: int = 3


class QuestionEncoder:
    """The embedder's network with a trainable adapter; a new one changes nothing."""

    def __init__(self, folder: Path, config: QuestionConfig) -> None:
        shape = replace(shape_of(folder), first_adapted=config.first_adapted, rank=config.rank, alpha=2.0 * config.rank)
        self.network: MPNetEncoder = load_base_network(folder, torch.bfloat16, shape).encoder
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(LONGEST)
        self.tokenizer.enable_padding(pad_id=PAD, pad_to_multiple_of=8)
        for name, parameter in self.network.named_parameters():
            parameter.requires_grad_(name.endswith((".a", ".b")))

    def embed(self, questions: Sequence[str]) -> Tensor:
        """Unit vectors, shape (len(questions), width)."""
        encoded = self.tokenizer.encode_batch(list(questions))
        mask = torch.tensor([entry.attention_mask for entry in encoded])
        hidden = self.network(torch.tensor([entry.ids for entry in encoded]), mask)
        kept = mask.unsqueeze(-1).float()
        return normalize((hidden * kept).sum(1) / kept.sum(1), dim=-1)

    def trained(self) -> list[nn.Parameter]:
        return [parameter for parameter in self.network.parameters() if parameter.requires_grad]

    def save(self, file: Path) -> None:
        """Write `LAYER.a` and `LAYER.b` in bfloat16; the scale is part of b."""
        scale = self.network.shape.alpha / self.network.shape.rank
        tensors = {
            name: (parameter.detach() * (scale if name.endswith(".b") else 1.0)).to(torch.bfloat16).contiguous()
            for name, parameter in self.network.named_parameters()
            if parameter.requires_grad
        }
        file.parent.mkdir(parents=True, exist_ok=True)
        save_file(tensors, file)


def train(encoder: QuestionEncoder, pool: SentencePool, config: QuestionConfig) -> None:
    """Train in place; reports the loss and the rank of held-back questions on standard error."""
    rng, started, sum_of = random.Random(config.seed), time.monotonic(), 0.0
    sentences, passages = torch.tensor(pool.sentences).bfloat16(), torch.tensor(pool.passages).bfloat16()
    examples = [example for example in pool.examples if example.split == "train"]
    held = [example for example in pool.examples if example.split == "calibrate"]
    steps = int(config.epochs * len(examples) / config.batch)
    optimizer = torch.optim.AdamW(encoder.trained(), lr=config.rate, weight_decay=0.01, betas=(0.9, 0.98))
    batches = [rng.sample(examples, config.batch) for _ in range(steps)]

    def loss_of(batch: Sequence[QuestionExample]) -> Tensor:
        return _loss(encoder, batch, sentences, passages, config)

    for step, loss in annealed_steps(optimizer, batches, loss_of, warmup=config.warmup):
        sum_of += loss
        if step % 100 == 0 or step == steps:
            ranks = " ".join(f"{share:.3f}" for share in found_within(encoder, held, sentences, (1, 10, 24)))
            seconds = time.monotonic() - started
            sys.stderr.write(
                f"step {step}/{steps}: loss {sum_of / 100:.3f}, first 1, 10, 24: {ranks}, {seconds:.0f} s\n"
            )
            sum_of = 0.0


def _loss(
    encoder: QuestionEncoder,
    batch: Sequence[QuestionExample],
    sentences: Tensor,
    passages: Tensor,
    config: QuestionConfig,
) -> Tensor:
    vectors = encoder.embed([example.question for example in batch]).bfloat16()
    scores = config.scale * (vectors @ sentences.T).float()
    shut = torch.zeros_like(scores, dtype=torch.bool)
    for row, example in enumerate(batch):
        shut[row, list(example.beside)] = True
    scores = scores.masked_fill(shut, EXCLUDED)
    answers = [torch.logsumexp(scores[row, list(example.answers)], 0) for row, example in enumerate(batch)]
    of_sentences = (torch.logsumexp(scores, 1) - torch.stack(answers)).mean()
    own = torch.tensor([example.passage for example in batch])
    of_passages = cross_entropy(config.scale * (vectors @ passages.T).float(), own)
    return of_sentences + config.passage_weight * of_passages


@torch.no_grad()
def found_within(
    encoder: QuestionEncoder, held: Sequence[QuestionExample], sentences: Tensor, depths: Sequence[int]
) -> list[float]:
    """The share of questions with an answering sentence among the likest `depth` sentences, per depth."""
    ranks = []
    for first in range(0, len(held), 64):
        some = held[first : first + 64]
        scores = (encoder.embed([example.question for example in some]).bfloat16() @ sentences.T).float()
        for row, example in enumerate(some):
            ranks.append(int((scores[row] > scores[row, list(example.answers)].max()).sum()))
    return [float(np.mean([rank < depth for rank in ranks])) for depth in depths]
