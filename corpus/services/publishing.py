"""Publishes, withdraws and replaces sources. Look-ups follow in the same transaction."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from corpus.domain.duplicates import DuplicateRules, is_retranscription
from corpus.domain.text.folding import fold
from corpus.indexing.duplicates import release
from corpus.models import Chunk, Collection, Fingerprint, Lecture, Work

State = Lecture.State
NAMESAKES = 20  # a title that more lectures have names no talk, and comparing each with all would take n² steps


def source_withdraw(*, source: Lecture | Work, because: str = "") -> bool:
    """Hide a source from look-ups; False where it was not published. Nothing is deleted."""
    return _move(source, State.PUBLISHED, State.WITHDRAWN, because)


def source_publish(*, source: Lecture | Work) -> bool:
    """Make a withdrawn or replaced source retrievable again; False where it was published."""
    return _move(source, State.WITHDRAWN, State.PUBLISHED) or _move(source, State.REPLACED, State.PUBLISHED)


def lectures_with_namesakes(keys: Sequence[UUID]) -> set[UUID]:
    """Those of these lectures whose title another published lecture of their collection has."""
    others = Lecture.objects.filter(
        collection=OuterRef("collection"), title__iexact=OuterRef("title"), state=State.PUBLISHED
    ).exclude(pk=OuterRef("pk"))
    return set(Lecture.objects.filter(Exists(others), pk__in=keys).order_by().values_list("pk", flat=True))


def lecture_replace_older(*, lecture: Lecture, newer: Sequence[UUID] = ()) -> list[Lecture]:
    """Replace older transcripts of a newly imported talk; return them. newer: lectures that were imported after it.

    The same talk: same collection and title, no differing dates, and half of all wordings in common. The older
    transcript is kept and linked to the new one. A title of over NAMESAKES lectures is not compared.
    """
    titled = Lecture.objects.filter(
        collection_id=lecture.collection_id, title__iexact=lecture.title, state=State.PUBLISHED
    ).exclude(pk__in=newer)
    namesakes = set(titled.order_by().values_list("pk", flat=True)[: NAMESAKES + 2]) - {lecture.pk}
    if len(namesakes) > NAMESAKES:
        return []
    text, replaced = fold(lecture.text) if namesakes else "", []
    for older in titled.filter(pk__in=namesakes) if namesakes else ():
        dated_apart = older.date and lecture.date and older.date != lecture.date
        if not dated_apart and is_retranscription(text, fold(older.text), DuplicateRules()):
            if _move(older, State.PUBLISHED, State.REPLACED):
                Lecture.objects.filter(pk=older.pk).update(replaced_by=lecture)
            replaced.append(older)
    return replaced


def _move(source: Lecture | Work, before: str, after: str, because: str = "") -> bool:
    """Change the state if it is `before`, and whether the source's chunks are retrievable."""
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
            Fingerprint.objects.filter(chunk__in=keys).delete()  # so that no duplicate is linked to them
        Collection.objects.filter(pk=source.collection_id).update(changed_at=timezone.now())
    return True
