"""A claim beside a passage, as the guards' tests put them."""

from uuid import uuid4

from chat.answering.domain.checking import CheckRules
from chat.answering.domain.english.guards import (
    CheckedClaim,
    Library,
    SourceText,
    TurnContext,
    VerifierJudgement,
    check_claim,
)
from corpus.domain.passage import Passage
from corpus.domain.text.folding import fold
from corpus.language import lexeme

BELIEVED = VerifierJudgement("supported", 0.9)


def passage(text: str, **known) -> Passage:
    return Passage(
        uuid4(), uuid4(), "lecture", known.pop("address", "talk:1"), known.pop("title", ""), text, "", 0, **known
    )


def source(text: str, **known) -> SourceText:
    one = passage(text, **known)
    return SourceText.of(one, text, f"{one.title}. {one.speaker}. {one.date}. {one.address}.", lexeme)


def weighed(
    claim: str,
    text: str,
    judged: VerifierJudgement = BELIEVED,
    *,
    question: str = "",
    library: Library | None = None,
    **known,
) -> CheckedClaim:
    """Weigh a claim that the verifier believes, unless told otherwise."""
    beside = source(text, **known)
    names = frozenset(word.folded for word in beside.words if word.is_name)
    turn = TurnContext(lexeme, frozenset(map(fold, question.split())), names, library or Library())
    return check_claim(claim, beside, judged, turn, CheckRules())


def objected(claim: str, text: str, **known) -> set[tuple[str, str]]:
    return {(objection.guard, objection.reason) for objection in weighed(claim, text, **known).objections}
