"""What changes curation."""

from corpus.importers.drafts import NoteDraft, PinDraft
from curation.models import MemoryNote, PinnedQuestion


def imported_keep(draft: PinDraft | NoteDraft) -> bool:
    """Keep a pin or note of an imported library as a draft for review; return whether it is new.

    One that is there already stays as editors left it.
    """
    lists = {"references": list(draft.references)}
    if isinstance(draft, PinDraft):
        _, is_new = PinnedQuestion.objects.get_or_create(question=draft.key, language=draft.language, defaults=lists)
    else:
        lists |= {"triggers": list(draft.triggers)}
        _, is_new = MemoryNote.objects.get_or_create(
            title=draft.key, language=draft.language, defaults={**lists, "body": draft.body}
        )
    return is_new
