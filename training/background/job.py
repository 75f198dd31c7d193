"""Runs the job with forked workers on shared weights, checkpoints and evaluations, or starts it in the background."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from lectorium.providers.cross_encoder_model import TASKS
from training.background.bases import Network, TrainableBase, read_warm_start
from training.background.config import JobConfig, JobFolder
from training.background.evaluation import HeldBackRows, evaluate, held_back_rows
from training.background.learner import Learner, write_json
from training.background.row_files import RowFile, row_files

NICE = 15
PROGRESS_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Workload:
    """What the workers of a job share: settings, files, the network, and counts in shared memory."""

    config: JobConfig
    folder: JobFolder
    base: TrainableBase
    network: Network
    tokenizer: Any
    files: dict[str, RowFile]
    held_back: HeldBackRows
    counts: Tensor
    stopping: Tensor
    warm_start: Path | None = None

    def learner(self, worker: int) -> Learner:
        """A worker's learner, resumed from the checkpoint or started from the warm start."""
        learner = Learner(
            self.config, self.folder, self.base, self.network, self.tokenizer, counts=self.counts, worker=worker
        )
        if not learner.resume() and self.warm_start:
            learner.start_from(read_warm_start(self.warm_start))
        return learner


def workload(config: JobConfig, folder: JobFolder, base: TrainableBase, warm_start: Path | None = None) -> Workload:
    """Load the network, open the rows and draw the evaluation's rows."""
    names = [*config.grounding, *config.reading]
    network, tokenizer = base.load()
    network.share_memory()
    return Workload(
        config=config,
        folder=folder,
        base=base,
        network=network,
        tokenizer=tokenizer,
        files=row_files(folder.data, names, "train"),
        held_back=held_back_rows(config, row_files(folder.data, names, "calibrate")),
        counts=torch.zeros(config.workers, len(TASKS), dtype=torch.long).share_memory_(),  # type: ignore[no-untyped-call]
        stopping=torch.zeros(1, dtype=torch.long).share_memory_(),  # type: ignore[no-untyped-call]
        warm_start=warm_start,
    )


def run_job(config: JobConfig, folder: JobFolder, base: TrainableBase, warm_start: Path | None = None) -> int:
    """Train in this process and forked workers until SIGTERM or SIGINT; return the exit status."""
    folder.path.mkdir(parents=True, exist_ok=True)
    yield_to_other_work()
    with _locked(folder) as lock:
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        torch.set_num_threads(1)  # before any computation, so that forked workers do not inherit a thread pool
        work = workload(config, folder, base, warm_start)
        context = torch.multiprocessing.get_context("fork")
        workers = [context.Process(target=_run_worker, args=(work, place)) for place in range(config.workers)]
        for worker in workers:
            worker.start()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: work.stopping.fill_(1))
        return _supervise(workers)


def _supervise(workers: list[Any]) -> int:
    """Wait for the workers. If a worker dies, stop the others, so that the job does not continue with fewer."""
    while any(worker.is_alive() for worker in workers):
        if any(worker.exitcode not in (None, 0) for worker in workers):
            for worker in workers:
                worker.kill()
        time.sleep(1)
    return int(any(worker.exitcode for worker in workers))


def _run_worker(work: Workload, worker: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: work.stopping.fill_(1))
    parent = os.getppid()
    learner = work.learner(worker)
    rows = learner.rows(work.files)
    records = JobRecords(learner, work.held_back) if worker == 0 else None
    reported = time.monotonic()
    while not work.stopping and os.getppid() == parent:
        if records:
            records.write_due()
        learner.step(next(rows))
        if time.monotonic() - reported > work.config.checkpoint_seconds:
            reported = time.monotonic()
            learner.report()
    if records and os.getppid() == parent:
        learner.save()


