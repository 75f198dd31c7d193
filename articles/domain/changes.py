"""What changed between two compiles of an article, sentence by sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from articles.domain.body import ArticleBody


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """kind: same, added or removed."""

    kind: str
    text: str


def sentence_changes(before: ArticleBody, after: ArticleBody) -> tuple[SentenceChange, ...]:
    """The sentences of both bodies in reading order; a removed one stands where it was."""
    old, new = [sentence.text for sentence in before.sentences], [sentence.text for sentence in after.sentences]
    found: list[SentenceChange] = []
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            found += _as("same", new[start:end])
        else:
            found += [*_as("removed", old[first:last]), *_as("added", new[start:end])]
    return tuple(found)


def _as(kind: str, texts: Sequence[str]) -> list[SentenceChange]:
    return [SentenceChange(kind, text) for text in texts]
