"""What a vague question may mean: questions that passages near it raise, define or are about.

Each is phrased as a person would ask it. Whether retrieval leads from it back to its passage, the caller checks.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chat.answering.domain.evidence.definitions import says_what_it_is, says_who_it_is
from chat.answering.domain.query.vagueness import vague_question
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import is_question, sentence_spans
from corpus.domain.text.stopwords import GENERAL_WORDS, STOPWORDS


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """Evidence: docs/thresholds.md. offered: readings that a reader is shown. tried: how many are checked, at most.

    passages: near the question, in which readings are looked for. found_within: how far up retrieval must find the
    passage that a reading comes from. shortest, longest: words of a question that a lecture itself asks.
    """

    offered: int = 2
    tried: int = 6
    passages: int = 12
    found_within: int = 5
    shortest: int = 4
    longest: int = 14


@dataclass(frozen=True, slots=True)
class ProposedReading:
    """A question, and the place, among the passages it was looked for in, of the one that it comes from."""

    question: str
    passage: int


_EDGES = " \t\"'“”‘’«»()[]*_—–-"
_OPENING = re.compile(r"^(?:and|but|so|now|then|well|yes|no|or|for|indeed|again|first|therefore)\b,?\s+", re.I)
_ASKS = re.compile(r"^(?:what|who|whom|whose|which|when|where|why|how|is|are|does|do|did|can|must|should|will)\b", re.I)
# Said to those who listened, not asked about a subject.
_TO_THE_AUDIENCE = re.compile(r"\b(?:you|your|me|my|i|shall we|do we not|isn't it|are we not|let us|o)\b", re.I)
_POINTS = re.compile(
    r"\b(?:he|she|it|they|him|her|his|them|their|its|this|that|these|those|such|here|there|then|also)\b", re.I
)
_DEFINES = re.compile(
    r"^(?P<article>the )?(?P<term>[^\W\d_][\w-]*) "
    r"(?:is|means) (?P<what>a|an|the|that|what|one|to|not)\b",
    re.I,
)
_NO_TERM = frozenset(
    """
    it this that he she they we you i there here what who which these those one all everything nothing something such
    everybody nobody man god's first second third next same other another result reason point question answer thing
    whole only
    """.split()
)


def propose_readings(about: str, passages: Sequence[str], rules: ReadingRules) -> tuple[ProposedReading, ...]:
    """Return questions near a vague one, the likeliest first, none twice.

    about: the words that the question does name, "" for none; a reading that holds them comes first. passages: the
    nearest, best first.
    """
    wanted = {word for word in fold(about).split() if len(word) > 2}
    found = [
        (not (wanted & set(fold(question).split())), place, kind, question)
        for place, text in enumerate(passages[: rules.passages])
        for kind, question in _questions_of(text, about, rules)
    ]
    readings: dict[str, ProposedReading] = {}
    for elsewhere, place, _, question in sorted(found, key=lambda found_at: found_at[:3]):
        if not (wanted and elsewhere):
            readings.setdefault(fold(question), ProposedReading(question, place))
    return tuple(readings.values())[: rules.tried]


def _questions_of(text: str, about: str, rules: ReadingRules) -> Iterator[tuple[int, str]]:
    """Yield (preference, question): what the passage says the topic is, what it asks, what else it defines."""
    if about[:1].isupper() and says_who_it_is(fold(about), text):
        yield 0, f"Who is {about}?"
    elif about and says_what_it_is(fold(about), text):
        yield 0, f"What is {about}?"
    for start, end in sentence_spans(text):
        sentence = text[start:end].strip(_EDGES)
        if is_question(sentence):
            if question := _own_question(sentence, rules):
                yield 1, question
        elif term := _defined_term(sentence):
            yield 2, f"What is {term}?"


def _own_question(sentence: str, rules: ReadingRules) -> str:
    """Return a question that a lecture asks, where it stands by itself; else ""."""
    plain = sentence
    while opening := _OPENING.match(plain):
        plain = plain[opening.end() :]
    words = plain.split()
    stands = rules.shortest <= len(words) <= rules.longest and _ASKS.match(plain) and ":" not in plain
    if not stands or _TO_THE_AUDIENCE.search(plain) or _POINTS.search(plain) or vague_question(plain):
        return ""
    return plain[:1].upper() + plain[1:]


def _defined_term(sentence: str) -> str:
    """Return the one word that a sentence defines by its beginning ("Bhakti is the…"); else ""."""
    found = _DEFINES.match(_OPENING.sub("", sentence))
    if not found:
        return ""
    term, article = found["term"], (found["article"] or "").lower()
    if fold(term) in _NO_TERM | STOPWORDS | GENERAL_WORDS or vague_question(f"What is {article}{term} in itself?"):
        return ""
    return article + term[:1].lower() + term[1:]


def as_written(topic: str, texts: Iterable[str]) -> str:
    """Return the topic with a capital where texts write it as a name: krishna → Krishna."""
    pattern = re.compile(rf"(?<=[a-z,] ){re.escape(topic)}\b", re.I)
    written = [found[0] for text in texts for found in pattern.finditer(text)]
    is_name = sum(word[:1].isupper() for word in written) * 2 > len(written)
    return topic[:1].upper() + topic[1:] if is_name else topic


def questions_about(topic: str, kinds: Iterable[str]) -> tuple[str, ...]:
    """Questions about a topic that fit the kinds of passages found, besides those that lectures ask."""
    held = frozenset(kinds)
    if not held:
        return ()
    first = f"What is said about {topic}?" if topic[:1].isupper() else f"What is {topic}?"
    verse = (f"Which verse speaks of {topic}?",) if "verse" in held else ()
    return (first, *verse, f"What is said about {topic}?")


def with_somebody(question: str, phrase: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the question with "the king" replaced by each of these: "King Yudhishthira"."""
    pattern = re.compile(re.escape(phrase), re.I)
    return tuple(dict.fromkeys(pattern.sub(name, question, count=1) for name in names if pattern.search(question)))


def people_called(phrase: str, text: str) -> tuple[str, ...]:
    """Return who a text calls so: for "the king" each "King Name" and "Name, the king" in it, in order."""
    noun = re.escape(phrase.removeprefix("the ").strip())
    name = r"(?-i:[A-ZĀĪŪŚṢṆḌ][\w’-]+)"
    pattern = re.compile(rf"\b{noun}\s+(?P<after>{name})|\b(?P<before>{name}),\s+the\s+(?:\w+\s+)?{noun}\b", re.I)
    called = phrase.removeprefix("the ").capitalize()
    return tuple(dict.fromkeys(f"{called} {match['after'] or match['before']}" for match in pattern.finditer(text)))
