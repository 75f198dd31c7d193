import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest
import torch

from lectorium.providers.mpnet.adapter import WEIGHTS, load_facts, save_adapter
from tests.providers.mpnet.tiny import fast_tokenizer, tiny_network
from training.background import commands
from training.background.accept import best, newest
from training.background.bases import ADAPTER, base_named, read_warm_start
from training.background.config import load_job
from training.background.evaluation import held_back_rows
from training.background.job import JobRecords, read_curve, running_pid, start_in_background, write_parameters
from training.background.learner import Learner
from training.background.row_files import row_files

from .tiny_job import tiny_base, tiny_config, tiny_folder

NAMES = ["claims", "questions"]


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LECTORIUM_TRAINING", str(tmp_path))
    folder = tiny_folder(tmp_path)
    folder.path.mkdir()
    return folder


def new_learner(folder, *, counts=None, worker=0, **changes):
    counts = torch.zeros(2, 2, dtype=torch.long) if counts is None else counts
    config = tiny_config(**changes)
    network = tiny_network()
    return Learner(config, folder, tiny_base(), network, fast_tokenizer(), counts=counts, worker=worker)


def train(learner, steps=6):
    for shaped in islice(learner.rows(row_files(learner.folder.data, NAMES, "train")), steps):
        learner.step(shaped)


def test_the_shipped_settings_can_be_read():
    config = load_job()
    assert {config.rows_at(width) * width <= config.step_tokens for width in config.widths} == {True}
    assert config.with_task("grounding").reading_share == 0
    assert config.with_task("reading").reading_share == 1
    assert config.with_task("both") == config
    rows = len(config.grounding) * config.evaluation.claims + config.evaluation.questions + config.evaluation.rivals
    assert rows <= 600


def test_training_lowers_the_loss_of_both_tasks(folder):
    learner = new_learner(folder)
    train(learner, 80)
    for name in ("grounding", "relevance", "answerability"):
        losses = learner.recent[name]
        assert sum(losses[-5:]) < sum(losses[:5]), name


def test_a_job_with_one_task_only_reads_that_task(folder):
    learner = new_learner(folder, reading_share=0.0)
    train(learner)
    assert learner.totals().pairs["reading"] == 0 < learner.totals().pairs["grounding"]


def test_a_resumed_job_continues_counts_and_weights(folder):
    first = new_learner(folder)
    train(first)
    first.counts[1] += 5  # read by the other worker
    first.save()
    second = new_learner(folder)
    assert second.resume()
    assert second.totals().pairs == first.totals().pairs
    assert second.progress.steps == first.progress.steps
    for name, parameter in second.trained.items():
        assert torch.equal(parameter, first.trained[name]), name
        assert torch.equal(second.average[name], first.average[name]), name
    assert second.optimizer.state_dict()["state"].keys() == first.optimizer.state_dict()["state"].keys()
    train(second)
    assert second.totals().total > first.totals().total


def test_without_a_checkpoint_nothing_is_resumed(folder):
    assert not new_learner(folder).resume()


def test_the_average_trails_the_weights(folder):
    learner = new_learner(folder, average_decay=0.9)
    start = {name: tensor.clone() for name, tensor in learner.average.items()}
    train(learner, 20)
    name = "tokens.weight"
    moved, averaged = learner.trained[name] - start[name], learner.average[name] - start[name]
    assert 0 < averaged.abs().sum() < moved.abs().sum()


def test_a_warm_start_maps_the_trial_names(folder, tmp_path):
    learner = new_learner(folder)
    saved = {
        "enc.encoder.layer.2.attention.attn.q.a": torch.ones(16, 24),
        "head.2.bias": torch.ones(3),
        "enc.embeddings.LayerNorm.weight": torch.zeros(24),  # frozen: not taken
    }
    torch.save(saved, tmp_path / "trial.pt")
    learner.start_from(read_warm_start(tmp_path / "trial.pt"))
    assert learner.trained["encoder.encoder.layer.2.attention.attn.q.a"].eq(1).all()
    assert learner.average["grounding.2.bias"].eq(1).all()
    assert learner.network.state_dict()["encoder.embeddings.LayerNorm.weight"].eq(1).all()


def test_a_new_job_starts_from_an_adapter_and_its_count_of_pairs(folder, tmp_path):
    earlier = new_learner(folder)
    train(earlier)
    save_adapter(tmp_path / "adapter", earlier.average, {"reading": 40, "grounding": 2})
    learner = new_learner(folder)
    learner.start_from(read_warm_start(tmp_path / "adapter" / WEIGHTS))
    assert learner.totals().pairs == {"reading": 40, "grounding": 2}
    assert all(torch.equal(learner.average[name], tensor) for name, tensor in learner.trained.items())


