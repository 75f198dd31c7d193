"""Assembles sentences from a stream of prose and markers, and emits each once later text cannot change its end.

Sentence boundaries are those of `corpus.domain.text.sentences`, which looks a few words ahead. Markdown blocks
(paragraph, heading, list item, quotation) end sentences; each sentence keeps its block's prefix and loses emphasis
marks. A citation at the end of a paragraph covers the sentences before it (issue 7), so a sentence without a marker
waits briefly for one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.answering.domain.stream.tokens import DroppedText, DropReason, Marker, Prose, Token
from corpus.domain.text.sentences import Span, sentence_spans

_BLOCK_PREFIX = re.compile(r"[ \t]{0,3}(?:(#{1,6})|([-*+•])|(\d{1,3}[.)])|(>))[ \t]+(?=\S)")
_PREFIX_CHARS = 12
_BREAK = re.compile(r"\n")
_BLANK = re.compile(r"[ \t]*(?:\n|$)")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*(?:\n|$)")
_FOUR_WORDS = re.compile(r"\s*(?:\S+\s+){3}\S")
_EMPHASIS = re.compile(r"\*\*|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")
SETTLED_CHARS, BRACKET_CHARS = 40, 400
HOLD = 4  # sentences that wait for a later citation, and so the delay for a reader


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence as the model wrote it, not yet checked.

    block: the Markdown prefix of its block ("## ", "- ", "2. ", "> "), "" in a paragraph. paragraph: its number.
    inherited: the notes of the next citation in its paragraph, if it has none of its own.
    """

    text: str
    block: str
    paragraph: int
    markers: tuple[Marker, ...] = ()
    inherited: tuple[int, ...] = ()

    @property
    def cited(self) -> tuple[int, ...]:
        """The numbers of the notes it cites itself, without repeats. A verse or chapter card cites its note too."""
        return tuple(dict.fromkeys(self.numbers("note") + self.numbers("verse") + self.numbers("chapter")))

    def numbers(self, kind: str) -> tuple[int, ...]:
        return tuple(marker.number for marker in self.markers if marker.kind == kind)