class JobRecords:
    """Writes the job's checkpoint, progress and evaluations between the steps of worker 0."""

    def __init__(self, learner: Learner, held_back: HeldBackRows) -> None:
        self.learner, self.held_back = learner, held_back
        self.config, self.folder = learner.config, learner.folder
        self._saved = self._noted = time.monotonic()
        self._pairs_noted = learner.totals().total
        curve = read_curve(self.folder)
        self._best = max((line["score"] for line in curve), default=float("-inf"))
        self._next_evaluation = curve[-1]["pairs"] + self.config.evaluate_pairs if curve else 0

    def write_due(self) -> None:
        """Write whatever is due."""
        now = time.monotonic()
        if self.learner.totals().total >= self._next_evaluation:
            self.evaluate()
        if now - self._saved > self.config.checkpoint_seconds:
            self._saved = now
            self.learner.save()
        if now - self._noted > PROGRESS_SECONDS:
            self._note(now)

    def evaluate(self) -> None:
        """Append a line to the curve, and save the averaged weights if they are the best so far."""
        progress = self.learner.totals()
        found = evaluate(self.learner, self.held_back)
        line = {"pairs": progress.total, "minutes": round(progress.seconds / 60, 1), **progress.pairs, **found}
        with self.folder.curve.open("a", encoding="utf-8") as curve:
            curve.write(json.dumps(line) + "\n")
        self._next_evaluation = progress.total + self.config.evaluate_pairs
        if found["score"] > self._best:
            self._best = found["score"]
            write_parameters(self.folder.best, self.learner.average, {"pairs": json.dumps(progress.pairs)})

    def _note(self, now: float) -> None:
        progress = self.learner.totals()
        rate = (progress.total - self._pairs_noted) / (now - self._noted)
        self._noted, self._pairs_noted = now, progress.total
        record = {**asdict(progress), "pairs_per_second": round(rate, 2)}
        write_json(self.folder.progress, record | {"at": datetime.now(UTC).isoformat(timespec="seconds")})


def write_parameters(path: Path, parameters: dict[str, Tensor], facts: dict[str, str]) -> None:
    """Write parameters atomically as a safetensors file."""
    part = path.with_suffix(".part")
    save_file({name: tensor.detach().cpu().contiguous() for name, tensor in parameters.items()}, part, facts)
    part.replace(path)


def read_curve(folder: JobFolder) -> list[dict[str, Any]]:
    """The evaluations so far, oldest first."""
    if not folder.curve.exists():
        return []
    return [json.loads(line) for line in folder.curve.read_text(encoding="utf-8").splitlines() if line.strip()]


@contextmanager
def _locked(folder: JobFolder) -> Iterator[IO[str]]:
    """Hold the job's lock, which the kernel releases when the last process of the job has ended."""
    with folder.lock.open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"The job in {folder.path} is already running.") from None
        yield lock


def running_pid(folder: JobFolder) -> int | None:
    """The process id of the running job, or None."""
    if not folder.lock.exists():
        return None
    with folder.lock.open("a+", encoding="utf-8") as lock, suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return None
    return int(folder.lock.read_text(encoding="utf-8") or 0)


def is_paused(pid: int) -> bool:
    """Whether the process is stopped by SIGSTOP."""
    try:
        return (
            Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0] == "T"
        )
    except OSError:
        return False


def yield_to_other_work() -> None:
    """Lower the priority of this session: under Linux autogroups, `nice` only works within a session."""
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICE), encoding="ascii")


def start_in_background(folder: JobFolder, arguments: list[str]) -> str:
    """Start or resume the job as a separate niced process; return a message for the operator."""
    if pid := running_pid(folder):
        return f"The job is already running, process {pid}."
    folder.path.mkdir(parents=True, exist_ok=True)
    command = ["nice", "-n", str(NICE), sys.executable, "-m", "training", "background", "--foreground", *arguments]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "PYTHONUNBUFFERED": "1"}
    with folder.log.open("ab") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, env=environment
        )
    verb = "resumed" if folder.checkpoint.exists() else "started"
    return f"The job has {verb}, process {process.pid}. Log: {folder.log}"
