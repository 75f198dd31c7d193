"""What editors may do with entries, and what is refused with which words."""

import pytest

from corpus.importers.drafts import PinDraft
from corpus.importers.refusal import ImportRefused
from curation.entries import CurationRefused, phrasings_of, references_of
from curation.library.receiving import store_imported
from curation.models import PinnedQuestion
from curation.services import (
    entry_publish,
    entry_submit,
    entry_undo,
    entry_withdraw,
    note_draft,
    phrasing_add,
    pin_draft,
    trigger_add,
)
from tests.curation.people import someone
from tests.factories import a_collection, a_lecture, a_pin

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor():
    return someone("editor")


@pytest.fixture
def reviewer():
    return someone("reviewer")


@pytest.fixture
def lecture():
    return a_lecture("It is a tree.", "It is old.", key="old")


def drafted(by, **more):
    return pin_draft(**{"question": "What is it?", "references": ["old:2", "old:1"], "by": by, **more})


def test_a_drafted_pin_keeps_its_phrasings_and_the_order_of_its_references(editor, lecture):
    pin = drafted(editor, phrasings=["What is that?"], framing="Hear it from the tree.")
    assert (pin.state, pin.framing) == ("draft", "Hear it from the tree.")
    assert references_of(pin) == ["old:2", "old:1"]
    phrasing_add(pin=pin, text="What might it be?", by=editor)
    assert phrasings_of(PinnedQuestion.objects.get()) == ["What is that?", "What might it be?"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"references": ["old:1", "old:99", "foo"]}, "There is no passage at “old:99”, “foo”."),
        ({"references": [f"old:{n}" for n in range(1000)]}, "There are 1000 references; an entry has at most 40."),
        ({"references": [" "]}, "A reference is empty."),
        ({"phrasings": ["  "]}, "A phrasing is empty."),
        ({"phrasings": ["?!"]}, "A phrasing is empty."),
        ({"phrasings": ["WHAT is it"]}, "is written twice"),
        ({"phrasings": ["x" * 501]}, "has 501 characters; the limit is 500"),
        ({"question": " "}, "The question is empty."),
    ],
)
def test_what_a_pin_cannot_hold_is_refused_with_a_sentence(editor, lecture, wrong, said):
    with pytest.raises(CurationRefused, match=said.replace("?", r"\?")):
        drafted(editor, **wrong)
    assert not PinnedQuestion.objects.exists()


def test_a_passage_that_the_editor_may_not_read_cannot_be_pinned(editor):
    a_lecture("It is secret.", key="secret", collection=a_collection("closed", "restricted"))
    with pytest.raises(CurationRefused, match="There is no passage at “secret:1”"):
        drafted(editor, references=["secret:1"])


def test_the_same_question_is_not_pinned_twice(editor, lecture):
    drafted(editor)
    with pytest.raises(CurationRefused, match="already"):
        drafted(editor, question="what is it?")


def test_only_a_reviewer_publishes_and_withdraws(editor, reviewer, lecture):
    pin = drafted(editor)
    entry_submit(entry=pin, by=editor)
    assert pin.state == "in_review"
    for refused in (editor, None):
        with pytest.raises(CurationRefused, match="Only reviewers"):
            entry_publish(entry=pin, by=refused)
    entry_publish(entry=pin, by=reviewer)
    for change in (
        lambda: entry_withdraw(entry=pin, by=editor),
        lambda: phrasing_add(pin=pin, text="And that?", by=editor),
        lambda: entry_undo(entry=pin, by=editor),
    ):
        with pytest.raises(CurationRefused, match="Only reviewers"):
            change()
    entry_withdraw(entry=pin, by=reviewer)
    assert PinnedQuestion.objects.get().state == "withdrawn"


