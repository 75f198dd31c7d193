"""The marker gauntlet: of what a model writes, readers see its prose and markers that this turn minted; nothing else.

Source: shared/design/pipeline.md, stage 4. What cannot be resolved is dropped and logged with its reason. Prose is
never dropped, and a number that may be prose is prose: four digits in brackets are a year; a bare "(1)" is a marker
only where the bracket closes a clause ("… never dies (1).") or another marker follows it, so "(1863)", "(1) first"
and list numbers stay; a raised digit after a digit, a lone letter or a unit (10², x², km²) is an exponent. No square
bracket is ever left around a number of up to three digits: a bracket with something to drop inside loses itself, so
that dropping joins nothing.
"""

import re
from collections.abc import Mapping

from chat.answering.domain.stream.brackets import (
    CLOSERS,
    OPENERS,
    RAISED_DIGITS,
    ROUND,
    between_markers,
    closes_clause,
    inside_round,
    inside_square,
)
from chat.answering.domain.stream.markers import (
    PROSE,
    Bracket,
    Kind,
    bare_numbers,
    half_marker,
    is_open_prose,
    read_round,
    read_square,
)
from chat.answering.domain.stream.markup import Markup
from chat.answering.domain.stream.mentions import holds_mention, read_mention
from chat.answering.domain.stream.tokens import DroppedText, DropReason, Marker, MintedMarkers, Prose, Token, merged
from chat.answering.domain.stream.window import NeedMore, Window

_RAISED = str.maketrans(RAISED_DIGITS, "0123456789-")
_TRIGGERS = re.compile(rf"[{ROUND}^{RAISED_DIGITS}]")
_SUPERSCRIPT = re.compile(f"[{RAISED_DIGITS}]+")
_WORD = re.compile(rf"[^\W{RAISED_DIGITS}]+")
_PLAIN = re.compile(rf"[^\s\w{ROUND}^{RAISED_DIGITS}{re.escape(OPENERS + CLOSERS)}]+")
_SPACE = re.compile(r"[^\S\n]+")
_SHORT_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,2}$")
_CARET = re.compile(r"\^(?:\{(\d{1,3})\}|(\d{1,3})(?!\d)\^?)")
_EXPONENT_OF = re.compile(r"(?:\d|(?<![^\W\d_])(?:[^\W\d_]|km|cm|mm|nm|ft|mi|yd))$")
_CLINGS = re.compile(r"[\s.,;:!?…)\]”’»]")
_LOOK_CHARS, _TAIL_CHARS = 12, 24


_UNRESOLVED: Mapping[Kind, DropReason] = {
    "note": DropReason.NEVER_MINTED,
    "verse": DropReason.UNKNOWN_CARD,
    "chapter": DropReason.UNKNOWN_CARD,
    "action": DropReason.UNFIRED_ACTION,
}


