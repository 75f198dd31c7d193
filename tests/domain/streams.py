"""Streams as models write them, and worse: what the gauntlet's tests and its benchmark feed it."""

import re
from itertools import pairwise

from chat.answering.domain.stream.gauntlet import Gauntlet
from chat.answering.domain.stream.tokens import Marker, MintedMarkers, Prose, merged

MINTED = MintedMarkers(notes=frozenset({1, 2, 3, 4}), verses=frozenset({2}), chapters=frozenset({3}))

# Each of these is prose, whatever stands beside it, and keeps its words.
# fmt: off
PROSE = [
    "soul", "The soul", "never dies.", "He lived (1863)", "(1) first,", "(2) second", "[1863]", "[sic]", "[...]",
    "x²", "10² men", "3 km²", "a < b", "BG 2.13", "3:16", "at 12:30", "2.50", "J. S. Mill", "“Go,” he said.",
    "(he said)", "कर्मण्येवाधिकारस्ते ।", "一つ。", "naïve", "Please note 3 things", "see chapter 2", "verse 3",
    "[the soul]", "E=mc^2", "I <3 you", "50%", "a & b", "r@x", "C# 4", "1. Work", "- item", "# Heading", "> quoted",
    "5,000 years", "(c) Krishna", "note well", "sources of joy", "data: none", "[of the Gītā]", "[He said]",
    "1893-1896", "No. 5", "Psalm 23", "it is so…", "why?", "(see above)", "(source)", "α² + β²",
]

# Each of these says nothing to a reader: a marker, minted or not, in some model's habit, or something leaked.
NOISE = [
    "[^1]", "[^2]", "[^9]", "[^12]", "[1]", "[2]", "[17]", "[1, 2]", "[1,9]", "[^1,2]", "[^1][^1]", "[^1-3]",
    "[^1–9]", "[^3-1]", "【1】", "【3†source】", "【4:0†source】", "［2］", "[^1, ^2]", "[note 3]", "[Source 2]",
    "[source: x]", "[verse:2]", "[verse:9]", "[chapter:3]", "[chapter:1]", "[action:1]", "[action:2]", "[verse:x]",
    "[verse:]", "[^]", "[]", "[^abc]", "[^n]", "[n]", "[ 1 ]", "[[1]]", "[[^2]]", "([^1])", "([1], [2])", "(note 3)",
    "(see notes 1 and 2)", "(^1)", "^[1]", "\\[1\\]", "`[^1]`", "[^9][^9]", "[1](https://a.example/b)",
    "<sup>[1]</sup>", "<br>", "</div>", "<!-- x -->", "<script>alert(1)</script>", "<think>no</think>",
    "INSUFFICIENT_EVIDENCE", "<|im_end|>", "[INST]", "[/INST]", "123e4567-e89b-12d3-a456-426614174000",
    "cw1:first_steps:9", "https://evil.example/x?y=1", "www.evil.example", "d41d8cd98f00b204e9800998ecf8427e",
    "[citation needed]", "[^1: see]", "[1, p. 3]", "[000]", "[٣]", "[**1**]", "⟦1⟧", "〔2〕",
]
# fmt: on

# Half things, and things that swallow: only the two promises hold here, not the words.
ROUGH = [
    *"[]^()【】<>!`$\\,;:.#*_-–&|\n \t0123456789¹²³⁹",
    "[^",
    "[[",
    "[^1",
    "[verse:",
    "[note ",
    "](",
    "](http://x.y)",
    "<sup>",
    "</sup>",
    "<think>",
    "</think>",
    "```",
    "Sources:\n",
    "\n[^1]: ",
    "note",
    "notes 1",
    "and",
    "http://",
    "$^{1}$",
    "^1",
    "(note 9)",
    " (9)",
    "(2, 8).",
    "\u200b",
    "INSUFFICIENT_",
    "†",
    "a",
    "word",
]

_NUMBER = r"[\^#]?\s*\d{1,3}(?!\d)"
UNRESOLVABLE = re.compile(
    rf"""[\[［【〔⟦] \s* {_NUMBER} (?: \s*[,;&–-]\s* {_NUMBER} )* \s* [\]］】〕⟧]
    | [\[［【〔⟦] \s* \^ | [\[［【] \s* (?:verse|chapter|action)s? \s* : | [\[［【] \s* (?:note|source)s? \s* \d
    | (?: [^\W_] | [.!?…"'”’»)\]] ) [^\S\n]*
      [(（] \s* {_NUMBER} (?: \s*[,;&–-]\s* {_NUMBER} )* \s* [)）] (?= [.!?…,;\n] | $ )
    | [\[［【] \s* \d+ \s* † | INSUFFICIENT_ | <\|im_ | [0-9a-f]{{8}}-[0-9a-f]{{4}}- | https?://\S
    """,
    re.X | re.I,
)


def through(pieces, minted=MINTED):
    """Return what the pieces become, and the gauntlet they went through."""
    gauntlet = Gauntlet(minted)
    tokens = [token for piece in pieces for token in gauntlet.feed(piece)]
    return merged(tokens + gauntlet.flush()), gauntlet


def shown(tokens):
    """Return the prose alone."""
    return "".join(token.text for token in tokens if isinstance(token, Prose))


def markers(tokens):
    return [token for token in tokens if isinstance(token, Marker)]


def words(text):
    """Return the words and numbers of a text."""
    return re.findall(r"[\w²]+", text)


def cut(text, cuts):
    """Return the text in pieces, cut at the given places."""
    edges = [0, *sorted(cuts), len(text)]
    return [text[start:end] for start, end in pairwise(edges)]