def test_who_is_no_editor_drafts_and_changes_nothing(lecture, editor):
    pin = drafted(editor)
    for by in (someone("reader"), someone("auditor")):
        for change in (lambda: drafted(by, question="And that?"), lambda: entry_submit(entry=pin, by=by)):  # noqa: B023
            with pytest.raises(CurationRefused, match="Ask for the group “editor”"):
                change()


def test_a_step_that_does_not_fit_the_state_is_refused(editor, reviewer, lecture):
    pin = drafted(editor)
    with pytest.raises(CurationRefused, match=r"It is a draft, so there is nothing to withdraw."):
        entry_withdraw(entry=pin, by=reviewer)
    entry_publish(entry=pin, by=reviewer)
    with pytest.raises(CurationRefused, match=r"It is published, so there is nothing to publish."):
        entry_publish(entry=pin, by=reviewer)


def test_undo_takes_back_the_last_change_of_state(editor, reviewer, lecture):
    pin = drafted(editor)
    with pytest.raises(CurationRefused, match="nothing to undo"):
        entry_undo(entry=pin, by=editor)
    entry_submit(entry=pin, by=editor)
    entry_undo(entry=pin, by=editor)
    assert pin.state == "draft"
    entry_publish(entry=pin, by=reviewer)
    entry_withdraw(entry=pin, by=reviewer)
    entry_undo(entry=pin, by=reviewer)
    assert PinnedQuestion.objects.get().state == "published"


def test_a_pin_whose_lecture_is_gone_is_not_published(editor, reviewer, lecture):
    pin = drafted(editor)
    lecture.delete()
    with pytest.raises(CurationRefused, match="There is no passage at “old:2”, “old:1”"):
        entry_publish(entry=pin, by=reviewer)


def test_an_entry_that_was_deleted_meanwhile_is_refused(editor, lecture):
    pin = drafted(editor)
    PinnedQuestion.objects.get().delete()
    with pytest.raises(CurationRefused, match="was deleted meanwhile"):
        entry_submit(entry=pin, by=editor)


def test_the_history_has_every_value_who_and_why(editor, reviewer, lecture):
    pin = drafted(editor)
    phrasing_add(pin=pin, text="What is that?", by=editor)
    entry_publish(entry=pin, by=reviewer)
    PinnedQuestion.objects.get().delete()
    deleted, published, added, first = PinnedQuestion.history.all()
    assert (first.history_type, first.history_change_reason, first.history_user) == ("+", "Drafted", editor)
    assert (first.references, first.phrasings) == (["old:2", "old:1"], [])
    assert (added.history_change_reason, added.phrasings) == ("Phrasing added", ["What is that?"])
    assert (published.state, published.history_user, published.references) == (
        "published", reviewer, ["old:2", "old:1"],
    )  # fmt: skip
    assert deleted.history_type == "-"


def test_a_note_takes_more_triggers(editor, lecture):
    note = note_draft(title="Trees", body="They are old.", triggers=["tree"], by=editor)
    trigger_add(note=note, text="oak", by=editor)
    assert note.triggers == ["tree", "oak"]
    with pytest.raises(CurationRefused, match="A trigger is empty"):
        trigger_add(note=note, text=" ", by=editor)
    with pytest.raises(CurationRefused, match=r"A note needs a title and a text."):
        note_draft(title="Trees", body="", triggers=[], by=editor)


def test_an_imported_pin_is_a_draft_once_and_too_many_references_are_refused():
    assert store_imported(PinDraft("library.db", "What is it?", ("later:1",)))
    assert not store_imported(PinDraft("library.db", "What is it?", ("other:1",)))
    assert references_of(PinnedQuestion.objects.get()) == ["later:1"]
    with pytest.raises(ImportRefused, match="There are 1000 references"):
        store_imported(PinDraft("library.db", "And that?", tuple(f"later:{n}" for n in range(1000))))


def test_the_factory_stores_a_published_pin(lecture):
    assert references_of(a_pin("What is it?", ["old:1"])) == ["old:1"]
