"""Draws groups forever, by the weights of their sources, in steps of similar length."""

import random
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from training.gpu.batches import narrowed
from training.gpu.candidates import SOURCE
from training.gpu.settings import RunSettings
from training.gpu.tokens import TokenGroup

DRAWN = 1536  # groups drawn at once and then sorted by length
AHEAD, THREADS = 6, 4

Made = TypeVar("Made")
Given = TypeVar("Given")


def source_weights(groups: Iterable[TokenGroup], weights: dict[str, float]) -> dict[str, float]:
    """The weight of each source that is drawn. Sources of candidates share theirs by their numbers of groups."""
    counts: dict[str, int] = defaultdict(int)
    for group in groups:
        counts[group.source] += 1
    candidates = sum(count for name, count in counts.items() if _is_candidates(name))
    found = {
        name: weights.get(SOURCE, 0.0) * count / candidates if _is_candidates(name) else weights.get(name, 0.0)
        for name, count in counts.items()
    }
    return {name: weight for name, weight in found.items() if weight > 0}


def _is_candidates(source: str) -> bool:
    return source.startswith(SOURCE)


class GroupSampler:
    """Draws groups: a source by weight, then its groups in a fresh shuffle each pass."""

    def __init__(self, groups: Sequence[TokenGroup], weights: dict[str, float], rng: random.Random) -> None:
        """Raises ValueError if no group has a weight."""
        self._weights = source_weights(groups, weights)
        if not self._weights:
            raise ValueError("No group of a source with a weight to train on.")
        self._groups: dict[str, list[TokenGroup]] = defaultdict(list)
        for group in groups:
            self._groups[group.source].append(group)
        self._waiting: dict[str, list[TokenGroup]] = defaultdict(list)
        self._rng = rng

    def draw(self, count: int) -> list[TokenGroup]:
        names = self._rng.choices(list(self._weights), list(self._weights.values()), k=count)
        return [self._next(name) for name in names]

    def _next(self, name: str) -> TokenGroup:
        waiting = self._waiting[name]
        if not waiting:
            waiting += self._rng.sample(self._groups[name], len(self._groups[name]))
        return waiting.pop()


def steps(sampler: GroupSampler, tokens: int, passages: int, rng: random.Random) -> Iterator[list[TokenGroup]]:
    """Groups of at most `passages` passages for steps of about `tokens` tokens with padding, forever."""
    while True:
        drawn = [narrowed(group, passages, rng) for group in sampler.draw(DRAWN)]
        cut = cut_by_tokens(sorted(drawn, key=lambda group: group.longest), tokens)
        rng.shuffle(cut)
        yield from cut


def cut_by_tokens(groups: Iterable[TokenGroup], tokens: int) -> list[list[TokenGroup]]:
    """Neighbouring groups whose padded pairs take at most `tokens` together; a larger group stands alone."""
    cut: list[list[TokenGroup]] = []
    pairs = longest = 0
    for group in groups:
        pairs, longest = pairs + len(group.passages), max(longest, group.longest)
        if not cut or pairs * longest > tokens or group.task != cut[-1][-1].task:
            cut.append([])
            pairs, longest = len(group.passages), group.longest
        cut[-1].append(group)
    return cut


def mixed_steps(
    reading: Sequence[TokenGroup],
    grounding: Sequence[TokenGroup],
    weights: tuple[dict[str, float], dict[str, float]],
    settings: RunSettings,
    make: Callable[[list[TokenGroup]], Made],
) -> Iterator[Made]:
    """Steps of both tasks in the settings' share, forever, made ahead by threads. weights: of reading and grounding."""
    of_reading, of_grounding, which = (random.Random(settings.seed + add) for add in range(3))
    tokens = settings.step_tokens
    questions = GroupSampler(reading, weights[0], of_reading)
    claims = GroupSampler(grounding, weights[1], of_grounding)
    streams = (
        made_ahead(steps(questions, tokens, settings.passages, of_reading), make),
        made_ahead(steps(claims, tokens // 2, 1, of_grounding), make),
    )
    while True:
        yield next(streams[which.random() >= settings.reading_share])


def made_ahead(given: Iterable[Given], make: Callable[[Given], Made]) -> Iterator[Made]:
    """Each value made by one of a few threads, in order, some ahead of time."""
    waiting: deque[Future[Made]] = deque()
    with ThreadPoolExecutor(THREADS) as threads:
        try:
            for value in given:
                waiting.append(threads.submit(make, value))
                if len(waiting) > AHEAD:
                    yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
