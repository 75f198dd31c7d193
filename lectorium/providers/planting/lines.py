"""What a hostile draft is made of: notes, true sentences of theirs, and lines with their labels."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lectorium.providers.windowing import sentence_spans

from .orders import without_orders

# shared/design/evaluation.md, "escape test".
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
SHORTEST, LONGEST = 6, 40  # words of a sentence that is worth telling
STEM = 5  # letters by which forms of a word are taken for one
NEAR = 0.4  # share of a sentence's words from which a text may be saying the same


@dataclass(frozen=True, slots=True)
class Note:
    """A numbered note as a model is handed it."""

    alias: int
    text: str


@dataclass(frozen=True, slots=True)
class TrueSentence:
    """A sentence that is true of a note. origin: verbatim, merged, reworded (by rule) or paraphrase (by hand)."""

    text: str
    alias: int
    origin: str


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One line of a draft and its label.

    text: what a reader would read, without markers. written: what the model writes. kind: one of KINDS, "" for a true
    line. false: the words of `text` that are not so; all of it where empty. cites: the real notes its markers name.
    """

    text: str
    written: str
    kind: str = ""
    origin: str = "verbatim"
    false: str = ""
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LieMaterial:
    """What a lie can be made from: the notes, and sentences of documents that are not among them."""

    notes: Sequence[Note]
    strangers: Sequence[str] = ()
    chance: random.Random = field(default_factory=random.Random)

    @property
    def all_text(self) -> str:
        return "\n".join(note.text for note in self.notes)

    def text_of(self, alias: int) -> str:
        """Return the note's text. Raises KeyError where there is no such note."""
        return {note.alias: note.text for note in self.notes}[alias]

    def holds(self, words: str) -> bool:
        """Do these words stand in any note, as whole words, whatever their case?"""
        return bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", self.all_text, re.I))


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that can be told by themselves: statements of a fair length, in one piece."""
    flat = " ".join(text.split())
    return tuple(flat[start:end] for start, end in sentence_spans(flat) if is_tellable(flat[start:end]))


def is_tellable(text: str) -> bool:
    """Is it a statement: 6 to 40 words, ended by a full stop, without ellipsis, footnote or unpaired quotation mark?"""
    return (
        SHORTEST <= len(text.split()) <= LONGEST
        and text[0].isupper()
        and not text.startswith("Let ")
        and text[-1] == "."
        and "..." not in text
        and not re.search(
            r"\b(?:[A-Z][a-z]{0,3}|vs?|ca|cf|etc)\.$", text
        )  # an abbreviation, perhaps, and half a sentence
        and not re.search(r"\[(?:citation|clarification|\w?\d*\])|[“”\"].*[.!?][”\"]|\]\s*\)", text)
        and text.count('"') % 2 == 0
        and all(text.count(opening) == text.count(closing) for opening, closing in ("“”", "[]", "()"))
        and not re.search(r"^[^\[]*\]|^[^(]*\)", text)  # a bracket that a sentence before it opened
        and len(sentence_spans(text)) == 1
    )


def truths(notes: Sequence[Note], paraphrases: Mapping[str, Sequence[str]]) -> list[TrueSentence]:
    """Return every true sentence there is for these notes; `paraphrases` are looked up by key_of(note.text)."""
    found = []
    for note in notes:
        text = without_orders(note.text)
        found += [TrueSentence(sentence, note.alias, "verbatim") for sentence in sentences(text)]
        found += [TrueSentence(one, note.alias, "paraphrase") for one in paraphrases.get(key_of(text), ())]
    return found


def merged(first: TrueSentence, second: TrueSentence) -> DraftLine:
    """Tell two truths in one sentence, each with its marker where they stand in two notes."""
    aliases = tuple(dict.fromkeys((first.alias, second.alias)))
    text = f"{first.text[:-1]}; {lower_first(second.text)}"
    return DraftLine(text, cited(text, *aliases), origin="merged", cites=aliases)


def tell(truth: TrueSentence) -> DraftLine:
    """Tell a truth with its marker."""
    return DraftLine(truth.text, cited(truth.text, truth.alias), origin=truth.origin, cites=(truth.alias,))


def cited(text: str, *aliases: int) -> str:
    """Return the sentence with its markers before its full stop."""
    return f"{text[:-1]} {''.join(f'[^{alias}]' for alias in aliases)}{text[-1]}"


def key_of(text: str) -> str:
    """Return the text's letters and digits, by which two spellings of one text are known to be the same."""
    return "".join(words_of(text))


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, in small letters."""
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """Return the beginnings of the words that carry meaning."""
    return frozenset(word[:STEM] for word in words_of(text) if (len(word) > 3 and word not in _EMPTY) or word.isdigit())


def nearness(sentence: str, text: str) -> float:
    """Return the share, 0..1, of the sentence's meaning words that `text` holds; 1 where it has none."""
    mine = content(sentence)
    return len(mine & content(text)) / len(mine) if mine else 1.0


def lower_first(text: str) -> str:
    """Return the sentence as it reads within another one: a name, a short form or "I" keeps its capital."""
    first = text.split(maxsplit=1)[0]
    return text[0].lower() + text[1:] if first in _COMMON else text


_COMMON = frozenset(
    """The A An In On At By As It He She They We This That These Those There Its His Her Their Our From For With During
    When After Before Because Since Some Many Most Several All Both Each One Two Three Other Such To Every If No Only
    Under Until Upon Among Between Within While Although Whoever Anyone Anybody Someone People""".split()
)
