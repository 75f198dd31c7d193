"""What a model may put around an answer: a title, and questions to ask next. Read strictly; no marker comes through."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from chat.answering.domain.query.planning import VAGUE_WORDS
from chat.answering.domain.stream.gauntlet import Gauntlet
from chat.answering.domain.stream.tokens import MintedMarkers, Prose
from chat.answering.domain.words import Word, Words
from corpus.domain.text.stopwords import GENERAL_WORDS

TITLE_WORDS, TITLE_CHARS = 9, 60
QUESTIONS, QUESTION_CHARS, SHORT_WORD = 3, 160, 3
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
    "required": ["questions"],
    "additionalProperties": False,
}
_BEFORE_NOUNS = frozenset(
    """
    the a an this that these those his her its their our my your every each any some no of in for with without into upon
    from by about between through under over against
    """.split()
)
_SAYS_LITTLE = GENERAL_WORDS | {*VAGUE_WORDS.split(), "question", "questions", "answer", "time", "verses", "things"}
_AROUND = re.compile(r"^[\W_]+|[\W_]+$")


def clean_title(text: str) -> str:
    """Return a title of one line, or "" where what came is none."""
    lines = _prose(text).strip().splitlines()
    title = _AROUND.sub("", " ".join(lines[0].split())) if lines else ""
    return title if len(title) <= TITLE_CHARS and len(title.split()) <= TITLE_WORDS else ""


def read_questions(text: str, asked: str) -> tuple[str, ...]:
    """Return the questions of {"questions": […]}, without the one already asked; none where it is something else."""
    try:
        read = json.loads(re.sub(r"^\s*```(?:json)?\s*|\s*```\s*$", "", text))
        proposed = [question for question in read["questions"] if isinstance(question, str)]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ()
    plain = [" ".join(_prose(question).split()) for question in proposed]
    new = [question for question in dict.fromkeys(plain) if question.casefold() != asked.casefold()]
    return tuple(question for question in new if question.endswith("?") and len(question) <= QUESTION_CHARS)[:QUESTIONS]


@dataclass(frozen=True, slots=True)
class NearbyPassage:
    """A passage that stands beside a citation. verse: its address where it is a verse, else ""."""

    title: str
    words: Words
    verse: str = ""


def likely_questions(
    near: Iterable[NearbyPassage], known: Collection[str], weight: Callable[[str], float]
) -> tuple[str, ...]:
    """Return a question for each passage near the citations: a verse by its address, another by what it speaks of.

    That is a name, or a word it says at least twice, which leads there, stands at least once as a noun does, and is not
    `known` yet (stems of the question and of what was quoted). weight: of a stem, the rarer the more. Whether the
    corpus answers is for retrieval to say.
    """
    questions = []
    for source in near:
        if source.verse:
            questions.append(f"What does {source.verse} say?")
        elif lead := _lead(source.words, known, weight):
            known = {*known, lead.stem}
            questions.append(f"What does {source.title} say about {lead.text if lead.is_name else lead.text.lower()}?")
    return tuple(question for question in questions if len(question) <= QUESTION_CHARS)[:QUESTIONS]


def _lead(words: Words, known: Collection[str], weight: Callable[[str], float]) -> Word | None:
    new = [word for word in words if word.is_content and word.folded.isalpha() and word.stem not in known]
    counts = Counter(word.stem for word in new)
    telling = [
        word
        for word in _nouns(words)
        if word.stem in counts
        and len(word.folded) > SHORT_WORD
        and word.folded not in _SAYS_LITTLE
        and (word.is_name or counts[word.stem] > 1)
    ]
    return max(telling, key=lambda word: (counts[word.stem] * weight(word.stem), -word.start), default=None)


def _nouns(words: Words) -> Iterator[Word]:
    """Yield the words that stand as a noun does: names, and what follows "the", "of"; none right before its noun."""
    for before, one, after in zip((None, *words), words, (*words[1:], None), strict=False):
        describes = after is not None and after.is_content and after.start - one.end <= 1
        if not describes and (one.is_name or (before is not None and before.folded in _BEFORE_NOUNS)):
            yield one


def _prose(text: str) -> str:
    gauntlet = Gauntlet(MintedMarkers(notes=()))
    return "".join(part.text for part in gauntlet.feed(text) + gauntlet.flush() if isinstance(part, Prose))
