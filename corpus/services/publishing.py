"""Publishing, withdrawing and replacing sources: what look-ups may find changes with the transaction that says so."""

from django.db import transaction
from django.utils import timezone

from corpus.domain.duplicates import DuplicateRules, is_retranscription
from corpus.domain.text.folding import fold
from corpus.indexing.duplicates import release
from corpus.models import Chunk, Collection, Fingerprint, Lecture, Work

State = Lecture.State


def source_withdraw(*, source: Lecture | Work, because: str = "") -> bool:
    """Take a source out of every look-up at once; False where it was not published. Nothing of it is deleted."""
    return _move(source, State.PUBLISHED, State.WITHDRAWN, because)


def source_publish(*, source: Lecture | Work) -> bool:
    """Let look-ups find a withdrawn or replaced source again; False where it was published."""
    return _move(source, State.WITHDRAWN, State.PUBLISHED) or _move(source, State.REPLACED, State.PUBLISHED)


def lecture_replace_older(*, lecture: Lecture) -> list[Lecture]:
    """Let a newly imported lecture serve in place of older transcripts of the same talk; return those.

    The same talk: one collection, one title, no two different dates, and half of all wordings in common. The older
    transcript stays, linked to the one that replaced it.
    """
    titled = Lecture.objects.filter(
        collection_id=lecture.collection_id, title__iexact=lecture.title, state=State.PUBLISHED
    )
    namesakes = set(titled.order_by().values_list("pk", flat=True)) - {lecture.pk}
    text, replaced = fold(lecture.text) if namesakes else "", []
    for older in titled.filter(pk__in=namesakes) if namesakes else ():
        dated_apart = older.date and lecture.date and older.date != lecture.date
        if not dated_apart and is_retranscription(text, fold(older.text), DuplicateRules()):
            if _move(older, State.PUBLISHED, State.REPLACED):
                Lecture.objects.filter(pk=older.pk).update(replaced_by=lecture)
            replaced.append(older)
    return replaced


def _move(source: Lecture | Work, before: str, after: str, because: str = "") -> bool:
    """Change the state from the one expected, and with it whether the source's chunks are found."""
    changes = {"state": after, "withdrawn_because": because, "updated_at": timezone.now()}
    with transaction.atomic():
        if not type(source).objects.filter(pk=source.pk, state=before).update(**changes):
            return False
        source.state = after
        source.chunks.update(retrievable=after == State.PUBLISHED)
        if after != State.PUBLISHED:
            keys = list(source.chunks.values_list("pk", flat=True))
            release(Chunk.objects.filter(duplicate_of__in=keys))
            release(source.chunks.all())
            Fingerprint.objects.filter(chunk__in=keys).delete()  # so that no duplicate is linked to it
        Collection.objects.filter(pk=source.collection_id).update(changed_at=timezone.now())
    return True
