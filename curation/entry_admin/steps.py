"""The steps that an editor can take with an entry, as buttons of the form and as actions of the list."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.domain.states import needs_reviewer, state_before
from curation.entries import CurationRefused, Editor, may_publish
from curation.models import Curated
from curation.services import entry_publish, entry_submit, entry_undo, entry_withdraw

NAMED = 3  # refused entries that a message names


@dataclass(frozen=True, slots=True)
class StepButton:
    """saves: whether the form is saved before the step."""

    name: str
    label: object
    done: object
    take: Callable[..., None]
    saves: bool = False


SUBMIT = StepButton("_submit", _("Submit for review"), _("{number} submitted for review."), entry_submit, saves=True)
PUBLISH = StepButton("_publish", _("Publish"), _("{number} published."), entry_publish, saves=True)
WITHDRAW = StepButton("_withdraw", _("Withdraw"), _("{number} withdrawn."), entry_withdraw)
UNDO = StepButton("_undo", _("Undo"), _("{number} undone."), entry_undo)
STEPS = (SUBMIT, PUBLISH, WITHDRAW, UNDO)


def buttons_for(entry: Curated | None, by: Editor) -> tuple[StepButton, ...]:
    """The steps that this editor can take now, the most likely first."""
    state = entry.state if entry else Curated.State.DRAFT
    found = []
    if may_publish(by) and state != Curated.State.PUBLISHED:
        found.append(PUBLISH)
    if state in (Curated.State.DRAFT, Curated.State.WITHDRAWN):
        found.append(SUBMIT)
    if entry and state in (Curated.State.IN_REVIEW, Curated.State.PUBLISHED):
        found.append(WITHDRAW)
    before = state_before((state, *entry.history.values_list("state", flat=True))) if entry else None  # type: ignore[attr-defined]
    if before:
        label = gettext("Undo: {state} again").format(state=gettext(Curated.State(before).label).lower())
        found.append(StepButton(UNDO.name, label, UNDO.done, UNDO.take))
    return tuple(button for button in found if _allowed(button, state, before, by))


def _allowed(button: StepButton, state: str, before: str | None, by: Editor) -> bool:
    ends = {PUBLISH.name: Curated.State.PUBLISHED, UNDO.name: before or ""}.get(button.name, "")
    return may_publish(by) or not needs_reviewer(state, ends)


def take_all(step: StepButton, entries: Iterable[Curated], by: Editor) -> tuple[int, Sequence[str]]:
    """How many entries took the step, and why each other one did not."""
    taken, refused = 0, []
    for entry in entries:
        try:
            step.take(entry=entry, by=by)
            taken += 1
        except CurationRefused as refusal:
            refused.append(f"“{entry}”: {refusal}")
    return taken, refused


def refusals_in_words(refused: Sequence[str]) -> str:
    more = len(refused) - NAMED
    said = " ".join(refused[:NAMED])
    first = gettext("{number} not changed. {reasons}").format(number=len(refused), reasons=said)
    return first + (" " + gettext("And {number} more.").format(number=more) if more > 0 else "")