class Gauntlet:
    """Reads a stream; `dropped` says what was taken out and why."""

    def __init__(self, minted: MintedMarkers) -> None:
        self.dropped: list[DroppedText] = []
        self._minted = minted
        self._markup = Markup(lambda reason, text: self._drop(DropReason(reason), text))
        self._window = Window()
        self._said: list[Token] = []
        self._tail = ""  # the end of what was shown
        self._gap = ""  # white space that a marker may still swallow
        self._cut = False  # something was taken out since the last prose
        self._run: set[tuple[Kind, int]] = set()  # the markers since the last word
        self._owed = 0  # closing brackets whose opening one was dropped

    def feed(self, text: str) -> list[Token]:
        """Return what can be shown now. Half a marker is never shown."""
        self._window.feed(self._markup.feed(text))
        return self._read()

    def flush(self) -> list[Token]:
        """Return the rest: the stream has ended."""
        self._window.feed(self._markup.flush())
        self._window.ended = True
        return self._read()

    def _read(self) -> list[Token]:
        try:
            while self._window.unread:
                self._next()
        except NeedMore:
            pass
        said, self._said = self._said, []
        return merged(said)

    def _next(self) -> None:
        window, here = self._window, self._window.char()
        if self._cut and self._run and here in " \t,;&/a" and (length := between_markers(window)):
            window.take(length)
        elif here in OPENERS:
            self._square()
        elif here in CLOSERS:
            self._close()
        elif here in ROUND:
            self._round()
        elif here in RAISED_DIGITS:
            self._superscript()
        elif here == "^":
            self._caret()
        elif found := _SPACE.match(window.text, window.at):
            white = window.take(len(found[0]))
            self._gap = (self._gap or white[0]) if self._cut else self._gap + white
        elif here == "\n":
            self._newline()
        else:
            self._prose()

    def _prose(self) -> None:
        window = self._window
        found = _WORD.match(window.text, window.at)
        continues = not self._gap and self._tail[-1:].isalnum()
        if found and not continues and (mention := read_mention(window, self._tail + self._gap)):
            window.take(mention.length)
            self._say(mention.said)
            self._mark(Bracket(numbers=mention.numbers), mention.said)
            return
        found = found or _PLAIN.match(window.text, window.at)
        self._say(window.take(len(found[0]) if found else 1))

    def _square(self) -> None:
        content, closed, nested = inside_square(self._window, 0)
        bracket = read_square(content) if closed else PROSE
        if bracket.numbers or (bracket.fault and not bracket.keeps):
            self._mark(bracket, self._window.take(len(content) + 2))
        elif closed and bracket is PROSE and not _TRIGGERS.search(content) and not holds_mention(content):
            self._say(self._window.take(len(content) + 2))
        elif not closed and not nested and is_open_prose(content) and not _TRIGGERS.search(content):
            self._say(self._window.take(1))
        else:
            at_end = self._window.ended and len(self._window.text) == self._window.at + 1 + len(content)
            self._owed += 1
            self._drop(DropReason.MALFORMED, self._window.take(1 + half_marker(content, at_end)))
            self._cut = True

    def _close(self) -> None:
        closer = self._window.take(1)
        if self._owed:
            self._owed -= 1
            self._cut = True
        else:
            self._say(closer)

    def _round(self) -> None:
        content = inside_round(self._window)
        bracket = self._read_round(content) if content else PROSE
        if content and bracket.numbers:
            self._mark(bracket, self._window.take(len(content) + 2))
        else:
            self._say(self._window.take(1))

    def _read_round(self, content: str) -> Bracket:
        if _SUPERSCRIPT.fullmatch(content):
            return read_round("^" + content.translate(_RAISED))
        numbers = bare_numbers(content)
        if not numbers or "^" in content:
            return read_round(content)
        return Bracket(numbers=numbers) if closes_clause(self._window, self._tail, len(content) + 2) else PROSE

    def _superscript(self) -> None:
        length = self._window.run(_SUPERSCRIPT)
        raised = self._window.take(length)
        if raised[0] == "⁻" or self._is_exponent():
            self._say(raised)
            return
        numbers = bare_numbers(raised.translate(_RAISED))
        digits = tuple(int(digit) for digit in raised.translate(_RAISED) if digit.isdigit())
        if not any(self._minted.holds("note", number) for number in numbers) and self._all_minted(digits):
            numbers = digits  # ¹² is two notes where there is no twelfth
        self._mark(Bracket(numbers=numbers, fault="" if numbers else "malformed"), raised)

    def _caret(self) -> None:
        window, following = self._window, self._window.char(1)
        if following in tuple(OPENERS):
            content, closed, _ = inside_square(window, 1)
            marker = closed and read_square(content) is not PROSE
            caret = window.take(1)
            if not marker:
                self._say(caret)
            return
        if (following.isdigit() or following == "{") and (found := _CARET.match(window.ahead(_LOOK_CHARS))):
            written = window.take(len(found[0]))
            if not (self._is_exponent() or (not self._gap and _SHORT_WORD.search(self._tail))):
                self._mark(Bracket(numbers=(int(found[1] or found[2]),)), written)
                return
            self._say(written)
            return
        self._say(window.take(1))

    def _is_exponent(self) -> bool:
        return not self._gap and bool(_EXPONENT_OF.search(self._tail))

    def _all_minted(self, numbers: tuple[int, ...]) -> bool:
        return all(self._minted.holds("note", number) for number in numbers)

    def _mark(self, bracket: Bracket, written: str) -> None:
        self._cut = True
        if bracket.fault:
            self._run.add((bracket.kind, -1))
            self._drop(DropReason(bracket.fault), written)
        for number in bracket.numbers:
            if not self._minted.holds(bracket.kind, number):
                self._drop(_UNRESOLVED[bracket.kind], written)
            elif (bracket.kind, number) in self._run:
                self._drop(DropReason.REPEATED, written)
            else:
                self._said.append(Marker(bracket.kind, number))
            self._run.add((bracket.kind, number))

    def _say(self, text: str) -> None:
        """Show prose, with the white space that no marker swallowed."""
        if self._cut and self._gap and _CLINGS.match(text):
            self._gap = ""
        if (
            self._cut
            and not self._gap
            and text[0].isalnum()
            and (self._tail[-1:].isalnum() or self._tail[-1:] in tuple(".!?"))
        ):
            self._gap = " "
        self._said.append(Prose(self._gap + text))
        self._tail = (self._tail + self._gap + text)[-_TAIL_CHARS:]
        self._gap, self._cut = "", False
        if any(character.isalnum() for character in text):
            self._run.clear()

    def _newline(self) -> None:
        self._say(self._window.take(1))
        self._owed = 0
        self._run.clear()

    def _drop(self, reason: DropReason, written: str) -> None:
        self.dropped.append(DroppedText(reason, written))
