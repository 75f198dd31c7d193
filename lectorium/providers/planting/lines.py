"""The parts of a hostile draft: notes, their true sentences, and labelled lines."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lectorium.providers.windowing import sentence_spans

from .orders import without_orders

# the kinds of lie of the escape test
KINDS = (
    "invented_marker",
    "moved_marker",
    "changed_number",
    "negation",
    "swapped_agent",
    "invented_quote",
    "over_generalisation",
    "present_for_past",
    "added_detail",
    "invented_lecture",
    "obeyed_instruction",
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_EMPTY = frozenset(
    """about after again also although among another because been before being between both could does during each
    every from have having here into itself just like made many more most much must only other over same shall should
    since some such than that their them then there these they this those through thus under upon very well were what
    when where which while whom whose will with within without would your""".split()
)
SHORTEST, LONGEST = 6, 40  # words of a usable sentence
STEM = 5  # leading letters by which forms of a word are equated
NEAR = 0.4  # share of a sentence's content words from which a text may say the same


@dataclass(frozen=True, slots=True)
class Note:
    """A numbered note in a model's prompt."""

    alias: int
    text: str


@dataclass(frozen=True, slots=True)
class TrueSentence:
    """A sentence supported by a note. origin: verbatim, merged, reworded (by rule) or paraphrase (by hand)."""

    text: str
    alias: int
    origin: str


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A line of a draft with its label.

    text: without markers. written: with markers. kind: one of KINDS, "" for a true line. false: the false words of
    `text`;
    all of it if empty. cites: the existing notes its markers name.
    """

    text: str
    written: str
    kind: str = ""
    origin: str = "verbatim"
    false: str = ""
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LieMaterial:
    """Material for lies: the notes, and sentences of other documents."""

    notes: Sequence[Note]
    strangers: Sequence[str] = ()
    chance: random.Random = field(default_factory=random.Random)

    @property
    def all_text(self) -> str:
        return "\n".join(note.text for note in self.notes)

    def text_of(self, alias: int) -> str:
        return {note.alias: note.text for note in self.notes}[alias]

    def holds(self, words: str) -> bool:
        """Whether these whole words are in any note, in any case."""
        return bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", self.all_text, re.I))


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """The usable sentences of a text: complete statements of moderate length."""
    flat = " ".join(text.split())
    return tuple(flat[start:end] for start, end in sentence_spans(flat) if is_tellable(flat[start:end]))


def is_tellable(text: str) -> bool:
    """Whether this is a statement of 6 to 40 words with a full stop, without ellipsis, footnote or unpaired quote."""
    return (
        SHORTEST <= len(text.split()) <= LONGEST
        and text[0].isupper()
        and not text.startswith("Let ")
        and text[-1] == "."
        and "..." not in text
        and not re.search(
            r"\b(?:[A-Z][a-z]{0,3}|vs?|ca|cf|etc)\.$", text
        )  # possibly an abbreviation, and half a sentence
        and not re.search(r"\[(?:citation|clarification|\w?\d*\])|[“”\"].*[.!?][”\"]|\]\s*\)", text)
        and text.count('"') % 2 == 0
        and all(text.count(opening) == text.count(closing) for opening, closing in ("“”", "[]", "()"))
        and not re.search(r"^[^\[]*\]|^[^(]*\)", text)  # a bracket opened in an earlier sentence
        and len(sentence_spans(text)) == 1
    )


def truths(notes: Sequence[Note], paraphrases: Mapping[str, Sequence[str]]) -> list[TrueSentence]:
    """Every true sentence for these notes; `paraphrases` has the keys of key_of(note.text)."""
    found = []
    for note in notes:
        text = without_orders(note.text)
        found += [TrueSentence(sentence, note.alias, "verbatim") for sentence in sentences(text)]
        found += [TrueSentence(sentence, note.alias, "paraphrase") for sentence in paraphrases.get(key_of(text), ())]
    return found


def merged(first: TrueSentence, second: TrueSentence) -> DraftLine:
    """Join two true sentences, with a marker for each of their notes."""
    aliases = tuple(dict.fromkeys((first.alias, second.alias)))
    text = f"{first.text[:-1]}; {lower_first(second.text)}"
    return DraftLine(text, cited(text, *aliases), origin="merged", cites=aliases)


def line_of(truth: TrueSentence) -> DraftLine:
    return DraftLine(truth.text, cited(truth.text, truth.alias), origin=truth.origin, cites=(truth.alias,))


def cited(text: str, *aliases: int) -> str:
    """The sentence with its markers before the full stop."""
    return f"{text[:-1]} {''.join(f'[^{alias}]' for alias in aliases)}{text[-1]}"


def key_of(text: str) -> str:
    """A text's letters and digits, to compare spellings."""
    return "".join(words_of(text))


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """The stems of the content words."""
    return frozenset(word[:STEM] for word in words_of(text) if (len(word) > 3 and word not in _EMPTY) or word.isdigit())


def nearness(sentence: str, text: str) -> float:
    """The share, 0..1, of the sentence's content words in `text`; 1 without any."""
    mine = content(sentence)
    return len(mine & content(text)) / len(mine) if mine else 1.0


def lower_first(text: str) -> str:
    """The sentence as continued within another; a name, an abbreviation or "I" keeps its capital."""
    first = text.split(maxsplit=1)[0]
    return text[0].lower() + text[1:] if first in _COMMON else text


_COMMON = frozenset(
    """The A An In On At By As It He She They We This That These Those There Its His Her Their Our From For With During
    When After Before Because Since Some Many Most Several All Both Each One Two Three Other Such To Every If No Only
    Under Until Upon Among Between Within While Although Whoever Anyone Anybody Someone People""".split()
)
