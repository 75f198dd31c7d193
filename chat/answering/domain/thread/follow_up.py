"""A question within its thread: its kind, the question it asks by itself, and where the thread stands."""

from dataclasses import dataclass

from chat.answering.domain.question import HistoryMessage, ThreadPlace
from chat.answering.domain.thread.abroad import leans_abroad
from chat.answering.domain.thread.kinds import (
    FollowUpKind,
    kind_of,
    names_nobody,
    without_asking_for_more,
    without_change_of_topic,
)
from chat.answering.domain.thread.place import place_of
from chat.answering.domain.thread.standalone import behind_last_question, standalone_question

STANDS = frozenset({FollowUpKind.OWN, FollowUpKind.BRIEF, FollowUpKind.LINKED})  # kinds that are whole as asked
POINTS = frozenset({FollowUpKind.BARE, FollowUpKind.EXAMPLE, FollowUpKind.LEANS})


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a question owes its thread.

    kind: "" outside a thread. searched: what to search with besides, the question behind the last one. spells_out: the
    standalone question holds what the question points at, an address included: "And in the Bible?" asks for no BG 2.13.
    """

    kind: str
    standalone: str
    searched: str
    spells_out: bool = False
    place: ThreadPlace | None = None

    @property
    def repeats_last(self) -> bool:
        """Whether the standalone question holds the last one, and so asks that again too, as a bare one always does."""
        return self.kind == FollowUpKind.BARE or (self.kind in POINTS and self.standalone == self.searched)


def read_follow_up(
    text: str, words: tuple[str, ...], own: tuple[str, ...], history: tuple[HistoryMessage, ...], standalone: str = ""
) -> FollowUp:
    """How a question depends on its thread. words, own: as in planning.points_back.

    standalone: the question by itself, where a model has written it.
    """
    if not history:
        return FollowUp("", standalone or text, text, bool(standalone))
    changed = without_change_of_topic(text)
    if changed and not names_nobody(changed):
        return FollowUp(FollowUpKind.OWN.value, standalone or changed, changed, bool(standalone))
    text = without_asking_for_more(changed or text)
    kind = kind_of(text, words, own)
    if kind in STANDS and leans_abroad(text, history):
        kind = FollowUpKind.LEANS
    return FollowUp(
        kind=kind.value,
        standalone=standalone or standalone_question(text, kind, history),
        searched=text if kind in STANDS else behind_last_question(text, history),
        spells_out=bool(standalone) or kind in POINTS,
        place=None if kind is FollowUpKind.OWN else place_of(history),
    )
