"""What became of each line of a hostile draft, read off what the product would have shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from lectorium.providers.planting.lines import DraftLine, key_of, words_of

Sentence = Mapping[str, Any]
GAUNTLET = "gauntlet"
TELLING = 3  # characters of something dropped from which it can be told where it stood


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """A line's fate. seen: a reader sees it, and of a planted one its false part. guards: those that objected.

    verdict: of the sentence in which it is seen, else "withheld". shown_as: that sentence, and `quote` beneath it.
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
        """Does a reader see a falsehood as anything but withheld?"""
        return self.planted and self.seen

    @property
    def verified(self) -> bool:
        """Does a reader see it as supported: as Verified, or as Checked, in other words?"""
        return self.seen and self.verdict == "supported"


def outcomes(source: str, lines: Sequence[DraftLine], examined: Mapping[str, Any]) -> list[LineOutcome]:
    """Return what became of each line."""
    told = _by_line(lines, examined["sentences"])
    dropped = [one["text"] for one in examined["dropped"]]
    return [_outcome(source, line, told.get(place, []), dropped) for place, line in enumerate(lines)]


def _outcome(source: str, line: DraftLine, told: Sequence[Sentence], dropped: Sequence[str]) -> LineOutcome:
    guards = {guard for one in told for guard in one["guards"]}
    if _is_dropped(line, dropped) or not told:
        guards.add(GAUNTLET)
    seen = [one for one in told if one["shown"] and _shows(line, one)]
    if not seen:
        return LineOutcome(source, line, False, "withheld", frozenset(guards))
    worst = min(seen, key=lambda one: one["verdict"] != "supported")
    return LineOutcome(source, line, True, worst["verdict"], frozenset(guards), worst["text"], worst["quote"])


def _shows(line: DraftLine, sentence: Sentence) -> bool:
    """Does this shown sentence hold what is false (of a true line: hold the line, at least in part)?"""
    if line.kind == "moved_marker":
        return bool(set(line.cites) & set(sentence["citations"]))
    return key_of(line.false) in key_of(sentence["text"])


def _is_dropped(line: DraftLine, dropped: Sequence[str]) -> bool:
    real = {form.format(alias) for alias in line.cites for form in ("[^{}]", "[{}]")}
    return any(text in line.written and text not in real for text in dropped if len(text) >= TELLING)


def _by_line(lines: Sequence[DraftLine], sentences: Sequence[Sentence]) -> dict[int, list[Sentence]]:
    """Find the lines that each sentence came from: the two texts are laid side by side, word by word and in order.

    A line may have become several sentences or have lost some words, and two lines may say the same.
    """
    said = [word for line in lines for word in words_of(line.text)]
    owners = [place for place, line in enumerate(lines) for _ in words_of(line.text)]
    shown = [word for sentence in sentences for word in words_of(sentence["text"])]
    origins: dict[int, int] = {}
    for block in SequenceMatcher(None, said, shown, autojunk=False).get_matching_blocks():
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
