"""Where in a passage a claim's words stand, and what the claim says otherwise than the sentence it follows.

A claim in nearly its source's own words is where a small change does the most harm and is easiest to see: there every
word that differs is looked at (chat.answering.domain.english.edits). A freer claim is left to the verifier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from chat.answering.domain.words import SentenceWords, Words
from corpus.domain.passage import Span

MOST_SENTENCES = 3
LEADING = 2  # words right before a shared one that may still decide it


@dataclass(frozen=True, slots=True)
class Edit:
    """A place where a claim departs from a sentence: the source's words there, and the claim's. Either may be empty."""

    was: Words
    now: Words


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim beside a passage.

    sentences: those that hold most of the claim's carrying words, the closest first; near: each with its neighbours.
    share: of the claim's carrying words found in them, 0..1. likeness: of all its words found in the closest sentence
    in the same order, 0..1. edits: where the claim departs from that sentence, between its first and last shared word.
    """

    sentences: tuple[SentenceWords, ...]
    near: tuple[SentenceWords, ...]
    share: float
    likeness: float
    edits: tuple[Edit, ...]

    @property
    def span(self) -> Span | None:
        """Return where the closest sentence stands in the passage, None for a passage without a sentence."""
        return self.sentences[0].span if self.sentences else None


def align(claim: Words, passage: Sequence[SentenceWords]) -> Alignment:
    """Return the claim beside the sentences of a passage that say most of it, at most three."""
    carrying = frozenset(word.stem for word in claim if word.carries)
    held = [carrying & {word.stem for word in sentence.words} for sentence in passage]
    chosen: list[int] = []
    left = carrying
    while len(chosen) < MOST_SENTENCES:
        most = max((len(left & stems) for stems in held), default=-1)
        if most < 0 or (chosen and not most):
            break
        equal = [place for place, stems in enumerate(held) if len(left & stems) == most]
        best = max(equal, key=lambda place: _likeness(claim, passage[place].words)) if len(equal) > 1 else equal[0]
        chosen.append(best)
        left -= held[best]
    if not chosen:
        return Alignment((), (), 0.0, 0.0, ())
    matcher = _matcher(claim, passage[chosen[0]].words)
    near = sorted({near for place in chosen for near in (place - 1, place, place + 1) if 0 <= near < len(passage)})
    return Alignment(
        tuple(passage[place] for place in chosen),
        tuple(passage[place] for place in near),
        1 - len(left) / len(carrying) if carrying else 0.0,
        _matched(matcher) / len(claim) if claim else 0.0,
        tuple(_edits(matcher, passage[chosen[0]].words, claim)),
    )


def _likeness(claim: Words, sentence: Words) -> int:
    return _matched(_matcher(claim, sentence))


def _matched(matcher: SequenceMatcher[str]) -> int:
    return sum(block.size for block in matcher.get_matching_blocks())


def _matcher(claim: Words, sentence: Words) -> SequenceMatcher[str]:
    return SequenceMatcher(None, [word.stem for word in sentence], [word.stem for word in claim], autojunk=False)


def _edits(matcher: SequenceMatcher[str], sentence: Words, claim: Words) -> Iterator[Edit]:
    """Yield the edits. What the source says before the first shared word, but for the last words there ("Not all…",
    "Some…"), and after the last one is merely left out."""
    codes = matcher.get_opcodes()
    for place, (kind, i1, i2, j1, j2) in enumerate(codes):
        if kind == "equal":
            for was, now in zip(sentence[i1:i2], claim[j1:j2], strict=True):
                if was.folded != now.folded:
                    yield Edit((was,), (now,))
        elif kind != "delete" or place != len(codes) - 1:
            yield Edit(sentence[i1 if place else max(i1, i2 - LEADING) : i2], claim[j1:j2])
