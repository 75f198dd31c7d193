"""Aligns a claim with the sentences of a passage and lists its edits of the closest one.

In a claim close to its source's wording, small changes do the most harm and are easiest to find, so every edit is
checked (edits.py). Freer claims are left to the verifier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from chat.answering.domain.words import SentenceWords, Words
from corpus.domain.passage import Span

MOST_SENTENCES = 3
LEADING_WORDS = 2  # words before the first shared word that can change its meaning


@dataclass(frozen=True, slots=True)
class Edit:
    """A difference between a claim and its sentence, as the words of each. Either may be empty."""

    source: Words
    claim: Words


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim aligned with a passage.

    sentences: at most three, which together hold most of the claim's content words, closest first. near: these and
    their neighbours. share: of the claim's content words found in `sentences`, 0..1. likeness: of all its words found
    in the closest sentence in the same order, 0..1. edits: differences from the closest sentence.
    """

    sentences: tuple[SentenceWords, ...]
    near: tuple[SentenceWords, ...]
    share: float
    likeness: float
    edits: tuple[Edit, ...]

    @property
    def span(self) -> Span | None:
        """The characters of the closest sentence in the passage; None for a passage without sentences."""
        return self.sentences[0].span if self.sentences else None


def align(claim: Words, passage: Sequence[SentenceWords]) -> Alignment:
    content = frozenset(word.stem for word in claim if word.is_content)
    shared = [content & {word.stem for word in sentence.words} for sentence in passage]
    chosen: list[int] = []
    left = content
    while len(chosen) < MOST_SENTENCES:
        most = max((len(left & stems) for stems in shared), default=-1)
        if most < 0 or (chosen and not most):
            break
        ties = [index for index, stems in enumerate(shared) if len(left & stems) == most]
        best = max(ties, key=lambda index: _likeness(claim, passage[index].words)) if len(ties) > 1 else ties[0]
        chosen.append(best)
        left -= shared[best]
    if not chosen:
        return Alignment((), (), 0.0, 0.0, ())
    matcher = _matcher(claim, passage[chosen[0]].words)
    near = sorted({near for index in chosen for near in (index - 1, index, index + 1) if 0 <= near < len(passage)})
    return Alignment(
        tuple(passage[index] for index in chosen),
        tuple(passage[index] for index in near),
        1 - len(left) / len(content) if content else 0.0,
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
    """Skips source words omitted at either end, except the last two before the first shared word ("Not all…")."""
    codes = matcher.get_opcodes()
    for index, (kind, i1, i2, j1, j2) in enumerate(codes):
        if kind == "equal":
            for source_word, claim_word in zip(sentence[i1:i2], claim[j1:j2], strict=True):
                if source_word.folded != claim_word.folded:
                    yield Edit((source_word,), (claim_word,))
        elif kind != "delete" or index != len(codes) - 1:
            yield Edit(sentence[i1 if index else max(i1, i2 - LEADING_WORDS) : i2], claim[j1:j2])
