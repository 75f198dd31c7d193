"""Questions to ask next, from the passages around an answer: those a source asks itself, and what it defines or names.

By English words. Few passages have one, and none is better than one that nobody would ask.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from chat.answering.domain.query.vagueness import vague_question
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import is_question, sentence_spans
from corpus.domain.text.stopwords import GENERAL_WORDS, STOPWORDS

SHORTEST, LONGEST = 5, 16  # words of a question of the source's own
_WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")
_ASKS = re.compile(r"(?:what|who|whom|whose|why|how|when|where|which|does|do|did|is|are|was|were|can|should)\b", re.I)
# Words that stand for something said before, or for speaker and audience.
_POINTING = frozenset(
    """
    i we us our ours you your yours my me mine he she they them him her hers his their theirs its this that these those
    here there now then such same other others former latter too also else
    """.split()
)
_POINTING_IT = re.compile(r"\bit\b(?! (?:be|is|was) (?:\w+ ){1,2}(?:to|that)\b)", re.I)
_PERSON = (
    "(?:king|queen|prince|son|daughter|brother|sister|friend|teacher|man|woman|boy|girl|wife|husband|poet|sage|"
    "charioteer|warrior|priest|potter|surgeon|widow|clerk|student)"
)
_DEFINES = re.compile(
    r"(?:The (?:Sanskrit )?(?:word|term|name) )?(?P<term>[^\W\d_][\w-]{3,}) (?P<verb>is|means) "
    r"(?P<what>(?:an?|the|one)\b\S*(?: [^\s.!?]+){4,})"
)
_INTRODUCES = re.compile(rf"\b{_PERSON},? (?:called|named) (?P<name>[^\W\d_][^\W_]+)")
_TITLES = frozenset("mister missus doctor professor swami saint sir lady".split())


@dataclass(frozen=True, slots=True)
class NearbyPassage:
    """A passage that stands beside a citation. verse: its address where it is a verse, else ""."""

    text: str
    verse: str = ""


def nearby_questions(
    near: Iterable[NearbyPassage], quoted: Collection[str], known: Collection[str], stem: Callable[[str], str]
) -> tuple[str, ...]:
    """The questions these passages suggest, the nearest passage's first, verses last.

    quoted: what the reader has been shown. known: stems of the question and of what was shown; what these name is not
    asked about again.
    """
    passages = list(near)
    told = " ".join(quoted)
    found = [
        question
        for passage in passages
        if not passage.verse
        for question, subject in _of_passage(passage.text)
        if question not in told and (not subject or stem(fold(subject)) not in known)
    ]
    verses = [f"What does {passage.verse} say?" for passage in passages if passage.verse]
    return tuple(dict.fromkeys([*found, *verses]))


def _of_passage(text: str) -> Iterator[tuple[str, str]]:
    """Yield (question, the word it asks about; "" for a question of the source's own)."""
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        if is_question(sentence):
            if stands_alone(sentence):
                yield sentence, ""
        elif introduced := _INTRODUCES.search(sentence):
            name = introduced["name"]
            if name[0].isupper() and name.lower() not in _TITLES:
                yield f"Who is {name}?", name
        elif defined := _DEFINES.match(sentence):
            yield from _asked_of(defined, text)


def stands_alone(question: str) -> bool:
    """Whether a question in a source can be understood, and asked, by someone who has not read what is around it."""
    words = [word.lower() for word in _WORD.findall(question)]
    return (
        SHORTEST <= len(words) <= LONGEST
        and bool(_ASKS.match(question))
        and _POINTING.isdisjoint(words)
        and not _POINTING_IT.search(question)
        and vague_question(question) is None
    )


def _asked_of(defined: re.Match[str], text: str) -> Iterator[tuple[str, str]]:
    term = defined["term"]
    if fold(term) in GENERAL_WORDS or fold(term) in STOPWORDS:
        return
    common = term[0].lower() + term[1:]
    is_name = common not in text and not text.startswith(common)
    if defined["verb"] == "means":
        yield f"What does {term if is_name else common} mean?", term
    elif is_name and re.search(rf"\b{_PERSON}\b", defined["what"]):
        yield f"Who is {term}?", term
    elif not is_name:
        yield f"What is {common}?", term
