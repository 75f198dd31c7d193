"""Who a claim says said it, and where: neither may be invented (shared/design/pipeline.md, "Term check"; issue 7)."""

import re
from collections.abc import Iterator, Sequence

from chat.answering.domain.words import SentenceWords, Word, Words
from corpus.domain.addresses.address import numbers_of
from corpus.domain.dates import dates_in, in_words
from corpus.domain.passage import Passage
from corpus.domain.text.folding import fold

SPEAKING = frozenset(
    """
    said say says replied replies answered answers taught teaches teach declared declares argued argues explained
    explains wrote writes claimed claims proclaimed insists insisted remarks remarked observes observed told
    preached preaches
    """.split()
)
# Words beside which a source may have a name speak, though a claim's "Martha warns" ascribes it no words.
SAYING = SPEAKING | frozenset(
    """
    saying asked asks tells held holds cried quoth spake saith sayeth sang sings describes described calls called
    recommends recommended warns warned admits admitted believes believed thinks thought concludes concluded reports
    reported
    """.split()
)
_NAME = r"(?P<who>(?:[A-ZÀ-ÖØ-ÞĀ-Ž][\w’'-]+\.?\s+){0,3}[A-ZÀ-ÖØ-ÞĀ-Ž][\w’'-]+)"
_CLAIMS = (
    re.compile(rf"\b[Aa]ccording to {_NAME}"),
    re.compile(rf"{_NAME},?\s+(?:also |once |often |never |clearly )?(?:{'|'.join(sorted(SPEAKING))})\b"),
    re.compile(rf"\b[Aa]s {_NAME} (?:puts|has|saw|sees|put)\b"),
)
_PLACE = re.compile(
    r"\b(?:[Ll]ecture|[Tt]alk|[Aa]ddress|[Ss]ermon|[Dd]iscourse|[Ee]ssay|[Ss]peech|[Bb]ook|[Cc]hapter|[Ll]etter|[Aa]rticle|"
    r"[Ss]ession|[Ww]ork)s?\s*,?\s*(?:on|of|about|called|titled|entitled|named|to)?\s*"
    r"(?P<title>[“\"'‘][^”\"’]{3,90}[”\"’]|(?:[A-ZÀ-Þ][\w’'-]+)(?:\s+(?:(?:of|the|and|in|to|on|a|for)\s+)*[A-ZÀ-Þ][\w’'-]+)*)"
)
_EVERYONE = frozenset("he she they it we i you who one that this".split())
REACH = 8  # words between a name and the word that says it spoke


def said_by(text: str) -> Iterator[str]:
    """Yield the names to which the text ascribes what it says: "Krishna" of "Krishna says that…"."""
    for form in _CLAIMS:
        for found in form.finditer(text):
            name = found["who"].strip()
            if fold(name) not in _EVERYONE:
                yield name


def titles_in(text: str) -> Iterator[str]:
    """Yield the titles of lectures and books that the text says it speaks of, without their quotation marks."""
    for found in _PLACE.finditer(text):
        yield found["title"].strip("“”\"'‘’ ")


def is_said_there(name: Words, near: Sequence[SentenceWords], source: Words) -> bool:
    """Does the evidence have these words spoken by this name: is it the source's own, or beside a word of saying?

    near: the sentences around the evidence. source: the words of the source's speaker and title.
    """
    wanted = {word.folded.removesuffix("s") for word in name if word.carries}
    if not wanted or wanted & {word.folded.removesuffix("s") for word in source}:
        return True
    for sentence in near:
        places = [place for place, word in enumerate(sentence.words) if word.folded.removesuffix("s") in wanted]
        verbs = [place for place, word in enumerate(sentence.words) if word.folded in SAYING]
        if any(abs(place - verb) <= REACH for place in places for verb in verbs):
            return True
    return False


def is_titled(title: Words, source: Words, passage: Words) -> bool:
    """Is the source, or something that the passage itself names, called so? Half of the title's words suffice."""
    wanted = [word for word in title if word.carries]
    known = {word.stem for word in source}
    named = {word.stem for word in passage if word.is_name}
    if not wanted:
        return True
    return max(_share(wanted, known), _share(wanted, named)) >= 0.5


def _share(wanted: Sequence[Word], known: set[str]) -> float:
    return sum(word.stem in known for word in wanted) / len(wanted)


def known_of(passage: Passage) -> str:
    """Return what is known of a passage besides its text, in sentences: title, speaker, place, day and address."""
    known = f"{passage.title}. {passage.speaker}. {passage.place}. {passage.date}. {passage.address}."
    numbers = " ".join(map(str, numbers_of(passage.address)))
    days = " ".join(in_words(day) for day, _ in dates_in(passage.date))
    return f"{known} {days}. {numbers}"
