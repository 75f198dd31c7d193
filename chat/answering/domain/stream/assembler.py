"""Sentences out of a stream of prose and markers, each with its citations, each only once its end cannot move.

The boundaries are those of `corpus.domain.text.sentences`, which looks a few words ahead; so does this. Blocks of
Markdown (paragraph, heading, list item, quotation) end sentences and are kept by their prefix; emphasis marks are taken
off.
A citation at a paragraph's end covers its sentences (issue 7), so one without a marker waits a few sentences for it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.answering.domain.stream.tokens import DroppedText, DropReason, Marker, Prose, Token
from corpus.domain.text.sentences import Span, sentence_spans

_PREFIX = re.compile(r"[ \t]{0,3}(?:(#{1,6})|([-*+•])|(\d{1,3}[.)])|(>))[ \t]+(?=\S)")
_PREFIX_CHARS = 12
_BREAK = re.compile(r"\n")
_BLANK = re.compile(r"[ \t]*(?:\n|$)")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*(?:\n|$)")
_SETTLED = re.compile(r"\s*(?:\S+\s+){3}\S")
_EMPHASIS = re.compile(r"\*\*|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")
SETTLED_CHARS, BRACKET_CHARS = 40, 400
HOLD = 4  # sentences that wait for a citation after them; a reader waits for as many


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence as written, not checked yet.

    block: the Markdown that begins its block ("## ", "- ", "2. ", "> "), "" in a paragraph. paragraph: its number.
    inherited: what the next citation in its paragraph names, where it has none of its own.
    """

    text: str
    block: str
    paragraph: int
    markers: tuple[Marker, ...] = ()
    inherited: tuple[int, ...] = ()

    @property
    def cited(self) -> tuple[int, ...]:
        """Return the numbers of the notes it cites itself, once each; a card cites its note too."""
        return tuple(dict.fromkeys(self.numbers("note") + self.numbers("verse") + self.numbers("chapter")))

    def numbers(self, kind: str) -> tuple[int, ...]:
        """Return the numbers of its markers of a kind, in order."""
        return tuple(marker.number for marker in self.markers if marker.kind == kind)


class Assembler:
    """Takes tokens, returns sentences; `dropped` says which markers stood alone or were repeated within a sentence."""

    def __init__(self, *, hold: int = HOLD) -> None:
        """hold: sentences without a marker that wait for one; 0 where there is nothing to cite."""
        self.dropped: list[DroppedText] = []
        self._hold = hold
        self._held: list[DraftSentence] = []
        self._text = ""
        self._marks: list[tuple[int, Marker]] = []
        self._prefix: str | None = None  # None before the block's first characters are known
        self._paragraph = 0
        self._searched = 0  # line breaks before this are within the block
        self._ended = False

    def feed(self, tokens: Sequence[Token]) -> list[DraftSentence]:
        """Return the sentences that are complete now."""
        for token in tokens:
            if isinstance(token, Prose):
                self._text += token.text
            else:
                self._marks.append((len(self._text), token))
        return self._read()

    def flush(self) -> list[DraftSentence]:
        """Return the rest: the stream has ended."""
        self._ended = True
        return self._read() + self._release()

    def _read(self) -> list[DraftSentence]:
        drafted: list[DraftSentence] = []
        while self._text and self._opened():
            end, closed = self._block_end()
            spans = sentence_spans(self._text[:end])
            stable = spans if closed else spans[: self._settled(spans, end)]
            for span in stable:
                drafted += self._covered(self._sentence(span))
            if not closed:
                self._cut(stable[-1][1] if stable else 0)
                break
            self._cut(end, closing=True)
            drafted += self._release()
        return drafted

    def _covered(self, one: DraftSentence | None) -> list[DraftSentence]:
        """Return the sentences that wait no longer, now that this one is there."""
        if one is None:
            return []
        if one.cited:
            return [*self._release(one.cited), one]
        self._held.append(one)
        return [self._held.pop(0)] if len(self._held) > self._hold else []

    def _release(self, inherited: tuple[int, ...] = ()) -> list[DraftSentence]:
        held, self._held = self._held, []
        return [replace(one, inherited=inherited) for one in held]

    def _opened(self) -> bool:
        """Read the block's prefix; False while it may still be coming."""
        if self._prefix is not None:
            return True
        lead = len(self._text) - len(self._text.lstrip())
        self._cut(self._text.rfind("\n", 0, lead) + 1, closing=True, through=False)
        if len(self._text) < _PREFIX_CHARS and "\n" not in self._text.lstrip() and not self._ended:
            return False
        found = _PREFIX.match(self._text)
        self._prefix = _block(found) if found else ""
        self._remove(found.end() if found else 0)
        return bool(self._text)

    def _block_end(self) -> tuple[int, bool]:
        """Return how much of the text is surely in this block, and whether the block ends there."""
        for found in _BREAK.finditer(self._text, self._searched):
            after = self._text[found.end() : found.end() + _PREFIX_CHARS]
            known = len(after) == _PREFIX_CHARS or "\n" in after or self._ended
            one_line = (self._prefix or "").startswith("#") or bool(_RULE.match(self._text))
            if not known and not one_line:
                return found.start(), False
            if one_line or any(pattern.match(after) for pattern in (_BLANK, _PREFIX, _RULE)):
                return found.start(), True
            self._searched = found.end()
        return len(self._text), self._ended

    def _settled(self, spans: Sequence[Span], end: int) -> int:
        """Return how many leading sentences no further text can change."""
        count = 0
        for start, stop in spans[:-1]:
            after = self._text[stop:end]
            inside = self._text[start:stop]
            open_bracket = any(inside.count(one) > inside.count(other) for one, other in ("()", "[]"))
            enough = len(after) > BRACKET_CHARS if open_bracket else bool(_SETTLED.match(after))
            if not enough and (open_bracket or len(after) < SETTLED_CHARS):
                break
            count += 1
        return count

    def _sentence(self, span: Span) -> DraftSentence | None:
        marks = [marker for offset, marker in self._marks if offset <= span[1]]
        self._marks = self._marks[len(marks) :]
        text = _EMPHASIS.sub("", " ".join(self._text[span[0] : span[1]].split())).strip()
        if not any(character.isalnum() for character in text):
            self._drop(DropReason.MALFORMED, marks)
            return None
        once = tuple(dict.fromkeys(marks))
        self._drop(DropReason.REPEATED, [marker for marker in once for _ in range(marks.count(marker) - 1)])
        return DraftSentence(text, self._prefix or "", self._paragraph, once)

    def _cut(self, end: int, *, closing: bool = False, through: bool = True) -> None:
        """Forget the text up to `end`. A block that closes takes along the markers that no sentence has.

        through: also those that stand right at `end`; before a block's first words they belong to what follows.
        """
        if closing:
            alone = [marker for offset, marker in self._marks if offset < end or (through and offset == end > 0)]
            self._marks = self._marks[len(alone) :]
            self._drop(DropReason.MALFORMED, alone)
            self._paragraph += self._prefix is not None
            self._prefix = None
        self._remove(end)

    def _remove(self, length: int) -> None:
        self._text = self._text[length:]
        self._marks = [(max(0, offset - length), marker) for offset, marker in self._marks]
        self._searched = max(0, self._searched - length)

    def _drop(self, reason: DropReason, markers: Sequence[Marker]) -> None:
        self.dropped += [DroppedText(reason, f"[{marker.kind}:{marker.number}]") for marker in markers]


def _block(found: re.Match[str]) -> str:
    heading, bullet, number, quotation = found.groups()
    return f"{heading or ('-' if bullet else number or quotation)} "
