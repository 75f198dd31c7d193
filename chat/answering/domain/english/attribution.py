"""Who a claim attributes words to, and which titles it names. Source: shared/design/pipeline.md, "Term check"."""

import re
from collections.abc import Iterator, Sequence

from chat.answering.domain.words import SentenceWords, Word, Words
from corpus.domain.addresses.address import numbers_of
from corpus.domain.dates import dates_in, in_words
from corpus.domain.passage import Passage
from corpus.domain.text.folding import fold

ATTRIBUTING = frozenset(
    """
    said say says replied replies answered answers taught teaches teach declared declares argued argues explained
    explains wrote writes claimed claims proclaimed insists insisted remarks remarked observes observed told
    preached preaches
    """.split()
)
# In a source these also mark a speaker. In a claim they do not: "Martha warns" attributes no words to her.
SPEECH_WORDS = ATTRIBUTING | frozenset(
    """
    saying asked asks tells held holds cried quoth spake saith sayeth sang sings describes described calls called
    recommends recommended warns warned admits admitted believes believed thinks thought concludes concluded reports
    reported
    """.split()
)
_NAME = r"(?P<who>(?:[A-ZÀ-ÖØ-ÞĀ-Ž][\w’'-]+\.?\s+){0,3}[A-ZÀ-ÖØ-ÞĀ-Ž][\w’'-]+)"
_ATTRIBUTIONS = (
    re.compile(rf"\b[Aa]ccording to {_NAME}"),
    re.compile(rf"{_NAME},?\s+(?:also |once |often |never |clearly )?(?:{'|'.join(sorted(ATTRIBUTING))})\b"),
    re.compile(rf"\b[Aa]s {_NAME} (?:puts|has|saw|sees|put)\b"),
)
_NAMED_TITLE = re.compile(
    r"\b(?:[Ll]ecture|[Tt]alk|[Aa]ddress|[Ss]ermon|[Dd]iscourse|[Ee]ssay|[Ss]peech|[Bb]ook|[Cc]hapter|[Ll]etter|[Aa]rticle|"
    r"[Ss]ession|[Ww]ork)s?\s*,?\s*(?:on|of|about|called|titled|entitled|named|to)?\s*"
    r"(?P<title>[“\"'‘][^”\"’]{3,90}[”\"’]|(?:[A-ZÀ-Þ][\w’'-]+)(?:\s+(?:(?:of|the|and|in|to|on|a|for)\s+)*[A-ZÀ-Þ][\w’'-]+)*)"
)
_NOT_NAMES = frozenset("he she they it we i you who one that this".split())
REACH = 8  # words between a name and a speech word


def attributed_names(text: str) -> Iterator[str]:
    """Names to which the text attributes its statement: "Krishna" in "Krishna says that…"."""
    for pattern in _ATTRIBUTIONS:
        for found in pattern.finditer(text):
            name = found["who"].strip()
            if fold(name) not in _NOT_NAMES:
                yield name


def named_titles(text: str) -> Iterator[str]:
    """Titles of lectures and books that the text names, without quotation marks."""
    for found in _NAMED_TITLE.finditer(text):
        yield found["title"].strip("“”\"'‘’ ")


def is_spoken_by(name: Words, near: Sequence[SentenceWords], source: Words) -> bool:
    """Whether the name is the source's speaker, or stands near a speech word in the evidence.

    near: the sentences around the evidence. source: words of the source's metadata (speaker, title, day).
    """
    name_words = {word.folded.removesuffix("s") for word in name if word.is_content}
    if not name_words or name_words & {word.folded.removesuffix("s") for word in source}:
        return True
    for sentence in near:
        names = [index for index, word in enumerate(sentence.words) if word.folded.removesuffix("s") in name_words]
        verbs = [index for index, word in enumerate(sentence.words) if word.folded in SPEECH_WORDS]
        if any(abs(name - verb) <= REACH for name in names for verb in verbs):
            return True
    return False


def is_titled(title: Words, source: Words, passage: Words) -> bool:
    """Whether the source, or a work named in the passage, has this title. Half of the title's words suffice."""
    content = [word for word in title if word.is_content]
    if not content:
        return True
    metadata = {word.stem for word in source}
    names = {word.stem for word in passage if word.is_name}
    return max(_share(content, metadata), _share(content, names)) >= 0.5


def _share(words: Sequence[Word], stems: set[str]) -> float:
    return sum(word.stem in stems for word in words) / len(words)


def metadata_sentences(passage: Passage) -> str:
    """The metadata of a passage as sentences: title, speaker, place, day and address."""
    metadata = f"{passage.title}. {passage.speaker}. {passage.place}. {passage.date}. {passage.address}."
    numbers = " ".join(map(str, numbers_of(passage.address)))
    days = " ".join(in_words(day) for day, _ in dates_in(passage.date))
    return f"{metadata} {days}. {numbers}"
