"""One thread computes for all callers: concurrent turns share batches, and rows of cancelled callers are dropped."""

import itertools
import threading
from bisect import insort
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from .cancellation import Signal, StoppedError, current

STEP = 32  # batch widths in tokens; torch caches compiled code for every bfloat16 shape


def padding_step(max_tokens: int) -> int | None:
    """The step of batch widths; None where it would pad beyond the longest text."""
    return STEP if max_tokens % STEP == 0 else None


def padded(tokens: int, step: int = STEP) -> int:
    """`tokens` rounded up to a multiple of `step`."""
    return -(-tokens // step) * step


Row = TypeVar("Row")
Out = TypeVar("Out")


@dataclass(eq=False)
class _Job(Generic[Row, Out]):
    """A caller's rows, the longest last; `found` maps a row's position to its output. number: when the caller came."""

    number: int
    waiting: list[tuple[int, Row]]
    wanted: int
    signal: Signal | None
    answer: Future[list[Out]] = field(default_factory=Future)
    found: dict[int, Out] = field(default_factory=dict)

    @property
    def unwanted(self) -> bool:
        return self.answer.cancelled() or bool(self.signal and self.signal.is_set())


class Batcher(Generic[Row, Out]):
    """Runs `compute` over batches of rows, of equal size unless `mixed`, at most `room` in total; oldest caller first,
    largest rows first.

    A caller is who listens to one stop signal: rows that it brings later go before those of callers who came after it.
    Else a question that is judged in several rounds would wait behind all others in each.
    Mixed sizes would waste a third of the work on padding for passages, half for sentences. A batch is filled up with
    rows of the next callers. An error of `compute` only reaches the callers with rows in that batch.
    """

    def __init__(
        self,
        compute: Callable[[Sequence[Row]], Sequence[Out]],
        size: Callable[[Row], int],
        room: int,
        *,
        mixed: bool = False,
    ):
        """compute: returns the outputs of one batch in order. size: of a row, e.g. padded tokens. room: of a batch.

        mixed: whether rows of other sizes cost a batch no more than their own size.
        """
        self._compute = compute
        self._size = size
        self._room = room
        self._mixed = mixed
        self._jobs: list[_Job[Row, Out]] = []  # the oldest caller first
        self._numbers = itertools.count()
        self._callers: WeakKeyDictionary[Signal, int] = WeakKeyDictionary()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def run(self, rows: Sequence[Row]) -> list[Out]:
        """One output per row, in order. Raises StoppedError once this context's stop signal is set."""
        return self.submit(rows).result()

    def submit(self, rows: Sequence[Row]) -> Future[list[Out]]:
        """Queue the rows; cancelling the future drops those not yet computed."""
        ordered = sorted(enumerate(rows), key=lambda entry: self._size(entry[1]))
        if not ordered:
            nothing: Future[list[Out]] = Future()
            nothing.set_result([])
            return nothing
        with self._changed:
            number, signal = next(self._numbers), current()
            if signal is not None:
                number = self._callers.setdefault(signal, number)
            job: _Job[Row, Out] = _Job(number, ordered, len(ordered), signal)
            insort(self._jobs, job, key=lambda job: job.number)
            if self._thread is None or not self._thread.is_alive():  # first use, or first after a fork
                self._thread = threading.Thread(target=self._work, name="batcher", daemon=True)
                self._thread.start()
            self._changed.notify()
        return job.answer

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._jobs:
                    self._changed.wait()
                batch = self._next()
            if batch:
                self._answer(batch)

    def _next(self) -> list[tuple[_Job[Row, Out], int, Row]]:
        batch: list[tuple[_Job[Row, Out], int, Row]] = []
        taken = 0
        for job in [*self._jobs]:
            if job.unwanted:
                self._end(job, StoppedError("the caller cancelled"))
                continue
            while job.waiting:
                place, row = job.waiting[-1]
                size = self._size(row)
                if batch and not self._mixed and size != self._size(batch[0][2]):
                    break
                if batch and taken + size > self._room:
                    return batch
                job.waiting.pop()
                taken += size
                batch.append((job, place, row))
            else:
                self._jobs.remove(job)
        return batch

    def _answer(self, batch: Sequence[tuple[_Job[Row, Out], int, Row]]) -> None:
        try:
            outputs = self._compute([row for _, _, row in batch])
            if len(outputs) != len(batch):
                message = f"{len(batch)} rows were to be computed, and {len(outputs)} outputs came back"
                raise ValueError(message)
        except Exception as error:  # noqa: BLE001 - it belongs to the callers, who wait for it
            with self._changed:
                for job in {entry[0] for entry in batch}:
                    self._end(job, error)
            return
        for (job, place, _), output in zip(batch, outputs, strict=True):
            job.found[place] = output
            if len(job.found) == job.wanted and job.answer.set_running_or_notify_cancel():
                job.answer.set_result([job.found[index] for index in range(job.wanted)])

    def _end(self, job: _Job[Row, Out], error: Exception) -> None:
        if job in self._jobs:
            self._jobs.remove(job)
        if not job.answer.done() and job.answer.set_running_or_notify_cancel():
            job.answer.set_exception(error)
