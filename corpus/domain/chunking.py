"""Packs sentences into chunks that fit the embedder, without truncating or losing text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .text.sentences import sentence_spans
from .token_ruler import Span, TokenRuler, TokenSpans
from .transcript import Transcript

SPECIAL_TOKENS = 2  # the tokens an encoder adds around a text


@dataclass(frozen=True, slots=True)
class ChunkRules:
    """How chunks are packed; all counts are in tokens of the embedder.

    256 is where the default embedder truncates. Chunks of one short paragraph found the gold paragraph less often than
    packed ones, and longer ones blur it.
    """

    max_tokens: int = 256
    overlap_tokens: int = 32
    full_enough: float = 0.6  # a paragraph that starts past this share of the budget starts a chunk

    @property
    def budget(self) -> int:
        return self.max_tokens - SPECIAL_TOKENS


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """The characters of a chunk, where its overlap ends (`fresh`), and its tokens without special tokens."""

    start: int
    end: int
    fresh: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, or part of a sentence longer than a chunk."""

    start: int
    end: int
    begins_paragraph: bool
    begins_section: bool


def chunk_transcript(transcript: Transcript, token_spans: TokenSpans, rules: ChunkRules) -> list[ChunkSpan]:
    """Pack the transcript's sentences, in order, into chunks of at most `rules.max_tokens`.

    Each chunk but the first of a section repeats about `overlap_tokens` of whole sentences. No chunk crosses a heading
    or a change of speaker, so that no words are attributed to the wrong speaker. A sentence longer than a chunk is cut
    at clause marks, then between words, then between tokens.
    """
    ruler = TokenRuler(transcript.text, token_spans)
    return list(_packed(list(_units(transcript, ruler, rules.budget)), ruler, rules))


def split_text(text: str, token_spans: TokenSpans, rules: ChunkRules) -> list[ChunkSpan]:
    """`text` as one chunk if it fits, otherwise as chunks without overlap that break between sentences."""
    ruler = TokenRuler(text, token_spans)
    if (tokens := ruler.estimate(0, len(text))) <= rules.budget:
        return [ChunkSpan(0, len(text), 0, tokens)]
    units = [
        _Unit(*piece, False, False)
        for sentence in sentence_spans(text)
        for piece in _pieces(text, sentence, ruler, rules.budget)
    ]
    return list(_packed(units, ruler, ChunkRules(rules.max_tokens, 0, rules.full_enough)))


def _units(transcript: Transcript, ruler: TokenRuler, budget: int) -> Iterator[_Unit]:
    section = None
    for placed in transcript.paragraphs:
        following = placed.paragraph.heading, placed.paragraph.speaker
        new_section = section is not None and following != section
        section, first = following, True
        for start, end in sentence_spans(placed.paragraph.text):
            for piece in _pieces(transcript.text, (placed.start + start, placed.start + end), ruler, budget):
                yield _Unit(*piece, first, first and new_section)
                first = False


def _packed(units: Sequence[_Unit], ruler: TokenRuler, rules: ChunkRules) -> Iterator[ChunkSpan]:
    fresh = 0
    while fresh < len(units):
        first = _overlap_start(units, fresh, ruler, rules)
        while first < fresh and ruler.estimate(units[first].start, units[fresh].end) > rules.budget:
            first += 1
        end = _filled(units, first, fresh, ruler, rules)
        tokens = ruler.count(units[first].start, units[end - 1].end)
        while tokens > rules.budget:  # only where tokens span sentences
            first, end = (first + 1, end) if first < fresh else (first, end - 1)
            tokens = ruler.count(units[first].start, units[end - 1].end)
        yield ChunkSpan(units[first].start, units[end - 1].end, units[fresh].start, tokens)
        fresh = end


def _overlap_start(units: Sequence[_Unit], fresh: int, ruler: TokenRuler, rules: ChunkRules) -> int:
    """The first unit of the overlap before `fresh`. A single sentence may take twice the wanted overlap."""
    first = fresh
    while first > 0 and not units[first].begins_section:
        allowed = rules.overlap_tokens * (2 if first == fresh else 1)
        if ruler.estimate(units[first - 1].start, units[fresh - 1].end) > allowed:
            break
        first -= 1
    return first


def _filled(units: Sequence[_Unit], first: int, fresh: int, ruler: TokenRuler, rules: ChunkRules) -> int:
    """The end of the run of units from `first` that fills a chunk, at least `fresh + 1`."""
    end = fresh + 1
    while end < len(units) and not units[end].begins_section:
        held = ruler.estimate(units[first].start, units[end - 1].end)
        if units[end].begins_paragraph and held >= rules.full_enough * rules.budget:
            break
        if ruler.estimate(units[first].start, units[end].end) > rules.budget:
            break
        end += 1
    return end


_CLAUSE_END = re.compile(r"[;:,—–।)][\"'”’]*(?=\s)|(?<=\w)(?=—)")
_WORD_END = re.compile(r"(?<=\S)(?=\s)")


def _pieces(text: str, sentence: Span, ruler: TokenRuler, budget: int) -> Iterator[Span]:
    """Cut a sentence into pieces of at most `budget` tokens."""
    start, end = sentence
    while not ruler.fits(start, end, budget):
        cut = _cut(text, start, ruler.end_of(start, budget))
        while ruler.count(start, cut) > budget and cut - start > 1:
            cut = _cut(text, start, start + (cut - start) * 3 // 4)
        yield start, cut
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _cut(text: str, start: int, limit: int) -> int:
    """The best cut at or before `limit`: the last end of a clause in the second half, else the end of a word."""
    middle = start + (limit - start) // 2
    for mark in (_CLAUSE_END, _WORD_END):
        places = [
            found.end() for found in mark.finditer(text, middle, min(limit + 1, len(text))) if found.end() <= limit
        ]
        if places:
            return places[-1]
    return limit
