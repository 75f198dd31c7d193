"""The figures of the auditor's report, each with its definition.

Source: shared/design/pipeline.md, "Metrics and alerts". No figure is called a hallucination rate, since live figures
only cover what the checks caught; the escape test measures what gets past them.
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
INVENTED = frozenset({"never_minted", "unknown_card"})  # markers for sources that the model was not given


@dataclass(frozen=True, slots=True)
class Figure:
    """A share of a period. whole: the denominator, in the plural. meaning: its definition for the page."""

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


def faithfulness(tally: Tally) -> Mean:
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
        "Questions answered from the sources, fully or in part. Greetings, clarifying questions and stopped turns are "
        "not counted; deleted turns are.",
        _of_questions(ANSWERED),
    ),
    Figure(
        "closest",
        "Closest passage",
        "questions",
        "Questions without an answer, for which the closest passage was shown with a note that it may not answer. "
        "Deleted turns are counted.",
        _of_questions(CLOSEST),
    ),
    Figure(
        "refused",
        "Refused",
        "questions",
        "Refused questions, for any reason. Deleted turns are counted.",
        _of_questions(REFUSED),
    ),
    Figure(
        "caught-turns",
        "Turns with a caught sentence",
        "turns with a draft by a model",
        "Turns in which the checks withheld at least one sentence of a model's draft because its sources do not "
        "support it or contradict it, whatever the outcome of the turn.",
        _of_kind(TallyKind.TURN, frozenset({"caught"})),
    ),
    Figure(
        "caught-sentences",
        "Caught sentences",
        "sentences written by models",
        "The same by sentence. Rejected drafts count too; repetitions do not count as caught.",
        _of_kind(TallyKind.SENTENCE, frozenset({"caught"})),
    ),
    Figure(
        "shown-unproved",
        "Shown without support",
        "shown sentences in a model's words",
        "Sentences shown to readers as unsupported or contradicted. This only happens under the policy “warn”, or "
        "under “regenerate” after the second draft.",
        _of_kind(TallyKind.SHOWN, frozenset({"unproved"})),
    ),
    Figure(
        "faithfulness",
        "Mean faithfulness",
        "answers in a model's words",
        "Faithfulness of an answer is the share of its claims that are supported, without inferred claims. Quoted "
        "answers are left out, since quotations are faithful by definition.",
        faithfulness,
    ),
    Figure(
        "proved",
        "Claims supported as written",
        "claims written by models",
        "Claims in drafts, shown or not, that their sources support. Inferred claims count as not supported.",
        _of_kind(TallyKind.CLAIM_WRITTEN, SUPPORTED),
    ),
    Figure(
        "partial",
        "Partly supported",
        "shown claims in a model's words",
        "Claims shown to readers as “partly supported”.",
        _of_kind(TallyKind.CLAIM_SHOWN, PARTIAL),
    ),
    Figure(
        "inferred",
        "Inferred",
        "shown claims in a model's words",
        "Claims shown to readers as “inferred”.",
        _of_kind(TallyKind.CLAIM_SHOWN, INFERRED),
    ),
    Figure(
        "invented-markers",
        "Invented citations",
        "citations written by models",
        "Citations of sources that the model was not given. All were removed before anyone saw them. A source cited "
        "twice in one sentence counts once.",
        _invented,
    ),
    Figure(
        "cached",
        "From the cache",
        "answers",
        "Answers from the cache. They count here, under “Answered” and by outcome, but in no figure about "
        "models' drafts.",
        _of_kind(TallyKind.ANSWER, frozenset({"cached"})),
    ),
    Figure(
        "quoted",
        "Quoted only",
        "answers",
        "Answers made only of quotations. They say nothing about how faithfully models write.",
        _of_kind(TallyKind.ANSWER, frozenset({"quoted"})),
    ),
)
