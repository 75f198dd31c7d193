"""What became of each line of a hostile draft, read off what the product would have shown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lectorium.providers.planting.lines import Line, content, key_of

Sentence = Mapping[str, Any]
GAUNTLET = "gauntlet"
_MARKER = re.compile(r"\[\^?(\d+)\]")
ALIKE = 0.6  # share of a sentence's words from which it is a line told otherwise


@dataclass(frozen=True, slots=True)
class Outcome:
    """A line's fate. seen: a reader sees it, and of a planted one its false part. guards: those that objected.

    verdict: of the sentence in which it is seen, else "withheld". shown_as: that sentence, and `quote` beneath it.
    """

    source: str
    line: Line
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
        """Does a reader see it with the product's full word for it?"""
        return self.seen and self.verdict == "supported"


def outcomes(source: str, lines: Sequence[Line], examined: Mapping[str, Any]) -> list[Outcome]:
    """Return what became of each line."""
    told = _by_line(lines, examined["sentences"])
    dropped = [one["text"] for one in examined["dropped"]]
    return [_outcome(source, line, told.get(place, []), dropped) for place, line in enumerate(lines)]


def _outcome(source: str, line: Line, told: Sequence[Sentence], dropped: Sequence[str]) -> Outcome:
    guards = {guard for one in told for guard in one["guards"]}
    if _is_dropped(line, dropped) or not told:
        guards.add(GAUNTLET)
    seen = [one for one in told if one["shown"] and _shows(line, one)]
    if not seen:
        return Outcome(source, line, False, "withheld", frozenset(guards))
    worst = min(seen, key=lambda one: one["verdict"] != "supported")
    return Outcome(source, line, True, worst["verdict"], frozenset(guards), worst["text"], worst["quote"])


def _shows(line: Line, sentence: Sentence) -> bool:
    """Does this shown sentence hold what is false (of a true line: hold the line, at least in part)?"""
    if line.kind == "moved_marker":
        return bool(set(line.cites) & set(sentence["citations"]))
    return key_of(line.false) in key_of(sentence["text"])


def _is_dropped(line: Line, dropped: Sequence[str]) -> bool:
    real = {str(alias) for alias in line.cites}
    invented = [found[0] for found in _MARKER.finditer(line.written) if found[1] not in real]
    return any(marker in text for marker in invented for text in dropped)


def _by_line(lines: Sequence[Line], sentences: Sequence[Sentence]) -> dict[int, list[Sentence]]:
    """Find the line that each sentence came from, by its letters and in order; a line may have become several."""
    spans: list[tuple[int, int]] = []
    whole = ""
    for line in lines:
        spans.append((len(whole), len(whole) + len(key_of(line.text))))
        whole += key_of(line.text)
    found: dict[int, list[Sentence]] = {}
    read = 0
    for sentence in sentences:
        key = key_of(sentence["text"])
        at = whole.find(key, read)
        places = [place for place, (start, end) in enumerate(spans) if at < end and start < at + len(key)]
        if at < 0:
            places = _alike(lines, sentence["text"])
        else:
            read = at + len(key)
        for place in places:
            found.setdefault(place, []).append(sentence)
    return found


def _alike(lines: Sequence[Line], text: str) -> list[int]:
    said = content(text)
    shares = [len(said & content(line.text)) / len(said) if said else 0.0 for line in lines]
    best = max(range(len(lines)), key=shares.__getitem__)
    return [best] if shares[best] >= ALIKE else []
