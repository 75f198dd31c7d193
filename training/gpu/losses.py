"""The losses of groups: from labels, and from a teacher's logits. Groups are segments of a batch."""

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, kl_div, log_softmax

from lectorium.providers.cross_encoder_model import Logits
from training.batches import UNKNOWN
from training.gpu.batches import GroupBatch
from training.losses import binary_loss, grounding_loss, span_loss

EXCLUDED = -1e4
SPAN_WEIGHT = 0.5
EVIDENCE_WEIGHT = 0.3
SOFT_SPAN_WEIGHT = 0.25


def segment_logsumexp(values: Tensor, segments: Tensor, count: int, kept: Tensor) -> Tensor:
    """log Σ exp of the kept values of each segment, shape (count,); about EXCLUDED for a segment without any.

    values, segments, kept: (n,); segments are indices below `count`.
    """
    low = values.masked_fill(~kept, EXCLUDED)
    top = torch.full((count,), EXCLUDED, device=values.device).scatter_reduce(0, segments, low.detach(), "amax")
    sums = torch.zeros(count, device=values.device).index_add(0, segments, (low - top[segments]).exp() * kept)
    return top + sums.clamp_min(1e-20).log()


def listwise_loss(scores: Tensor, group: Tensor, groups: int, relevant: Tensor) -> Tensor:
    """-log of the share of a question's relevant passages, mean over the questions that also have irrelevant ones."""
    known, right = relevant != UNKNOWN, relevant == 1
    zeros = torch.zeros(groups, device=scores.device)
    has_right = zeros.index_add(0, group, right.float()) > 0
    has_wrong = zeros.index_add(0, group, (known & ~right).float()) > 0
    counted = has_right & has_wrong
    if not counted.any():
        return torch.zeros(())
    every, own = (segment_logsumexp(scores, group, groups, kept) for kept in (known, right))
    return (every - own)[counted].mean()


def label_losses(
    logits: Logits, made: GroupBatch, *, positive_weight: float, question_weight: float
) -> dict[str, Tensor]:
    """The losses that the labels of a batch allow, by name, each a weighted scalar."""
    batch = made.batch
    if batch.task == "grounding":
        losses = {
            "grounding": grounding_loss(logits.grounding, batch.label),
            "evidence": EVIDENCE_WEIGHT * binary_loss(logits.evidence.flatten(), batch.evidence.flatten()),
        }
    else:
        losses = {
            "relevance": listwise_loss(logits.relevance, batch.group, made.groups, batch.relevant),
            "answerability": binary_loss(logits.answerability, batch.answerable, positive_weight),
            "span": SPAN_WEIGHT * span_loss(logits, batch),
        }
        if question_weight:
            every = torch.ones_like(batch.group, dtype=torch.bool)
            best = segment_logsumexp(logits.answerability, batch.group, made.groups, every)
            losses["question"] = question_weight * binary_loss(best, made.answered)
    return {name: loss for name, loss in losses.items() if loss.requires_grad}


def teacher_losses(
    logits: Logits, teacher: Logits, made: GroupBatch, taught: GroupBatch, temperature: float
) -> dict[str, Tensor]:
    """How far a student is from its teacher, by name. made, taught: the same groups in the layout of each."""
    ours, theirs = made.batch, taught.batch
    if ours.task == "grounding":
        aim = log_softmax(teacher.grounding / temperature, -1)
        found = log_softmax(logits.grounding / temperature, -1)
        evidence = teacher.evidence[theirs.passage].sigmoid()
        return {
            "grounding": temperature**2 * kl_div(found, aim, log_target=True, reduction="batchmean"),
            "evidence": EVIDENCE_WEIGHT * binary_cross_entropy_with_logits(logits.evidence[ours.passage], evidence),
        }
    every = torch.ones_like(ours.group, dtype=torch.bool)
    aim, found = (
        scores - segment_logsumexp(scores, ours.group, made.groups, every)[ours.group]
        for scores in (teacher.relevance, logits.relevance)
    )
    answers = teacher.answerability
    losses = {
        "relevance": (aim.exp() * (aim - found)).sum() / made.groups,
        "answerability": binary_cross_entropy_with_logits(logits.answerability, answers.sigmoid()),
    }
    chosen = answers > 0
    if chosen.any():
        pairs = {"start": (logits.start, teacher.start), "end": (logits.end, teacher.end)}
        for name, (student, aimed) in pairs.items():
            found, aim = _passage_scores(student, ours.passage, chosen), _passage_scores(aimed, theirs.passage, chosen)
            losses[name] = SOFT_SPAN_WEIGHT * (aim.exp() * (aim - found)).sum() / chosen.sum()
    return losses


def _passage_scores(logits: Tensor, passage: Tensor, chosen: Tensor) -> Tensor:
    """Log-probabilities of the passage tokens of the chosen pairs, one after another."""
    return log_softmax(logits.masked_fill(~passage, EXCLUDED), -1)[chosen[:, None] & passage]
