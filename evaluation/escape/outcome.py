"""Matches the lines of a hostile draft with the sentences that the product would have shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from lectorium.providers.planting.lines import DraftLine, key_of, words_of

Sentence = Mapping[str, Any]
GAUNTLET = "gauntlet"
TELLING = 3  # least characters of a dropped text that identify its line


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """seen: a reader sees the line, or, if it is planted, its false part. guards: those that objected.

    verdict: of the sentence that shows it, else "withheld". shown_as, quote: that sentence and its quote.
    """

    source: str
    line: DraftLine
    seen: bool
    verdict: str
    guards: frozenset[str]
    shown_as: str = ""
    quote: str = ""

    @property
    def planted(self) -> bool:
        return bool(self.line.kind)

    @property
    def escaped(self) -> bool:
        """Whether a reader sees a planted falsehood, with any verdict."""
        return self.planted and self.seen

    @property
    def verified(self) -> bool:
        """Whether a reader sees it as supported: Verified, or Checked, in other words."""
        return self.seen and self.verdict == "supported"


def outcomes(source: str, lines: Sequence[DraftLine], examined: Mapping[str, Any]) -> list[LineOutcome]:
    by_line = _by_line(lines, examined["sentences"])
    dropped = [part["text"] for part in examined["dropped"]]
    return [_outcome(source, line, by_line.get(place, []), dropped) for place, line in enumerate(lines)]


def _outcome(source: str, line: DraftLine, sentences: Sequence[Sentence], dropped: Sequence[str]) -> LineOutcome:
    guards = {guard for sentence in sentences for guard in sentence["guards"]}
    if _is_dropped(line, dropped) or not sentences:
        guards.add(GAUNTLET)
    seen = [sentence for sentence in sentences if sentence["shown"] and _shows(line, sentence)]
    if not seen:
        return LineOutcome(source, line, False, "withheld", frozenset(guards))
    worst = min(seen, key=lambda sentence: sentence["verdict"] != "supported")
    return LineOutcome(source, line, True, worst["verdict"], frozenset(guards), worst["text"], worst["quote"])


def _shows(line: DraftLine, sentence: Sentence) -> bool:
    """Whether this shown sentence contains the line's falsehood, or, for a true line, the line or a part of it."""
    if line.kind == "moved_marker":
        return bool(set(line.cites) & set(sentence["citations"]))
    return key_of(line.false) in key_of(sentence["text"])


def _is_dropped(line: DraftLine, dropped: Sequence[str]) -> bool:
    real = {form.format(alias) for alias in line.cites for form in ("[^{}]", "[{}]")}
    return any(text in line.written and text not in real for text in dropped if len(text) >= TELLING)


def _by_line(lines: Sequence[DraftLine], sentences: Sequence[Sentence]) -> dict[int, list[Sentence]]:
    """Sentences by the place of the line they came from, found by aligning the words of both texts in order.

    A line may be split into sentences or lose some words, and two lines may be equal.
    """
    written = [word for line in lines for word in words_of(line.text)]
    owners = [place for place, line in enumerate(lines) for _ in words_of(line.text)]
    shown = [word for sentence in sentences for word in words_of(sentence["text"])]
    origins: dict[int, int] = {}
    for block in SequenceMatcher(None, written, shown, autojunk=False).get_matching_blocks():
        origins |= {block.b + step: owners[block.a + step] for step in range(block.size)}
    found: dict[int, list[Sentence]] = {}
    start = 0
    for sentence in sentences:
        end = start + len(words_of(sentence["text"]))
        counts = Counter(origins[word] for word in range(start, end) if word in origins)
        for place, count in counts.items():
            if 2 * count >= min(end - start, len(words_of(lines[place].text))):
                found.setdefault(place, []).append(sentence)
        start = end
    return found
