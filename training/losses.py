"""The losses of each head. Unknown labels are ignored."""

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, log_softmax

from lectorium.providers.cross_encoder_model import Logits
from training.batches import UNKNOWN, Batch


def batch_loss(logits: Logits, batch: Batch, *, span_weight: float, evidence_weight: float) -> dict[str, Tensor]:
    """The losses that apply to this batch by name, each a weighted scalar. Their sum is minimised."""
    losses = {
        "grounding": grounding_loss(logits.grounding, batch.label),
        "relevance": _listwise(logits.relevance, batch.group, batch.relevant),
        "answerability": binary_loss(logits.answerability, batch.answerable),
        "span": span_weight * span_loss(logits, batch),
        "evidence": evidence_weight * binary_loss(logits.evidence.flatten(), batch.evidence.flatten()),
    }
    return {name: loss for name, loss in losses.items() if loss.requires_grad}


def grounding_loss(logits: Tensor, label: Tensor) -> Tensor:
    """Mean cross-entropy of (n, 3) logits; "not_supported" is the union of two classes: log(1 - p(supported))."""
    scores = log_softmax(logits, dim=-1)
    unsupported = torch.logsumexp(scores[:, 1:], dim=-1, keepdim=True)
    four = torch.cat([scores, unsupported], dim=-1)
    known = label != UNKNOWN
    if not known.any():
        return torch.zeros(())
    return -four[known].gather(1, label[known].unsqueeze(1)).mean()


def _listwise(scores: Tensor, group: Tensor, relevant: Tensor) -> Tensor:
    # Cross-entropy over the competing passages of a question; a single passage has no order.
    losses = []
    for name in group.unique().tolist():  # type: ignore[no-untyped-call]
        mine = (group == name) & (relevant != UNKNOWN)
        if mine.sum() > 1 and relevant[mine].any() and not relevant[mine].all():
            target = relevant[mine].float()
            losses.append(cross_entropy(scores[mine], target / target.sum()))
    return torch.stack(losses).mean() if losses else torch.zeros(())


def binary_loss(scores: Tensor, target: Tensor, positive_weight: float = 1.0) -> Tensor:
    """Mean binary cross-entropy of known targets; a positive one counts `positive_weight` times."""
    known = target != UNKNOWN
    if not known.any():
        return torch.zeros(())
    weight = torch.tensor(positive_weight, device=scores.device)
    return binary_cross_entropy_with_logits(scores[known], target[known].float(), pos_weight=weight)


def span_loss(logits: Logits, batch: Batch) -> Tensor:
    """Mean cross-entropy of the answer's first and last token among the passage's tokens."""
    known = batch.start != UNKNOWN
    if not known.any():
        return torch.zeros(())
    start = logits.start.masked_fill(~batch.passage, -1e4)[known]
    end = logits.end.masked_fill(~batch.passage, -1e4)[known]
    return (cross_entropy(start, batch.start[known]) + cross_entropy(end, batch.end[known])) / 2