class Assembler:
    """Turns tokens into sentences. `dropped` lists markers outside any sentence or repeated within one."""

    def __init__(self, *, hold: int = HOLD) -> None:
        """hold: how many sentences without a marker may wait for one; 0 if there is nothing to cite."""
        self.dropped: list[DroppedText] = []
        self._hold = hold
        self._waiting: list[DraftSentence] = []
        self._text = ""
        self._markers: list[tuple[int, Marker]] = []
        self._prefix: str | None = None  # None until the block's first characters are known
        self._paragraph = 0
        self._searched = 0  # line breaks before this offset do not end the block
        self._at_end = False

    def feed(self, tokens: Sequence[Token]) -> list[DraftSentence]:
        """The sentences that are complete now."""
        for token in tokens:
            if isinstance(token, Prose):
                self._text += token.text
            else:
                self._markers.append((len(self._text), token))
        return self._read()

    def flush(self) -> list[DraftSentence]:
        """The remaining sentences, at the end of the stream."""
        self._at_end = True
        return self._read() + self._release()

    def _read(self) -> list[DraftSentence]:
        sentences: list[DraftSentence] = []
        while self._text and self._read_prefix():
            end, closed = self._block_end()
            spans = sentence_spans(self._text[:end])
            stable = spans if closed else spans[: self._settled_count(spans, end)]
            for span in stable:
                if (sentence := self._sentence(span)) is not None:
                    sentences += self._add_sentence(sentence)
            if not closed:
                self._cut(stable[-1][1] if stable else 0)
                break
            self._cut(end, closing=True)
            sentences += self._release()
        return sentences

    def _add_sentence(self, sentence: DraftSentence) -> list[DraftSentence]:
        """Add a sentence, and return those that need not wait any longer."""
        if sentence.cited:
            return [*self._release(sentence.cited), sentence]
        self._waiting.append(sentence)
        return [self._waiting.pop(0)] if len(self._waiting) > self._hold else []

    def _release(self, inherited: tuple[int, ...] = ()) -> list[DraftSentence]:
        waiting, self._waiting = self._waiting, []
        return [replace(sentence, inherited=inherited) for sentence in waiting]

    def _read_prefix(self) -> bool:
        """Read the block's prefix. False if more text is needed."""
        if self._prefix is not None:
            return True
        lead = len(self._text) - len(self._text.lstrip())
        self._cut(self._text.rfind("\n", 0, lead) + 1, closing=True, including_end=False)
        if len(self._text) < _PREFIX_CHARS and "\n" not in self._text.lstrip() and not self._at_end:
            return False
        found = _BLOCK_PREFIX.match(self._text)
        self._prefix = _normalised_prefix(found) if found else ""
        self._remove(found.end() if found else 0)
        return bool(self._text)

    def _block_end(self) -> tuple[int, bool]:
        """How much of the text is certainly in this block, and whether the block ends there."""
        for found in _BREAK.finditer(self._text, self._searched):
            after = self._text[found.end() : found.end() + _PREFIX_CHARS]
            known = len(after) == _PREFIX_CHARS or "\n" in after or self._at_end
            one_line = (self._prefix or "").startswith("#") or bool(_RULE.match(self._text))
            if not known and not one_line:
                return found.start(), False
            if one_line or any(pattern.match(after) for pattern in (_BLANK, _BLOCK_PREFIX, _RULE)):
                return found.start(), True
            self._searched = found.end()
        return len(self._text), self._at_end

    def _settled_count(self, spans: Sequence[Span], end: int) -> int:
        """How many leading sentences no further text can change."""
        count = 0
        for start, stop in spans[:-1]:
            after = self._text[stop:end]
            inside = self._text[start:stop]
            open_bracket = any(inside.count(opening) > inside.count(closing) for opening, closing in ("()", "[]"))
            enough = len(after) > BRACKET_CHARS if open_bracket else bool(_FOUR_WORDS.match(after))
            if not enough and (open_bracket or len(after) < SETTLED_CHARS):
                break
            count += 1
        return count

    def _sentence(self, span: Span) -> DraftSentence | None:
        markers = [marker for offset, marker in self._markers if offset <= span[1]]
        self._markers = self._markers[len(markers) :]
        text = _EMPHASIS.sub("", " ".join(self._text[span[0] : span[1]].split())).strip()
        if not any(character.isalnum() for character in text):
            self._drop(DropReason.MALFORMED, markers)
            return None
        distinct = tuple(dict.fromkeys(markers))
        self._drop(DropReason.REPEATED, [marker for marker in distinct for _ in range(markers.count(marker) - 1)])
        return DraftSentence(text, self._prefix or "", self._paragraph, distinct)

    def _cut(self, end: int, *, closing: bool = False, including_end: bool = True) -> None:
        """Remove the text before `end`. A block that closes drops the markers outside its sentences.

        including_end: also markers exactly at `end`. Before a block's first words these belong to the text after them.
        """
        if closing:
            unused = [
                marker for offset, marker in self._markers if offset < end or (including_end and offset == end > 0)
            ]
            self._markers = self._markers[len(unused) :]
            self._drop(DropReason.MALFORMED, unused)
            self._paragraph += self._prefix is not None
            self._prefix = None
        self._remove(end)

    def _remove(self, length: int) -> None:
        self._text = self._text[length:]
        self._markers = [(max(0, offset - length), marker) for offset, marker in self._markers]
        self._searched = max(0, self._searched - length)

    def _drop(self, reason: DropReason, markers: Sequence[Marker]) -> None:
        self.dropped += [DroppedText(reason, f"[{marker.kind}:{marker.number}]") for marker in markers]


def _normalised_prefix(found: re.Match[str]) -> str:
    heading, bullet, number, quotation = found.groups()
    return f"{heading or ('-' if bullet else number or quotation)} "
