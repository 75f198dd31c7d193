import pytest
import torch

from lectorium.providers.cross_encoder_model import Logits
from training.batches import UNKNOWN, Batch
from training.gpu.batches import GroupBatch
from training.gpu.losses import listwise_loss, segment_logsumexp, teacher_losses

GROUP = torch.tensor([0, 0, 1, 1, 1])
SCORES = torch.tensor([1.0, 2.0, 3.0, -1.0, 0.5])


def test_each_segment_sums_only_its_kept_values():
    kept = torch.tensor([True, True, True, False, True])
    found = segment_logsumexp(SCORES, GROUP, 3, kept)
    expected = [torch.logsumexp(SCORES[:2], 0), torch.logsumexp(SCORES[[2, 4]], 0)]
    assert found[:2].tolist() == pytest.approx([value.item() for value in expected])
    assert found[2] < -9000


def test_only_questions_with_right_and_wrong_passages_are_ranked():
    relevant = torch.tensor([1, 1, UNKNOWN, 1, 0])
    expected = -torch.log_softmax(SCORES[3:], 0)[0]
    assert listwise_loss(SCORES, GROUP, 2, relevant).item() == pytest.approx(expected.item())


def logits(shift, width):
    token = torch.arange(5.0 * width).view(5, width).cos()
    return Logits(SCORES + shift, SCORES + shift, token[:, :3], token, token + shift, token)


def batch(task, first, width):
    passage = torch.zeros(5, width, dtype=torch.bool)
    passage[:, first : first + 2] = True
    empty = torch.full((5,), UNKNOWN)
    return GroupBatch(Batch(task, {}, GROUP, empty, empty, empty, empty, empty, passage.long(), passage), empty[:2])


@pytest.mark.parametrize("task", ["reading", "grounding"])
def test_a_student_that_says_what_its_teacher_says_has_nothing_to_learn_of_ranks_and_classes(task):
    ours, theirs = batch(task, 1, 4), batch(task, 1, 4)
    same = teacher_losses(logits(0.0, 4), logits(0.0, 4), ours, theirs, 1.5)
    for name in ("relevance", "grounding", "start", "end"):
        assert same.get(name, torch.zeros(())).item() == pytest.approx(0, abs=1e-5)
    other = teacher_losses(logits(0.0, 4), logits(1.0, 4), ours, theirs, 1.5)
    assert other.get("relevance", torch.zeros(())).item() == pytest.approx(0, abs=1e-5)  # only the order counts


def test_passage_tokens_are_compared_whatever_their_place():
    teacher, student = logits(0.0, 4), logits(0.0, 5)
    student.start[:, 2:4] = teacher.start[:, 1:3]
    found = teacher_losses(student, teacher, batch("reading", 2, 5), batch("reading", 1, 4), 1.5)
    assert found["start"].item() == pytest.approx(0, abs=1e-5)
