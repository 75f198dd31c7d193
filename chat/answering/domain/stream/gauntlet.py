"""The marker gauntlet: passes on a model's prose and the markers minted for this turn, and drops the rest.

Source: shared/design/pipeline.md, stage 4. What cannot be resolved is dropped and logged with its reason. Prose is
never dropped, and a number that may be prose is treated as prose:

- Four digits in brackets are a year.
- A bare "(1)" is a marker only if it closes a clause ("… never dies (1).") or another marker follows it, so "(1863)",
  "(1) first" and list numbers stay.
- A raised digit after a digit, a single letter or a unit (10², x², km²) is an exponent.

No square bracket remains around a number of up to three digits. A bracket with a dropped marker inside is removed too,
so that the remaining text cannot form a new marker.
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
    is_open_prose,
    partial_marker,
    read_round,
    read_square,
)
from chat.answering.domain.stream.markup import Markup
from chat.answering.domain.stream.mentions import contains_mention, read_mention
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


_UNKNOWN_MARKER: Mapping[Kind, DropReason] = {
    "note": DropReason.NEVER_MINTED,
    "verse": DropReason.UNKNOWN_CARD,
    "chapter": DropReason.UNKNOWN_CARD,
    "action": DropReason.UNFIRED_ACTION,
}


class Gauntlet:
    """A `feed`/`flush` parser. `dropped` lists what was removed and why."""

    def __init__(self, minted: MintedMarkers) -> None:
        self.dropped: list[DroppedText] = []
        self._minted = minted
        self._markup = Markup(lambda reason, text: self._drop(DropReason(reason), text))
        self._window = Window()
        self._output: list[Token] = []
        self._recent_text = ""  # the last characters emitted
        self._pending_space = ""  # white space that is dropped if a marker follows
        self._after_removal = False  # whether a marker or a bracket was removed since the last prose
        self._recent_markers: set[tuple[Kind, int]] = set()  # markers since the last word
        self._unmatched_closers = 0  # closing brackets to drop, because their opening bracket was dropped

    def feed(self, text: str) -> list[Token]:
        """The tokens that can be shown now. Part of a marker is never shown."""
        self._window.feed(self._markup.feed(text))
        return self._read()

    def flush(self) -> list[Token]:
        """The remaining tokens, at the end of the stream."""
        self._window.feed(self._markup.flush())
        self._window.ended = True
        return self._read()

    def _read(self) -> list[Token]:
        try:
            while self._window.unread:
                self._next()
        except NeedMore:
            pass
        output, self._output = self._output, []
        return merged(output)

    def _next(self) -> None:
        window, here = self._window, self._window.char()
        if self._after_removal and self._recent_markers and here in " \t,;&/a" and (length := between_markers(window)):
            window.read(length)
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
            white = window.read(len(found[0]))
            self._pending_space = (
                (self._pending_space or white[0]) if self._after_removal else self._pending_space + white
            )
        elif here == "\n":
            self._newline()
        else:
            self._prose()

    def _prose(self) -> None:
        window = self._window
        found = _WORD.match(window.text, window.at)
        continues = not self._pending_space and self._recent_text[-1:].isalnum()
        if found and not continues and (mention := read_mention(window, self._recent_text + self._pending_space)):
            window.read(mention.length)
            self._emit(mention.replacement)
            self._emit_markers(Bracket(numbers=mention.numbers), mention.replacement)
            return
        found = found or _PLAIN.match(window.text, window.at)
        self._emit(window.read(len(found[0]) if found else 1))

    def _square(self) -> None:
        content, closed, nested = inside_square(self._window, 0)
        bracket = read_square(content) if closed else PROSE
        if bracket.numbers or (bracket.fault and not bracket.keeps_words):
            self._emit_markers(bracket, self._window.read(len(content) + 2))
        elif closed and bracket is PROSE and not _TRIGGERS.search(content) and not contains_mention(content):
            self._emit(self._window.read(len(content) + 2))
        elif not closed and not nested and is_open_prose(content) and not _TRIGGERS.search(content):
            self._emit(self._window.read(1))
        else:
            at_end = self._window.ended and len(self._window.text) == self._window.at + 1 + len(content)
            self._unmatched_closers += 1
            self._drop(DropReason.MALFORMED, self._window.read(1 + partial_marker(content, at_end)))
            self._after_removal = True

    def _close(self) -> None:
        closer = self._window.read(1)
        if self._unmatched_closers:
            self._unmatched_closers -= 1
            self._after_removal = True
        else:
            self._emit(closer)

    def _round(self) -> None:
        content = inside_round(self._window)
        bracket = self._read_round(content) if content else PROSE
        if content and bracket.numbers:
            self._emit_markers(bracket, self._window.read(len(content) + 2))
        else:
            self._emit(self._window.read(1))

    def _read_round(self, content: str) -> Bracket:
        if _SUPERSCRIPT.fullmatch(content):
            return read_round("^" + content.translate(_RAISED))
        numbers = bare_numbers(content)
        if not numbers or "^" in content:
            return read_round(content)
        return Bracket(numbers=numbers) if closes_clause(self._window, self._recent_text, len(content) + 2) else PROSE

    def _superscript(self) -> None:
        length = self._window.run(_SUPERSCRIPT)
        raised = self._window.read(length)
        if raised[0] == "⁻" or self._is_exponent():
            self._emit(raised)
            return
        numbers = bare_numbers(raised.translate(_RAISED))
        digits = tuple(int(digit) for digit in raised.translate(_RAISED) if digit.isdigit())
        if not any(self._minted.holds("note", number) for number in numbers) and self._all_minted(digits):
            numbers = digits  # ¹² cites two notes if there is no note 12
        self._emit_markers(Bracket(numbers=numbers, fault="" if numbers else "malformed"), raised)

    def _caret(self) -> None:
        window, following = self._window, self._window.char(1)
        if following in tuple(OPENERS):
            content, closed, _ = inside_square(window, 1)
            marker = closed and read_square(content) is not PROSE
            caret = window.read(1)
            if not marker:
                self._emit(caret)
            return
        if (following.isdigit() or following == "{") and (found := _CARET.match(window.ahead(_LOOK_CHARS))):
            source_text = window.read(len(found[0]))
            if not (self._is_exponent() or (not self._pending_space and _SHORT_WORD.search(self._recent_text))):
                self._emit_markers(Bracket(numbers=(int(found[1] or found[2]),)), source_text)
                return
            self._emit(source_text)
            return
        self._emit(window.read(1))

    def _is_exponent(self) -> bool:
        return not self._pending_space and bool(_EXPONENT_OF.search(self._recent_text))

    def _all_minted(self, numbers: tuple[int, ...]) -> bool:
        return all(self._minted.holds("note", number) for number in numbers)

    def _emit_markers(self, bracket: Bracket, source_text: str) -> None:
        self._after_removal = True
        if bracket.fault:
            self._recent_markers.add((bracket.kind, -1))
            self._drop(DropReason(bracket.fault), source_text)
        for number in bracket.numbers:
            if not self._minted.holds(bracket.kind, number):
                self._drop(_UNKNOWN_MARKER[bracket.kind], source_text)
            elif (bracket.kind, number) in self._recent_markers:
                self._drop(DropReason.REPEATED, source_text)
            else:
                self._output.append(Marker(bracket.kind, number))
            self._recent_markers.add((bracket.kind, number))

    def _emit(self, text: str) -> None:
        """Emit prose, with the white space that no marker removed."""
        if self._after_removal and self._pending_space and _CLINGS.match(text):
            self._pending_space = ""
        if (
            self._after_removal
            and not self._pending_space
            and text[0].isalnum()
            and (self._recent_text[-1:].isalnum() or self._recent_text[-1:] in tuple(".!?"))
        ):
            self._pending_space = " "
        self._output.append(Prose(self._pending_space + text))
        self._recent_text = (self._recent_text + self._pending_space + text)[-_TAIL_CHARS:]
        self._pending_space, self._after_removal = "", False
        if any(character.isalnum() for character in text):
            self._recent_markers.clear()

    def _newline(self) -> None:
        self._emit(self._window.read(1))
        self._unmatched_closers = 0
        self._recent_markers.clear()

    def _drop(self, reason: DropReason, source_text: str) -> None:
        self.dropped.append(DroppedText(reason, source_text))
