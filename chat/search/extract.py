"""The extract of a passage that a search result shows: whole sentences, from the matched words on."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chat.answering.domain.words import SentenceWords
from corpus.domain.passage import Span

EXTRACT_CHARS = 320


@dataclass(frozen=True, slots=True)
class Extract:
    """Part of a passage. span: its characters there. matches: the spans of the matched words within it, in order."""

    span: Span
    matches: tuple[Span, ...]

    def pieces(self, text: str) -> list[tuple[str, bool]]:
        """The extract in pieces: (text, whether it matches). text: of the whole passage."""
        start, end = self.span
        edges = [start, *(edge for match in self.matches for edge in match), end]
        pieces = [(text[begin:stop], bool(index % 2)) for index, (begin, stop) in enumerate(pairwise(edges))]
        return [piece for piece in pieces if piece[0]]


def extract_of(sentences: Sequence[SentenceWords], wanted: Collection[str], max_chars: int = EXTRACT_CHARS) -> Extract:
    """Consecutive sentences, up to `max_chars` characters, with the most different stems of `wanted`.

    The extract starts at a sentence with a match, the first of equals, or at the first sentence if there is none. It
    has at least one sentence, even a longer one. sentences: all of a passage, at least one.
    """
    matching = [index for index, sentence in enumerate(sentences) if _matched_stems(sentence, wanted)]
    runs = [_following(sentences, index, max_chars) for index in matching or [0]]
    best = max(runs, key=lambda run: len(set().union(*(_matched_stems(sentence, wanted) for sentence in run))))
    matches = tuple((word.start, word.end) for sentence in best for word in sentence.words if word.stem in wanted)
    return Extract((best[0].span[0], best[-1].span[1]), matches)


def _following(sentences: Sequence[SentenceWords], first: int, max_chars: int) -> Sequence[SentenceWords]:
    begins = sentences[first].span[0]
    fitting = [sentence for sentence in sentences[first + 1 :] if sentence.span[1] - begins <= max_chars]
    return [sentences[first], *fitting]


def _matched_stems(sentence: SentenceWords, wanted: Collection[str]) -> set[str]:
    return {word.stem for word in sentence.words if word.stem in wanted}
