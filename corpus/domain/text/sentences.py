"""Splits sentences in written and spoken English, with Indic dandas and CJK stops.

Rules rather than a library: offsets are exact, and common segmenters are slower and miss the abbreviations of older
prose. An ambiguous stop does not split: two sentences together read well, half a sentence does not.
"""

import functools
import re

Span = tuple[int, int]

# Patterns and checks must not look further back than NEAR characters: a text may have a million stops in one sentence.
NEAR = 40  # characters; no abbreviation is longer
NEAR_BRACKETS = 1000  # characters before a stop in which an open bracket counts

_STOP = re.compile(
    r"""
    (?P<danda> [।॥]+ (?: \s* [\d०-९.\-–]+ \s* [।॥]+ )* )   # with the verse number between its dandas
    | (?P<wide> [。！？]+ [”’」』）]* )
    | (?P<stop> (?<![.!?…؟۔]) (?: \.(?:\s?\.)+ | [.!?…؟۔]+ ) (?: \s+ (?: \.{2,} | …) )* )
      (?P<close> (?: \[\d+\] | ["'”’»)\]*_] )* ) (?= \s | $ )
    | (?P<blank> \n[^\S\n]*\n )
    """,
    re.VERBOSE,
)
_WORD_BEFORE = re.compile(r"[^\s(\[“‘\"'—–]+$")
_OPENERS = "\"'“‘«([*_—–- "
_AFTER_MARK = " \"'”’)"
_INITIAL = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]$")
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[ivxlc]{1,5}|[IVXLC]{1,5}|[a-zA-Z])$")
_SAID = re.compile(
    r"(?:[A-Z][\w’'-]*\s+){1,2}(?:said|asked|cried|replied|answered|exclaimed|says|asks|shouted|continued|added)\b"
)
_SPOKEN_FIRST_PERSON = re.compile(r"I(?:\W|$)")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDY = re.compile(r"\w")

_NEVER_LAST = frozenset(
    """mr mrs ms messrs mme mlle dr prof rev revd hon st ste sts sr sra fr bro gen col capt lt sgt maj gov pres sen rep
    i.e e.g viz vs cf ibid op cit loc vide seq al ed eds trans tr vol vols p pp ch chap chaps sec sect art fig figs no
    nos v vv ver fol lib cap par bk n ca c approx lit sc scil mt ft abp bp swa skt sans gr lat heb""".split()
)
_MAYBE_LAST = frozenset("etc esq jr sr bros co inc ltd b.c a.d b.c.e c.e a.m p.m u.s u.k m.a b.a d.d ph.d ll.d".split())
_STARTERS = frozenset(
    """The A An It He She They We You This That These Those There But And Or Nor In If So When What Where Who Why How
    Now Then Here For As At On My Our His Her Their Your Its Thus Therefore Hence Yet Again Let Do Not All""".split()
)


def is_question(text: str) -> bool:
    """Whether the text ends with a question mark, ignoring closing quotes and brackets."""
    return text.rstrip(_AFTER_MARK).endswith("?")


def sentence_spans(text: str) -> list[Span]:
    """The (start, end) of each sentence, in order, without surrounding white space.

    The spans cover every other character. A blank line always ends a sentence, a single line break never does.
    """
    return list(_spans(text))


@functools.lru_cache(maxsize=4096)  # a turn splits its passages several times
def _spans(text: str) -> tuple[Span, ...]:
    spans: list[Span] = []
    start = 0
    first_word = -1  # where the first word of this sentence begins
    for match in _STOP.finditer(text):
        if first_word < start:
            first_word = _first_word(text, start)
        if _ends_sentence(text, start, first_word, match):
            _add(spans, text, start, match.end())
            start = match.end()
    _add(spans, text, start, len(text))
    return tuple(spans)


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _first_word(text: str, start: int) -> int:
    found = _WORDY.search(text, start)
    return found.start() if found else len(text)


def _ends_sentence(text: str, start: int, first_word: int, match: re.Match[str]) -> bool:
    if match["stop"] is None:
        return True
    if first_word >= match.start():  # a leading ellipsis
        return False
    following = _following(text, match.end())
    if following == match.end() or following == len(text):  # only white space follows, or nothing
        return True
    if "\n\n" in text[match.end() : following]:
        return True
    if text[following].islower() or _inside_brackets(text, start, match.end()):
        return False
    if match["stop"] == ".":
        return not _is_abbreviation(text, start, match.start(), following)
    if match["stop"][-1] in ".…":
        return not _SPOKEN_FIRST_PERSON.match(text, following)
    return not (match["close"] and _SAID.match(text, following))


def _following(text: str, position: int) -> int:
    """The start of the next word, after space, dashes and opening marks."""
    while position < len(text) and (text[position].isspace() or text[position] in _OPENERS):
        position += 1
    return position


def _inside_brackets(text: str, start: int, end: int) -> bool:
    """Whether a bracket opened in this sentence closes soon after."""
    start = max(start, end - NEAR_BRACKETS)
    for opening, closing in ("()", "[]"):
        if text.count(opening, start, end) > text.count(closing, start, end):
            return text.find(closing, end, end + 400) >= 0
    return False


def _is_abbreviation(text: str, start: int, stop: int, following: int) -> bool:
    found = _WORD_BEFORE.search(text, max(start, stop - NEAR), stop)
    if not found:
        return False
    word, at = found.group(), found.start()
    first = at - start < NEAR and not text[start:at].strip(_OPENERS)
    if first and _ENUMERATOR.match(word):
        return True
    if word.lower() in _NEVER_LAST:
        return word.lower() not in ("no", "art", "cap", "ed", "par", "sec", "fig", "sans", "co", "al") or _is_label(
            word, text, following
        )
    if word.lower() in _MAYBE_LAST or ("." in word and _INITIAL.match(word)):
        return _next_word(text, following) not in _STARTERS
    if len(word) == 1 and word.isupper():
        return word != "I" or not text[max(0, at - NEAR) : at].rstrip()[-1:].islower()
    return False


def _is_label(word: str, text: str, following: int) -> bool:
    """Whether a word is an abbreviation here: "No. 5" before a number, "al." and "Ed." before a name."""
    return text[following].isdigit() or word in ("al", "Ed", "Co")


def _next_word(text: str, position: int) -> str:
    found = _LETTERS.match(text, position)
    return found.group() if found else ""
