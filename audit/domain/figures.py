"""What the auditor's report says of a period, each figure with what it counts, in words.

Source: shared/design/pipeline.md, "Metrics and alerts". Live figures know only what the checks caught, so none is
called a hallucination rate: what gets past the checks is measured by the escape test.
"""

from collections.abc import Callable
from dataclasses import dataclass

from audit.domain.metrics import Mean, Share
from audit.domain.outcomes import ANSWERED
from audit.domain.tallies import Tally, TallyKind

QUESTIONS = ANSWERED | {"closest_passage", "refused", "out_of_corpus", "failed"}
REFUSED = frozenset({"refused"})
CLOSEST = frozenset({"closest_passage"})
SUPPORTED, PARTIAL, INFERRED = frozenset({"supported"}), frozenset({"partial"}), frozenset({"inferred"})
INVENTED = frozenset({"never_minted", "unknown_card"})  # markers of sources that the model was not given


@dataclass(frozen=True, slots=True)
class Figure:
    """One share of a period. whole: what it is a share of, in the plural."""

    name: str
    title: str
    whole: str
    meaning: str
    measure: Callable[[Tally], Share | Mean]


def _of_questions(part: frozenset[str]) -> Callable[[Tally], Share]:
    kinds = (TallyKind.OUTCOME, TallyKind.DELETED_OUTCOME)
    return lambda tally: Share(tally.number(*kinds, among=part), tally.number(*kinds, among=QUESTIONS))


def _of_kind(kind: TallyKind, part: frozenset[str]) -> Callable[[Tally], Share]:
    return lambda tally: Share(tally.number(kind, among=part), tally.number(kind))


def _faithfulness(tally: Tally) -> Mean:
    kind = TallyKind.FAITHFULNESS
    return Mean(tally.exactly(kind, "sum"), round(tally.exactly(kind, "turns")))


def _invented(tally: Tally) -> Share:
    invented = tally.number(TallyKind.DROPPED, among=INVENTED)
    return Share(invented, tally.number(TallyKind.MARKER) + invented)


FIGURES = (
    Figure(
        "coverage",
        "Answered",
        "questions",
        "Questions put to the sources that were answered from them, wholly or in part. Greetings, questions asked back "
        "and stopped turns are not counted; deleted turns are.",
        _of_questions(ANSWERED),
    ),
    Figure(
        "closest",
        "Closest passage",
        "questions",
        "Questions that were not answered but met by the closest passage, which readers are told may not answer. "
        "Deleted turns are counted.",
        _of_questions(CLOSEST),
    ),
    Figure(
        "refused",
        "Refused",
        "questions",
        "Questions put to the sources that were refused, for whatever reason. Deleted turns are counted.",
        _of_questions(REFUSED),
    ),
    Figure(
        "caught-turns",
        "Turns with a sentence caught",
        "turns in which a model wrote",
        "Turns in which the checks withheld at least one sentence of a model's draft because nothing it was given "
        "bears it out, or because a source says otherwise; whether the turn then answered or refused.",
        _of_kind(TallyKind.TURN, frozenset({"caught"})),
    ),
    Figure(
        "caught-sentences",
        "Sentences caught",
        "sentences that models wrote",
        "The same by sentence. Drafts that were written anew count too; repetitions do not count as caught.",
        _of_kind(TallyKind.SENTENCE, frozenset({"caught"})),
    ),
    Figure(
        "shown-unproved",
        "Shown though not borne out",
        "sentences shown in a model's words",
        "Sentences that readers saw under the word unsupported or contradicted. Only the policy “warn”, or "
        "“regenerate” after its second draft, shows any.",
        _of_kind(TallyKind.SHOWN, frozenset({"unproved"})),
    ),
    Figure(
        "faithfulness",
        "Faithfulness, mean",
        "answers in a model's words",
        "The mean of the faithfulness that readers were told: the share of an answer's claims, inferred ones left out, "
        "that are supported. Quotations are faithful by themselves and are left out.",
        _faithfulness,
    ),
    Figure(
        "proved",
        "Claims proved as written",
        "claims that models wrote",
        "Claims of drafts, shown or not, that their sources support. What is only inferred counts against it.",
        _of_kind(TallyKind.CLAIM_WRITTEN, SUPPORTED),
    ),
    Figure(
        "partial",
        "Partly supported",
        "claims shown in a model's words",
        "Claims that readers saw under the words “partly supported”.",
        _of_kind(TallyKind.CLAIM_SHOWN, PARTIAL),
    ),
    Figure(
        "inferred",
        "Inferred",
        "claims shown in a model's words",
        "Claims that readers saw under the word “inferred”.",
        _of_kind(TallyKind.CLAIM_SHOWN, INFERRED),
    ),
    Figure(
        "invented-markers",
        "Invented citations",
        "citations that models wrote",
        "Citations of sources that the model was not given; all were taken out before anybody saw them. A source that "
        "one sentence cites twice is counted once.",
        _invented,
    ),
    Figure(
        "cached",
        "Given again",
        "answers",
        "Answers given again from the cache. They count here, under “Answered” and by outcome, and nowhere "
        "else: nothing was written anew.",
        _of_kind(TallyKind.ANSWER, frozenset({"cached"})),
    ),
    Figure(
        "quoted",
        "Quoted only",
        "answers",
        "Answers made of quotations alone. They say nothing of how faithfully a model writes.",
        _of_kind(TallyKind.ANSWER, frozenset({"quoted"})),
    ),
)
