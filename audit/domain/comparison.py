"""Compares two runs of one question: their evidence, their sentences word by word, and the verdicts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

ALIKE = 0.5  # two sentences that share fewer of their words are different sentences, not a changed one
_WORDS = re.compile(r"\S+\s*")


class RunChange(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class RunSentence:
    text: str
    verdict: str


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences side by side; one is None where the other run has none like it.

    before_pieces, after_pieces: their words, (text, whether only this side has it). verdict_changed: likewise.
    """

    change: RunChange
    before: RunSentence | None
    after: RunSentence | None
    before_pieces: tuple[tuple[str, bool], ...] = ()
    after_pieces: tuple[tuple[str, bool], ...] = ()

    @property
    def verdict_changed(self) -> bool:
        return bool(self.before and self.after and self.before.verdict != self.after.verdict)


@dataclass(frozen=True, slots=True)
class EvidencePair:
    """A passage of the evidence with its rank in each run, from 1; None where a run does not have it."""

    chunk: str
    address: str
    before: int | None
    after: int | None

    @property
    def change(self) -> RunChange:
        if self.before is None:
            return RunChange.ADDED
        if self.after is None:
            return RunChange.REMOVED
        return RunChange.SAME if self.before == self.after else RunChange.CHANGED


def sentences_of(response: Mapping[str, Any]) -> list[RunSentence]:
    """What a reader was shown: the sentences, or the message of a refusal."""
    shown = [RunSentence(row.get("text", ""), row.get("verdict", "")) for row in response.get("sentences") or ()]
    return shown or ([RunSentence(response["message"], "")] if response.get("message") else [])


def compare_sentences(before: Sequence[RunSentence], after: Sequence[RunSentence]) -> list[SentencePair]:
    """The sentences aligned in order: first by equal text, then the most alike between those."""
    matcher = SequenceMatcher(None, [plain(row.text) for row in before], [plain(row.text) for row in after], False)
    pairs = list[SentencePair]()
    for tag, start, end, other, other_end in matcher.get_opcodes():
        if tag == "equal":
            pairs += [
                _pair(old, new) for old, new in zip(before[start:end], after[other:other_end], strict=True)
            ]  # fmt: skip
        else:
            pairs += _align(before[start:end], after[other:other_end])
    return pairs


def compare_evidence(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[EvidencePair]:
    """The kept passages of two traces, in the order of the later run, then those that only the earlier one kept."""
    old, new = _kept(before), _kept(after)
    rows = [EvidencePair(chunk, address, old.get(chunk, (None,))[0], rank) for chunk, (rank, address) in new.items()]
    return rows + [
        EvidencePair(chunk, address, rank, None) for chunk, (rank, address) in old.items() if chunk not in new
    ]


def _kept(trace: Mapping[str, Any]) -> dict[str, tuple[int, str]]:
    kept = [row for row in trace.get("candidates") or () if row.get("cut_by") is None]
    return {str(row["chunk"]): (rank, str(row.get("address", ""))) for rank, row in enumerate(kept, 1)}


def _align(before: Sequence[RunSentence], after: Sequence[RunSentence]) -> Iterator[SentencePair]:
    """Pair sentences that are alike, in order; the others were removed or added."""
    at = 0
    for old in before:
        likeness = [_likeness(old.text, new.text) for new in after[at:]]
        best = max(likeness, default=0.0)
        if best < ALIKE:
            yield SentencePair(RunChange.REMOVED, old, None, ((old.text, False),))
            continue
        place = at + likeness.index(best)
        yield from (SentencePair(RunChange.ADDED, None, new, (), ((new.text, False),)) for new in after[at:place])
        yield _pair(old, after[place])
        at = place + 1
    yield from (SentencePair(RunChange.ADDED, None, new, (), ((new.text, False),)) for new in after[at:])


def _pair(old: RunSentence, new: RunSentence) -> SentencePair:
    if plain(old.text) == plain(new.text):
        change = RunChange.SAME if old.verdict == new.verdict else RunChange.CHANGED
        return SentencePair(change, old, new, ((old.text, False),), ((new.text, False),))
    first, second = _WORDS.findall(old.text), _WORDS.findall(new.text)
    codes = SequenceMatcher(
        None, [word.strip() for word in first], [word.strip() for word in second], False
    ).get_opcodes()
    before = tuple(("".join(first[a:b]), tag != "equal") for tag, a, b, _, _ in codes if a < b)
    after = tuple(("".join(second[c:d]), tag != "equal") for tag, _, _, c, d in codes if c < d)
    return SentencePair(RunChange.CHANGED, old, new, before, after)


def _likeness(text: str, other: str) -> float:
    return SequenceMatcher(None, plain(text).split(), plain(other).split(), False).ratio()


def plain(text: str) -> str:
    """The text without capitals, its words separated by single spaces."""
    return " ".join(text.casefold().split())
