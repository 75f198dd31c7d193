"""Removes markup from a model's stream: HTML, links, code fences, lists of references, leaked tokens.

Visible text stays. Superscripts in HTML and LaTeX become raised digits. A `feed`/`flush` parser: any split of the
stream gives the same output.
"""

import re
from collections.abc import Callable, Mapping

from chat.answering.domain.stream.brackets import CLOSERS, OPENERS
from chat.answering.domain.stream.markers import read_square
from chat.answering.domain.stream.reference_lists import begins_list, is_definition, is_listed
from chat.answering.domain.stream.window import NeedMore, Window

SENTINEL = "INSUFFICIENT_EVIDENCE"

Drop = Callable[[str, str], None]

_INVISIBLE_CHARS = "\u200b\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f"
_WORD_CHARS = "A-Za-z0-9_:/.?=&%#~+@-"
_INVISIBLE = re.compile(f"[{_INVISIBLE_CHARS}]+")
_TOKEN = re.compile(f"[{_WORD_CHARS}]+")
_PLAIN = re.compile(rf"[^{_WORD_CHARS}{_INVISIBLE_CHARS}\n<\[$\\`!]+")
_TICKS = re.compile(r"`+")
_INFO = re.compile(r"[\w+-]+")
_LINK = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)\S*?(?=[.:?]*$)|(?:javascript|data|mailto):\S+", re.I)
_LEAK = re.compile(
    r"""[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}    # an id
    | \b[0-9a-f]{32,}\b                                                 # a hash
    | INSUFFICIENT_\w*
    | \b(?:chunk|source|collection|turn|passage)_(?:id|hash)\b(?:[:=][\w-]*)?
    | \b[A-Za-z][\w-]*:[A-Za-z][\w-]*:\d+\b                            # a lecture paragraph's address
    """,
    re.X | re.I,
)
_CAPTION = re.compile(r"[^\[\]\n]*")
_DESTINATION = re.compile(r"\(\s*(?:<[^>\n]*>|(?=[^\s()]*[/.#:])[^\s()]+|)(?:\s+[\"'][^\"'\n]*[\"'])?\s*\)")
_ROUND_END = re.compile(r"[)\n]")
_LATEX = re.compile(r"\$\s*(?:\{\})?\^\s*\{?\s*([\d,\s–-]+?)\s*\}?\s*\$")
_TAG_END = re.compile(r"[<>\n]")
_TAG = re.compile(r"""</?([A-Za-z][\w-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))*(?:\s[a-z]{3,})?\s*/?>""")
_BARE = re.compile(r"\s*[\[(]?\^?\s*(\d{1,3}(?:\s*[,–-]\s*\d{1,3})*)\s*[\])]?\s*")
RAISE = str.maketrans("0123456789-–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻", " ")
_HTML = frozenset(
    """a abbr article b blockquote body br button center cite code dd del details div dl dt em fieldset font footer form
    h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label li link main mark math meta nav object ol
    option p pre q s samp script section select small span strike strong style sub summary sup svg table tbody td
    textarea tfoot th thead title tr tt u ul video audio embed base think thinking thought tool_call function_call note
    notes ref refs reference references citation source sources footnote passage passages answer response output final
    doc document documents context evidence system user assistant""".split()
)
_HIDDEN_ELEMENTS = frozenset("script style think thinking thought tool_call function_call".split())
_CITING_ELEMENTS = frozenset("sup ref cite note source citation footnote".split())
_CAPTION_CHARS, _TAG_CHARS, _NUMBER_CHARS = 200, 300, 40


