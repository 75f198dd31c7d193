"""The part of a passage that a search shows: whole sentences from where the words looked for stand, word for word."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chat.answering.domain.words import SentenceWords
from corpus.domain.passage import Span

EXTRACT_CHARS = 320


@dataclass(frozen=True, slots=True)
class Extract:
    """Characters of a passage; and where in the passage, within them, words looked for stand, in order."""

    span: Span
    matches: tuple[Span, ...]

    def pieces(self, text: str) -> list[tuple[str, bool]]:
        """Return the extract's characters of the passage `text` in turn: (characters, were they looked for?)."""
        start, end = self.span
        edges = [start, *(edge for match in self.matches for edge in match), end]
        cut = [(text[begin:stop], bool(place % 2)) for place, (begin, stop) in enumerate(pairwise(edges))]
        return [piece for piece in cut if piece[0]]


def extract_of(sentences: Sequence[SentenceWords], wanted: Collection[str], most: int = EXTRACT_CHARS) -> Extract:
    """Return sentences in a row, `most` characters or one sentence, that hold the most different of the stems wanted.

    They begin with one that holds such a stem, the first where several do as well; with the passage's own first
    sentence where none does. `sentences` are all of a passage that has at least one.
    """
    holding = [place for place, one in enumerate(sentences) if _held(one, wanted)]
    runs = [_run(sentences, place, most) for place in holding or [0]]
    best = max(runs, key=lambda run: len(set().union(*(_held(one, wanted) for one in run))))
    matches = tuple((word.start, word.end) for one in best for word in one.words if word.stem in wanted)
    return Extract((best[0].span[0], best[-1].span[1]), matches)


def _run(sentences: Sequence[SentenceWords], first: int, most: int) -> Sequence[SentenceWords]:
    begins = sentences[first].span[0]
    fitting = [sentence for sentence in sentences[first + 1 :] if sentence.span[1] - begins <= most]
    return [sentences[first], *fitting]


def _held(sentence: SentenceWords, wanted: Collection[str]) -> set[str]:
    return {word.stem for word in sentence.words if word.stem in wanted}
