"""Which suggested wordings an editor is shown. Nothing is added to a pin by itself."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

Fold = Callable[[str], str]
_LEAD = re.compile(r"^\s*(?:[-*•–—]+|\(?\d{1,2}[.):])\s+")  # a bullet or the number of a list
_QUOTES = "\"'“”„‟«»‘’`*_ \t"
_MARKS = "?？؟\u037e"  # Latin, full-width, Arabic, Greek
_SENTENCE_ENDS = re.compile(r"[.!?:;？。！]\s|…")
_MARKUP = re.compile(r"[<>{}\[\]|\\=]|https?:|```")


@dataclass(frozen=True, slots=True)
class WordingRules:
    """asked: wordings that a model is asked for. shown: of each source, at most. shortest, longest: in characters."""

    asked: int = 8
    shown: int = 8
    shortest: int = 8
    longest: int = 200


def wordings_in(answer: str, rules: WordingRules) -> list[str]:
    """The questions of a model's answer, one a line. A line that is anything but a single question is dropped."""
    return list(_questions(answer.splitlines(), rules))


def new_wordings(texts: Iterable[str], taken: Iterable[str], fold: Fold, rules: WordingRules) -> list[str]:
    """The texts that say none of `taken` in another spelling, each once, in their order."""
    seen, found = {fold(text) for text in taken}, []
    for text in texts:
        if fold(text) and fold(text) not in seen:
            seen.add(fold(text))
            found.append(text)
    return found[: rules.shown]


def _questions(lines: Iterable[str], rules: WordingRules) -> Iterator[str]:
    for line in lines:
        text = " ".join(_LEAD.sub("", line).strip(_QUOTES).split())
        if not rules.shortest <= len(text) <= rules.longest or text[-1] not in _MARKS:
            continue
        if not _SENTENCE_ENDS.search(text) and not _MARKUP.search(text):
            yield text
