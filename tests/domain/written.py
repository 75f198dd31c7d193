"""A claim beside a passage, as the guards' tests put them."""

from uuid import uuid4

from chat.answering.domain.checking import CheckRules
from chat.answering.domain.english.guards import Judged, Library, Source, Turn, Weighed, weigh
from corpus.domain.passage import Passage
from corpus.language import lexeme

BELIEVED = Judged("supported", 0.9)


def passage(text: str, **known) -> Passage:
    return Passage(
        uuid4(), uuid4(), "lecture", known.pop("address", "talk:1"), known.pop("title", ""), text, "", 0, **known
    )


def source(text: str, **known) -> Source:
    one = passage(text, **known)
    return Source.of(one, text, f"{one.title}. {one.speaker}. {one.date}. {one.address}.", lexeme)


def weighed(
    claim: str, text: str, judged: Judged = BELIEVED, *, question: str = "", library: Library | None = None, **known
) -> Weighed:
    """Weigh a claim that the verifier believes, unless told otherwise."""
    beside = source(text, **known)
    names = frozenset(word.folded for word in beside.words if word.is_name)
    turn = Turn(lexeme, frozenset(question.casefold().split()), names, library or Library())
    return weigh(claim, beside, judged, turn, CheckRules())


def objected(claim: str, text: str, **known) -> set[tuple[str, str]]:
    return {(one.guard, one.reason) for one in weighed(claim, text, **known).objections}
