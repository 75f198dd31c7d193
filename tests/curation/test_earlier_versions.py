"""An earlier version of a pin or note is brought back from its history, with all its lists."""

from uuid import uuid4

import pytest
from django.urls import reverse

from corpus.services import source_withdraw
from curation.earlier_versions import entry_restore
from curation.entries import CurationRefused, EntryLists, entry_store, phrasings_of, references_of
from curation.models import MemoryNote, PinnedQuestion
from tests.curation.people import someone
from tests.factories import a_collection, a_lecture, a_note, a_pin

pytestmark = pytest.mark.django_db


@pytest.fixture
def lecture():
    return a_lecture("It is a tree.", "It is old.", key="old", title="Trees")


@pytest.fixture
def editor():
    return someone("editor")


def changed(state="draft"):
    """A pin with one earlier version, and that version."""
    pin = a_pin("What is it?", ["old:2", "old:1"], ["What is that?"], state=state, framing="Look.")
    first = pin.history.get()
    pin.question, pin.framing = "Who is it?", ""
    entry_store(pin, EntryLists(["old:1"], []), by=None, reason="Changed")
    return pin, first


def brought(pin, version, by):
    return entry_restore(entry=pin, version_id=version.history_id, by=by)


@pytest.mark.parametrize("state", ["draft", "in_review", "withdrawn"])
def test_what_readers_do_not_see_comes_back_as_a_draft_with_its_lists(lecture, editor, state):
    pin, first = changed(state)
    brought(pin, first, editor)
    pin = PinnedQuestion.objects.get()
    assert (pin.question, pin.framing, pin.state) == ("What is it?", "Look.", "draft")
    assert (references_of(pin), phrasings_of(pin)) == (["old:2", "old:1"], ["What is that?"])
    latest = pin.history.first()
    assert (latest.history_user, latest.references, pin.history.count()) == (editor, ["old:2", "old:1"], 3)
    assert latest.history_change_reason.startswith("Brought back from ")


def test_only_a_reviewer_brings_back_what_readers_then_see(lecture, editor):
    pin, first = changed("published")
    with pytest.raises(CurationRefused, match="Only reviewers change what readers see"):
        brought(pin, first, editor)
    brought(pin, first, someone("reviewer"))
    pin = PinnedQuestion.objects.get()
    assert (pin.question, pin.state) == ("What is it?", "published")


def test_a_reference_that_no_longer_resolves_is_named_and_nothing_changes(editor):
    gone = a_lecture("It was a tree.", key="gone", title="Gone")
    a_lecture("It is old.", key="old", title="Trees")
    pin = a_pin("What is it?", ["gone:1", "old:1"], state="draft")
    first = pin.history.get()
    entry_store(pin, EntryLists(["old:1"]), by=None, reason="Changed")
    source_withdraw(source=gone)
    with pytest.raises(CurationRefused, match=r"cannot be brought back\. There is no passage at “gone:1”"):
        brought(pin, first, editor)
    assert references_of(PinnedQuestion.objects.get()) == ["old:1"]
    assert pin.history.count() == 2


def test_a_passage_or_collection_that_the_editor_may_not_read_does_not_come_back(lecture, editor):
    closed = a_collection("closed", "restricted")
    a_lecture("It is secret.", key="secret", collection=closed)
    pin = a_pin("What is it?", ["secret:1"], state="draft")
    with_secret = pin.history.get()
    entry_store(pin, EntryLists(["old:1"]), by=None, reason="Changed")
    with pytest.raises(CurationRefused, match="There is no passage at “secret:1”"):
        brought(pin, with_secret, editor)
    pin = a_pin("And that?", ["old:1"], state="draft", collection=closed)
    in_closed = pin.history.get()
    pin.collection = None
    entry_store(pin, EntryLists(), by=None, reason="Changed")
    with pytest.raises(CurationRefused, match="Its collection was deleted, or you may not read it"):
        brought(pin, in_closed, editor)


def test_a_note_comes_back_with_its_triggers(lecture, editor):
    note = a_note("Trees", ["old:1"], state="draft", triggers=["tree", "banyan"])
    first = note.history.get()
    note.triggers, note.body = [], "Nothing."
    entry_store(note, EntryLists([]), by=None, reason="Changed")
    brought(note, first, editor)
    note = MemoryNote.objects.get()
    assert (note.triggers, note.body, references_of(note)) == (["tree", "banyan"], "Background.", ["old:1"])


def test_what_would_change_nothing_and_what_is_no_version_is_refused(lecture, editor):
    pin, _ = changed()
    with pytest.raises(CurationRefused, match="It holds these values now"):
        brought(pin, pin.history.first(), editor)
    with pytest.raises(CurationRefused, match="not in the history"):
        entry_restore(entry=pin, version_id=uuid4(), by=editor)
    with pytest.raises(CurationRefused, match="not in the history"):
        brought(pin, a_pin("Another?", ["old:1"]).history.get(), editor)


def test_the_history_page_brings_a_version_back(client, lecture, editor):
    client.force_login(editor)
    pin, first = changed()
    history = reverse("admin:curation_pinnedquestion_history", args=[pin.pk])
    assert client.get(history).content.decode().count("Bring this version back") == 1
    url = reverse("admin:curation_pinnedquestion_restore", args=[pin.pk, first.history_id])
    assert client.get(url).status_code == 405
    page = client.post(url, follow=True).content.decode()
    assert "The earlier version is back. It is a draft" in page
    assert "What is that?" in page
    assert "It holds these values now" in client.post(url, follow=True).content.decode()


def test_who_may_not_change_an_entry_has_no_button(client, lecture, editor):
    pin, first = changed("published")
    url = reverse("admin:curation_pinnedquestion_restore", args=[pin.pk, first.history_id])
    history = reverse("admin:curation_pinnedquestion_history", args=[pin.pk])
    client.force_login(editor)
    assert "Bring this version back" not in client.get(history).content.decode()
    assert client.post(url).status_code == 403
    client.force_login(someone("auditor"))
    assert client.post(url).status_code == 403
    assert PinnedQuestion.objects.get().question == "Who is it?"
