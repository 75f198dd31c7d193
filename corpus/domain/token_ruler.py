"""Counts tokens within a text that is tokenized once, in linear time and little memory."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from operator import sub

TokenSpans = Callable[[str], Sequence[tuple[int, int]]]
Span = tuple[int, int]

WINDOW = 50_000  # characters tokenized at once, because a tokenizer takes hundreds of bytes a token
LONGEST_TOKEN = 50  # characters; a tokenizer may make one token, or none, of a word of a million letters
STEP = 16  # characters of each of the tokens that such a word counts as


class TokenRuler:
    def __init__(self, text: str, token_spans: TokenSpans) -> None:
        self._text = text
        self._token_spans = token_spans
        self._starts, self._ends = array("L"), array("L")
        for first, last in _windows(text):
            tokens = self._tokens(first, last)
            self._starts.extend([first + start for start, _ in tokens])
            self._ends.extend([first + end for _, end in tokens])

    def estimate(self, start: int, end: int) -> int:
        """Exact unless tokens span white space; otherwise off by a few tokens."""
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)

    def count(self, start: int, end: int) -> int:
        """The exact count for this stretch, as the embedder sees it."""
        return len(self._tokens(start, end))

    def fits(self, start: int, end: int, budget: int) -> bool:
        """Exact near the budget. Below half of it the estimate is trusted, to save tokenizing again."""
        estimate = self.estimate(start, end)
        return estimate <= budget // 2 or (estimate <= budget and self.count(start, end) <= budget)

    def end_of(self, start: int, tokens: int) -> int:
        """Where this many tokens from `start` end."""
        index = min(bisect_left(self._starts, start) + tokens, len(self._ends)) - 1
        return max(self._ends[index], start + 1) if index >= 0 else len(self._text)

    def _tokens(self, start: int, end: int) -> Sequence[Span]:
        tokens, length = self._token_spans(self._text[start:end]), end - start
        ends = [0, *[end for _, end in tokens], length]
        is_usual = all(map(LONGEST_TOKEN.__ge__, map(sub, ends[1:], ends)))
        return tokens if is_usual else list(_bounded(tokens, length))


def _windows(text: str) -> Iterator[Span]:
    """Stretches of at most WINDOW characters that end at white space, if there is any."""
    start = 0
    while len(text) - start > WINDOW:
        half, full = start + WINDOW // 2, start + WINDOW
        end = max(text.rfind(" ", half, full), text.rfind("\n", half, full))
        yield start, end if end > 0 else full
        start = end if end > 0 else full
    yield start, len(text)


def _bounded(tokens: Sequence[Span], length: int) -> Iterator[Span]:
    """The tokens of a text of this length; a longer one, or a longer stretch without one, counts as several."""
    last = 0
    for start, end in tokens:
        if end - last > LONGEST_TOKEN:
            yield from _steps(last, start) if start - last > LONGEST_TOKEN else ()
            yield from _steps(start, end) if end - start > LONGEST_TOKEN else ((start, end),)
        else:
            yield start, end
        last = max(last, end)
    yield from _steps(last, length) if length - last > LONGEST_TOKEN else ()


def _steps(start: int, end: int) -> Iterator[Span]:
    return ((at, min(at + STEP, end)) for at in range(start, end, STEP))
