from django.utils import timezone

from corpus.models import Collection

DEFAULT_COLLECTION = "library"


def collection_ensure(*, key: str, visibility: str | None = None) -> Collection:
    """The collection, created if missing. A given visibility is also set on an existing one."""
    collection, created = Collection.objects.get_or_create(
        key=key, defaults={"title": _title(key), "visibility": visibility or Collection.Visibility.PUBLIC}
    )
    if visibility and not created and collection.visibility != visibility:
        collection.visibility = visibility
        collection.save(update_fields=["visibility", "changed_at"])
    return collection


def collection_lock(*, collection: Collection) -> None:
    """Mark the collection as changed. This row is also the lock that serializes imports into it."""
    Collection.objects.filter(pk=collection.pk).update(changed_at=timezone.now())


def _title(key: str) -> str:
    words = key.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]
