"""How many of last month's questions the triggers of a note would catch."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from django.utils import timezone

from audit.models import TurnAudit
from corpus.language import lexemes, stemming_of
from curation.domain.sameness import says_trigger

MONTH = timedelta(days=30)
MOST = 5000  # questions looked at, the latest


@dataclass(frozen=True, slots=True)
class ReachRules:
    """When a trigger is too wide.

    warn_from: share of last month's questions. least: fewer questions say nothing.
    """

    warn_from: float = 0.10
    least: int = 20


@dataclass(frozen=True, slots=True)
class TriggerReach:
    """How many of `asked` questions a trigger would catch. asked: 0 if too few questions are known."""

    trigger: str
    caught: int
    asked: int

    @property
    def share(self) -> float:
        return self.caught / self.asked if self.asked else 0.0

    @property
    def warning(self) -> str:
        if not self.asked:
            return f"“{self.trigger}” has only words that most questions have. Add a word of its subject, or remove it."
        return (
            f"“{self.trigger}” would have caught {self.share:.0%} of last month's questions "
            f"({self.caught} of {self.asked}). Make it longer, or remove it."
        )


def wide_triggers(triggers: Sequence[str], language: str, rules: ReachRules | None = None) -> list[TriggerReach]:
    """The triggers that would catch too much, the widest first. One query.

    Where too few questions are known, those that have no word of a subject.
    """
    rules = rules or ReachRules()
    if not triggers:
        return []
    recent = TurnAudit.objects.filter(created_at__gte=timezone.now() - MONTH).exclude(question="")
    questions = list(recent.order_by("-created_at").values_list("question", flat=True)[:MOST])
    content = partial(lexemes, language=stemming_of(language))
    if len(questions) < rules.least:
        return [TriggerReach(trigger, 0, 0) for trigger in triggers if trigger.strip() and not content(trigger)]
    reaches = (
        TriggerReach(trigger, sum(says_trigger(question, trigger, content) for question in questions), len(questions))
        for trigger in triggers
        if trigger.strip()
    )
    return sorted((reach for reach in reaches if reach.share >= rules.warn_from), key=lambda reach: -reach.share)