def test_a_new_job_of_the_big_reader_starts_from_the_shipped_adapter():
    assert read_warm_start(base_named("mpnet").warm_start).pairs == load_facts(ADAPTER).pairs


def test_an_evaluation_adds_a_line_to_the_curve_and_keeps_the_best_weights(folder):
    learner = new_learner(folder)
    held_back = held_back_rows(learner.config, row_files(folder.data, NAMES, "calibrate"))
    JobRecords(learner, held_back).evaluate()
    train(learner, 60)
    records = JobRecords(learner, held_back)
    records.evaluate()
    first, last = read_curve(folder)
    assert first["pairs"] == 0 < last["pairs"]
    assert {"grounding", "answerability", "top_one", "score", "sources"} <= last.keys()
    assert last["score"] >= first["score"]
    _, pairs = best(folder)
    assert sum(pairs.values()) in (0, last["pairs"])


def test_evaluating_does_not_change_the_trained_weights(folder):
    learner = new_learner(folder)
    train(learner)
    before = {name: parameter.detach().clone() for name, parameter in learner.trained.items()}
    JobRecords(learner, held_back_rows(learner.config, row_files(folder.data, NAMES, "calibrate"))).evaluate()
    assert all(torch.equal(parameter, before[name]) for name, parameter in learner.trained.items())


def test_the_held_back_rows_are_the_same_every_time(folder):
    config = tiny_config()
    first, second = (held_back_rows(config, row_files(folder.data, NAMES, "calibrate")) for _ in range(2))
    assert first == second
    assert {row.split for row in [*first.claims["claims"], *first.questions, *first.rivals]} == {"calibrate"}


def test_the_newest_average_can_be_exported_instead_of_the_best(folder):
    learner = new_learner(folder)
    train(learner)
    learner.save()
    parameters, pairs = newest(folder)
    assert pairs == learner.totals().pairs
    assert parameters.keys() == learner.trained.keys()


def test_exporting_an_untrained_job_is_refused(folder):
    for find in (best, newest):
        with pytest.raises(SystemExit, match="make train-background"):
            find(folder)


def test_the_status_is_one_line(folder):
    assert commands.status_line("mpnet") == "mpnet: not running"
    folder.progress.write_text(
        json.dumps({"pairs": {"reading": 5, "grounding": 1200}, "pairs_per_second": 7.5, "at": "now"})
    )
    lines = [{"score": 0.7, "pairs": 0, "grounding": 0.7}, {"score": 0.6, "pairs": 900, "grounding": 0.6}]
    folder.curve.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert commands.status_line("mpnet") == (
        "mpnet: not running; 1,205 pairs (5 reading, 1,200 grounding); 7.5 pairs/s at now; "
        "last 0.600 at 900 pairs (grounding 0.600); best 0.700 at 0 pairs (grounding 0.700)"
    )


def test_parameters_are_written_atomically(folder):
    write_parameters(folder.best, {"a": torch.ones(2)}, {"pairs": "{}"})
    assert not list(folder.path.glob("*.part"))


@pytest.mark.slow
def test_a_killed_job_resumes_from_its_checkpoint(folder, tmp_path):
    before = killed_after_checkpoint(folder, tmp_path, signal.SIGKILL)
    after = killed_after_checkpoint(folder, tmp_path, signal.SIGTERM)
    assert before["steps"] < after["steps"]
    assert sum(before["pairs"].values()) < sum(after["pairs"].values())


def killed_after_checkpoint(folder, tmp_path, how):
    """Start the job, kill it after its next checkpoint, and return the progress saved by then."""
    old = folder.checkpoint.stat().st_mtime_ns if folder.checkpoint.exists() else 0
    command = [sys.executable, "-m", "tests.training.background.tiny_job", str(tmp_path)]
    job = subprocess.Popen(command, cwd=Path(__file__).parents[3], start_new_session=True)
    try:
        wait_until(lambda: folder.checkpoint.exists() and folder.checkpoint.stat().st_mtime_ns > old)
        assert running_pid(folder) == job.pid
        assert "is already running" in start_in_background(folder, [])
        job.send_signal(how)
        job.wait(30)
        wait_until(lambda: running_pid(folder) is None)  # its workers end too
    finally:
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
    return torch.load(folder.checkpoint, weights_only=True)["progress"]


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.1)
