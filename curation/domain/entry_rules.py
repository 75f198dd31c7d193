"""What a pin or note may hold. Each function returns a sentence for the editor, or "" where nothing is wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Fold = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class EntryLimits:
    """The longest lists of an entry, and their longest items in characters."""

    references: int = 40
    phrasings: int = 50
    triggers: int = 50
    phrasing_chars: int = 500
    trigger_chars: int = 200


def objection_to_references(references: Sequence[str], fold: Fold, limits: EntryLimits) -> str:
    if len(references) > limits.references:
        return _too_many("references", len(references), limits.references)
    if not all(map(fold, references)):
        return "A reference is empty. Write its address, or remove the line."
    return ""


def objection_to_phrasings(question: str, phrasings: Sequence[str], fold: Fold, limits: EntryLimits) -> str:
    if not fold(question):
        return "The question is empty. Write it as a reader would ask it."
    if not all(map(fold, phrasings)):
        return "A phrasing is empty. Write how a reader would ask it, or remove the line."
    return _listed("phrasings", (question, *phrasings), fold, limits.phrasings + 1, limits.phrasing_chars)


def objection_to_triggers(triggers: Sequence[str], fold: Fold, limits: EntryLimits) -> str:
    if not all(map(fold, triggers)):
        return "A trigger is empty. Write a phrase that a question may hold, or remove it."
    return _listed("triggers", triggers, fold, limits.triggers, limits.trigger_chars)


def _listed(name: str, items: Sequence[str], fold: Fold, most: int, chars: int) -> str:
    if len(items) > most:
        return _too_many(name, len(items), most)
    if long := next((item for item in items if len(item) > chars), None):
        return f"“{long[:40]}…” has {len(long)} characters; the limit is {chars}. Shorten it."
    seen: set[str] = set()
    for item in items:
        if fold(item) in seen:
            return f"“{item}” is written twice. Remove one."
        seen.add(fold(item))
    return ""


def _too_many(name: str, count: int, most: int) -> str:
    return f"There are {count} {name}; an entry has at most {most}. Keep those that matter most."
