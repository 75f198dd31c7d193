"""Stores the pins, notes and facts of an imported library."""

from uuid import UUID

from corpus.curated_port import EntryDraft, EntryReceipt
from corpus.domain.text.folding import fold
from corpus.importers.drafts import FactDraft, NoteDraft, PinDraft
from corpus.importers.refusal import ImportRefused
from corpus.models import Collection
from corpus.selectors import ANYWHERE
from curation.domain.entry_rules import objection_to_phrasings, objection_to_references, objection_to_triggers
from curation.entries import EntryLists, entry_store
from curation.facts.tables import fact_import, look_at_rows
from curation.models import Curated, MemoryNote, PinnedQuestion
from curation.services import LIMITS


def receive_entry(draft: EntryDraft, keep_state: bool = False) -> EntryReceipt:
    """Store an imported entry; see `store_imported`, and for facts `fact_import`. Raises ImportRefused."""
    return _fact(draft) if isinstance(draft, FactDraft) else EntryReceipt(store_imported(draft, keep_state))


def _fact(draft: FactDraft) -> EntryReceipt:
    """Check a fact beside its source, which has to be here already, and store what the source says."""
    try:
        (look,) = look_at_rows([draft.values], ANYWHERE)
    except ValueError as error:
        raise ImportRefused(f"cannot be checked: {error}") from error
    remark = " ".join(look.remarks)
    if look.wrong:
        raise ImportRefused("cannot be stored: " + "; ".join(f"{name}: {said}" for name, said in look.wrong.items()))
    if look.is_left_out:
        raise ImportRefused(f"is {remark[:1].lower()}{remark[1:]}")
    if look.passage is None:
        return EntryReceipt(False, remark)
    fact_import(draft.values, look)
    return EntryReceipt(True, remark)


def store_imported(draft: PinDraft | NoteDraft, keep_state: bool = False) -> bool:
    """Store an imported pin or note and return whether it is new. Existing entries stay.

    It is a draft for review, unless `keep_state`: then it keeps its exported state. Its references need not
    resolve yet, because their source may come later; until then they are not cited. Queues no job.
    Raises ImportRefused.
    """
    entry, wrong = _pin(draft) if isinstance(draft, PinDraft) else _note(draft)
    if _is_known(entry, draft):
        return False
    if wrong := wrong or objection_to_references(draft.references, fold, LIMITS):
        raise ImportRefused(f"cannot be stored: {wrong}")
    if draft.id:
        entry.pk = UUID(draft.id)
    if keep_state and draft.state:
        entry.state = draft.state
    phrasings = draft.phrasings if isinstance(draft, PinDraft) else None
    entry_store(entry, EntryLists(draft.references, phrasings), by=None, reason="Imported", queue=False)
    return True


def _pin(draft: PinDraft) -> tuple[PinnedQuestion, str]:
    pin = PinnedQuestion(question=draft.key, framing=draft.framing, language=draft.language)
    if draft.collection:
        pin.collection = Collection.objects.filter(key=draft.collection).first()
        if not pin.collection:
            raise ImportRefused(
                f"belongs to the collection {draft.collection!r}, which is not here; create it and import again"
            )
    return pin, objection_to_phrasings(draft.key, draft.phrasings, fold, LIMITS)


def _note(draft: NoteDraft) -> tuple[MemoryNote, str]:
    note = MemoryNote(title=draft.key, body=draft.body, triggers=list(draft.triggers), language=draft.language)
    return note, objection_to_triggers(draft.triggers, fold, LIMITS)


def _is_known(entry: Curated, draft: PinDraft | NoteDraft) -> bool:
    """Whether the entry exists already: one with its id, or one with the same question or title."""
    if isinstance(entry, PinnedQuestion):
        same = {"question": entry.question, "language": entry.language, "collection": entry.collection}
    else:
        same = {"title": draft.key, "language": draft.language}
    rows = type(entry)._default_manager
    if draft.id:
        others = rows.filter(**same).exclude(state=Curated.State.WITHDRAWN)
        withdrawn = draft.state == Curated.State.WITHDRAWN
        return rows.filter(pk=draft.id).exists() or (not withdrawn and others.exists())
    return rows.filter(**same).exists()
