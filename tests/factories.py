"""Small corpora for tests, made by the product's own services, so that they are always whole."""

from corpus.domain.addresses.book_names import shelf
from corpus.domain.cues import SpokenCue, timed_paragraphs
from corpus.domain.transcript import SourceParagraph
from corpus.importers.drafts import LectureDraft, VerseDraft, WorkDraft
from corpus.models import AddressScheme, Collection, Lecture, Work
from corpus.services.lectures import lecture_store
from corpus.services.works import work_store
from curation.entries import EntryLists, entry_store
from curation.models import MemoryNote, PinnedQuestion
from curation.tasks import index_entries


def a_collection(key="library", visibility="public"):
    return Collection.objects.get_or_create(key=key, defaults={"title": key.title(), "visibility": visibility})[0]


def a_lecture(*paragraphs, key="talk", title="A talk", collection=None, **facts):
    """Store a lecture of these paragraphs, addressed key:1, key:2, …"""
    drafted = tuple(SourceParagraph(text, f"{key}:{n}") for n, text in enumerate(paragraphs or ("One two.",), start=1))
    return _stored_lecture(LectureDraft("test", key, title, drafted, **facts), collection)


def a_timed_lecture(*cues, key="talk", title="A talk", collection=None, **facts):
    """Store a lecture of (text, start_s, end_s) cues."""
    spoken = [SpokenCue(n, text, start, end) for n, (text, start, end) in enumerate(cues, start=1)]
    return _stored_lecture(LectureDraft("test", key, title, timed_paragraphs(spoken, key), **facts), collection)


def a_work(verses, key="bible", title="Bible", collection=None, **facts):
    """Store a work of {"John 11:35": "Jesus wept."}; each book's chapters end with their last verse here."""
    drafts = tuple(_verse(address, text) for address, text in verses.items())
    books = {}
    for verse in drafts:
        books.setdefault(verse.book, {})[str(verse.chapter)] = verse.verse
    collection = collection or a_collection()
    draft = WorkDraft("test", key, title, drafts, books=facts.pop("books", books), **facts)
    work_store(draft=draft, collection=collection, source_hash="")
    return Work.objects.get(collection=collection, key=key)


def _verse(address, text):
    book, _, place = address.rpartition(" ")
    chapter, verse = place.replace(".", ":").split(":")
    return VerseDraft(address, book, int(chapter), int(verse), text)


def _stored_lecture(draft, collection):
    collection = collection or a_collection()
    lecture_store(draft=draft, collection=collection, source_hash="")
    return Lecture.objects.get(collection=collection, key=draft.key)


def a_pin(question="What is it?", references=(), phrasings=(), state="published", **facts):
    """Store a pin in any state, by the one function that writes entries."""
    pin = PinnedQuestion(question=question, state=state, **facts)
    entry_store(pin, EntryLists(references, phrasings), by=None, reason="Test")
    index_entries()
    return pin


def a_note(title="A note", references=(), state="published", **facts):
    note = MemoryNote(title=title, state=state, **{"body": "Background.", **facts})
    entry_store(note, EntryLists(references), by=None, reason="Test")
    index_entries()
    return note


def the_schemes():
    """Put the schemes of a new database back where a test of whole transactions has emptied the table."""
    rows = [
        AddressScheme(label=book.label, title=book.title, aliases="\n".join(names), levels=", ".join(book.levels),
                      separator=book.separator, position=book.position)
        for book, names in shelf()
    ]  # fmt: skip
    AddressScheme.objects.bulk_create(rows, ignore_conflicts=True)
