"""What the pages of the audit say of a recorded turn and of alerts, as it is stored or made by rules: in English."""

from collections.abc import Iterator

from audit.domain.alerts import FigureHealth
from audit.domain.figures import FIGURES
from audit.domain.gaps import REASONS
from audit.domain.inspection import words
from audit.domain.judging import CRITERIA
from audit.guards import KINDS
from audit.models import AlertDelivery, ReviewedCase, ReviewItem, TurnReview
from lectorium.texts.wordings import MessageWording

_CHOICES = (
    AlertDelivery.Channel, AlertDelivery.State, ReviewItem.Source, TurnReview.Decision, ReviewedCase.Kind,
    ReviewedCase.State,
)  # fmt: skip
_NAMES = (
    words.LANES, words.CUTS, words.SCORES, words.SIGNALS, words.DECISIONS, words.OUTCOMES, words.VERDICTS, words.GUARDS,
    words.REMOVALS, words.DROPS, words.STAGES, REASONS,
)  # fmt: skip
# Names that lists and tables show as they are recorded, with spaces.
_RECORDED = (words.OUTCOMES, words.DECISIONS, words.REMOVALS, words.DROPS, words.VERDICTS, REASONS)
_TEXTS = (
    *("instant", "auto", "thinking", "none", "unknown", "pin", "note"),
    *("original", "correction", "translation", "model", "spelling", "follow up"),
    # chat/answering/domain: the kinds of a wording, the routes, the flags
    *("standalone", "tale", "as asked", "keywords", "part", "glossary", "rephrased", "refined"),
    *("underspecified", "address", "single hop", "multi hop", "injection"),
    # audit/selectors.py
    *("a reviewer disagrees", "a complaint", "caught by the checks"),
    # audit/domain/inspection
    "After the answer",
    "Chance that the evidence answers",
    "Chance that the sources speak of this",
    *("Route", "Language", "Search words", "Other words for them", "Addresses", "Addresses that do not exist"),
    *("Only these kinds", "Signs", "Follows up"),
    "Too little by itself, but near enough that an outline could decide.",
    "The passage at the address that the question names is shown whatever was decided.",
    "The best passage was near enough to be shown instead of a refusal.",
    "as ranked",
    "The evidence was thin, and the outline decided to answer.",
    "The evidence was thin, and the outline decided to refuse.",
    "Draft {number}: general knowledge",
    "Draft {number}",
    "Repair {number}",
    "not checked against the sources",
    "the model said that the notes do not answer",
    "written by {name}",
    "checked by {name}",
    "risk {what}",
    "ended by {name}",
    "cites {found}",
    "cited after it: {found}",
    "citation moved from none to {found}",
    "citation moved from {first} to {found}",
    "not in the evidence: {found}",
    # audit/domain/judging.py, run_comparison.py
    "The judge gave no usable verdict in {number} of {most} askings.",
    "The judge goes by place: it kept the place, not the answer, in {number} of {most} swapped verdicts.",
    "These are different suites, {first} and {second}: nothing can be compared.",
    "The corpora differ, so a change may come from the lectures and not from the product.",
    "The options differ: {found}.",
    "The first run was cut off: what it did not reach is missing.",
    "The second run was cut off: what it did not reach is missing.",
    # audit/guards.py, domain/guards.py: the alerts
    *("Turns with a caught sentence", "Failed turns"),
    "Faithfulness of answers: below {bar} {number} weeks in a row ({found}).",
    "{what}: {share} on {day}, against {usual} in the {number} days before.",
    "{what}: {share} in the week of {day}, above {bar}.",
    "{what}: {number} rises in a row ({found}).",
    "{what}: {share} in one run, over {factor} times the mean of {number} days ({usual}).",
    # chat/answering/domain/evidence/curated_effect.py
    "Came near: its references were read with what the search found, and the gate decided.",
    "Answered the question.",
    "Answered nothing: another pin did, or none of its references could be quoted.",
    "Matched, but the gate refused ({reason}): its references do not answer this.",
    "Replaced the search of the corpus.",
    "Was background, and its references were read.",
)


def _every() -> Iterator[str]:
    yield from _TEXTS
    for names in _NAMES:
        yield from names.values()
    for name in words.SIGNALS.values():
        yield name.capitalize()
    for names in _RECORDED:
        yield from (name.replace("_", " ") for name in names if name.islower())
    for choices in _CHOICES:
        yield from map(str, choices.labels)
    for figure in FIGURES:
        yield from (figure.title, figure.whole, figure.meaning)
    for kind in KINDS:
        yield from (kind.title, kind.meaning)
    yield from (*FigureHealth, *CRITERIA, *(criterion.capitalize() for criterion in CRITERIA))


WORDINGS = (
    MessageWording("{number} reviewers disagree"),
    MessageWording("{number} complaints"),
    *map(MessageWording, dict.fromkeys(map(str, _every()))),
)