class Markup:
    """Removes markup; calls `drop(reason, text)` for everything it removes."""

    def __init__(self, drop: Drop) -> None:
        self._drop = drop
        self._window = Window()
        self._line_start = True
        self._skipping_line = False
        self._list_heading = ""  # the heading of a list of references that is being dropped
        self._skip_until: re.Pattern[str] | None = None
        self._last_char = ""

    def feed(self, text: str) -> str:
        """The text that can be passed on now."""
        self._window.feed(text)
        return self._read()

    def flush(self) -> str:
        """The remaining text, at the end of the stream."""
        self._window.ended = True
        return self._read()

    def _read(self) -> str:
        pieces = []
        try:
            while self._window.unread:
                pieces.append(self._next())
        except NeedMore:
            pass
        return "".join(pieces)

    def _next(self) -> str:
        if self._skip_until:
            return self._skip_element(self._skip_until)
        if self._skipping_line:
            return self._skip_line()
        if self._line_start and self._skips_references():
            return ""
        here = self._window.char()
        text = (_READERS.get(here) or Markup._plain)(self)
        if text:
            self._last_char = text[-1]
            self._line_start = self._last_char == "\n" or (self._line_start and not text.strip())
        return text

    def _plain(self) -> str:
        window = self._window
        if found := _INVISIBLE.match(window.text, window.at):
            window.read(len(found[0]))
            return ""
        if not _TOKEN.match(window.char()):
            found = _PLAIN.match(window.text, window.at)
            return window.read(len(found[0]) if found else 1)
        token = window.read(window.run(_TOKEN))
        while found := _LINK.search(token) or _LEAK.search(token):
            self._drop("link" if found.re is _LINK else "leaked_token", found[0])
            token = token[: found.start()] + token[found.end() :]
        return token

    def _angle(self) -> str:
        window, after = self._window, self._window.char(1)
        if after == "|":
            end = window.find(_TAG_END, 2, _NUMBER_CHARS)
            length = end + 1 if end is not None and window.char(end) == ">" else 2
            return self._remove("leaked_token", length)
        if after == "!" and window.char(2) == "-":
            return self._begin_skipping("html", 3, re.compile("-->"))
        if not (after.isascii() and after.isalpha()) and after != "/":
            return window.read(1)
        end = window.find(_TAG_END, 1, _TAG_CHARS)
        text = window.text[window.at : window.at + end + 1] if end else ""
        found = _TAG.fullmatch(text)
        return self._tag(text, found[1].lower()) if found and found[1].lower() in _HTML else window.read(1)

    def _tag(self, text: str, name: str) -> str:
        opens = text[1] != "/" and not text.endswith("/>")
        if opens and name in _HIDDEN_ELEMENTS:
            reason = "html" if name in ("script", "style") else "leaked_token"
            return self._begin_skipping(reason, len(text), re.compile(rf"</{name}\s*>", re.I))
        if opens and name in _CITING_ELEMENTS:
            end = self._window.find(_TAG_END, len(text), _NUMBER_CHARS)
            inside = self._window.text[self._window.at + len(text) : self._window.at + (end or 0)]
            closing = f"</{name}>"
            if end and (numbers := _BARE.fullmatch(inside)) and self._follows(closing, end):
                self._remove("html", end + len(closing))
                return numbers[1].translate(RAISE)
        return self._remove("html", len(text))

    def _follows(self, words: str, offset: int) -> bool:
        return "".join(self._window.char(offset + index) for index in range(len(words))).lower() == words

    def _begin_skipping(self, reason: str, length: int, end: re.Pattern[str]) -> str:
        self._skip_until = end
        return self._remove(reason, length)

    def _skip_element(self, end: re.Pattern[str]) -> str:
        window = self._window
        if found := end.search(window.text, window.at):
            window.at, self._skip_until = found.end(), None
        elif window.ended:
            window.at = len(window.text)
        else:
            window.at = max(window.at, len(window.text) - _NUMBER_CHARS)
            raise NeedMore
        return ""

    def _square(self) -> str:
        if not (link := self._link(0)):
            return self._window.read(1)
        return self._remove_link(*link)

    def _bang(self) -> str:
        if self._window.char(1) == "[" and (link := self._link(1)):
            self._window.read(1)
            return self._remove_link(*link)
        return self._window.read(1)

    def _link(self, offset: int) -> tuple[str, int] | None:
        """The caption of a link and its length from the "["; None if this is no link."""
        window = self._window
        length = window.run(_CAPTION, offset + 1, _CAPTION_CHARS)
        if window.char(offset + length + 1) != "]" or window.char(offset + length + 2) != "(":
            return None
        start = offset + length + 2
        end = window.find(_ROUND_END, start, _TAG_CHARS)
        destination = window.text[window.at + start : window.at + end + 1] if end else ""
        if not _DESTINATION.fullmatch(destination):
            return None
        return window.text[window.at + offset + 1 : window.at + start - 1], length + 2 + len(destination)

    def _remove_link(self, caption: str, length: int) -> str:
        """Drop the destination and read the caption again, with its brackets if it may be a marker."""
        self._remove("link", length)
        bracket = read_square(caption)
        marker_or_prose = f"[{caption}]" if bracket.numbers or bracket.fault else caption
        self._window.text = marker_or_prose + self._window.text[self._window.at :]
        self._window.at = 0
        return ""

    def _dollar(self) -> str:
        if self._window.char(1) in ("^", "{", " ") and (found := _LATEX.match(self._window.ahead(24))):
            self._window.read(len(found[0]))
            return found[1].strip().translate(RAISE)
        return self._window.read(1)

    def _backslash(self) -> str:
        escapes = self._window.char(1) in tuple("[]()^")
        return self._window.read(1)[:0] if escapes else self._window.read(1)

    def _tick(self) -> str:
        length = self._window.run(_TICKS)
        if length >= 3:
            info = self._window.run(_INFO, length) if self._line_start else 0
            return self._remove("fence", length + info)
        around_marker = self._last_char in tuple(CLOSERS) or self._window.char(length) in tuple(OPENERS)
        text = self._window.read(length)
        return "" if around_marker else text

    def _skips_references(self) -> bool:
        """Skip a line of references: the definition of a footnote, or a list of sources with its heading."""
        if self._list_heading:
            head = self._window.ahead(8)
            if not head.strip() or is_listed(head, self._list_heading):
                if head.strip():
                    self._drop("footnote_list", head)
                self._skipping_line = True
                return True
            self._list_heading = ""
        self._list_heading = begins_list(self._window)
        if self._list_heading or is_definition(self._window):
            self._drop("footnote_list", self._list_heading or self._window.ahead(8))
            self._skipping_line = True
        return self._skipping_line

    def _skip_line(self) -> str:
        end = self._window.text.find("\n", self._window.at)
        self._skipping_line = end < 0
        self._line_start = True
        self._window.at = end + 1 if end >= 0 else len(self._window.text)
        return ""

    def _remove(self, reason: str, length: int) -> str:
        self._drop(reason, self._window.read(length))
        return ""


_READERS: Mapping[str, Callable[[Markup], str]] = {
    "<": Markup._angle,
    "[": Markup._square,
    "!": Markup._bang,
    "$": Markup._dollar,
    "\\": Markup._backslash,
    "`": Markup._tick,
}
