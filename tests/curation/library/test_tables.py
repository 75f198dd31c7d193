"""Pins and notes as CSV and JSON: looked at before they are stored, stored by the rules of a form."""

import json

import pytest
import tablib
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from import_export.formats.base_formats import JSON

from curation.entries import phrasings_of, references_of
from curation.library.tables import NoteResource, PinResource
from curation.models import MemoryNote, PinnedQuestion
from curation.tables import SafeCSV
from tests.factories import a_collection, a_lecture, a_note, a_pin

pytestmark = pytest.mark.django_db
TABLES = ((PinResource, PinnedQuestion), (NoteResource, MemoryNote))


@pytest.fixture
def boss():
    return User.objects.create_superuser("boss")


@pytest.fixture
def staff(client, boss):
    client.force_login(boss)
    return client


def someone(group):
    user = User.objects.create_user(group, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return user


def table(resource, form=SafeCSV):
    return form().export_data(resource().export())


def taken(resource, written, by, form=SafeCSV):
    return resource().import_data(form().create_dataset(written), user=by, dry_run=False)


def read(resource, *rows, by=None):
    return resource().import_data(tablib.Dataset(*[row.values() for row in rows], headers=rows[0].keys()), user=by)


def the_same_after_a_round(by, form):
    before = {resource: table(resource, form) for resource, _ in TABLES}
    for _, model in TABLES:
        model.objects.all().delete()
    for resource, _ in TABLES:
        result = taken(resource, before[resource], by, form)
        assert not result.has_errors(), [error.error for _, errors in result.row_errors() for error in errors]
        assert not result.has_validation_errors(), [str(row.error) for row in result.invalid_rows]
    same = {resource: sorted_rows(table(resource, form), form) for resource, _ in TABLES}
    assert same == {resource: sorted_rows(before[resource], form) for resource, _ in TABLES}


def sorted_rows(written, form):
    return sorted(map(tuple, form().create_dataset(written)))


@pytest.mark.parametrize("form", [SafeCSV, JSON])
def test_export_and_import_into_an_empty_table_give_the_same(boss, form):
    a_lecture("It is a tree.", "It is old.", key="old")
    members = a_collection("members", "members")
    a_pin("What is it?", ["old:2", "old:1"], ["What is that?", "And this?"], framing="Hear, “it”;\n\nit, is.")
    a_pin("Wer, ist; es?", ["old:1"], language="de", collection=members, state="draft")
    a_pin("=1+1?", ["gone:1"], ["-2?", "'=3"], state="withdrawn")
    a_note("[A note]", ["old:1"], triggers=["[x]", "tree"], body="One.\n\nTwo.")
    the_same_after_a_round(boss, form)


def test_cells_are_no_formulas_for_a_spreadsheet_and_come_back_without_the_mark():
    pin = a_pin("=HYPERLINK(1)")
    assert "'=HYPERLINK(1)" in table(PinResource)
    assert SafeCSV().create_dataset(table(PinResource))["question"] == [pin.question]
    assert json.loads(table(PinResource, JSON))[0]["question"] == "=HYPERLINK(1)"


def test_a_row_changes_its_entry_and_leaves_what_the_file_lacks(boss):
    pin = a_pin("What is it?", ["old:1"], ["And that?"], state="draft", framing="Hear it.")
    result = read(PinResource, {"id": str(pin.pk), "question": "What is this?"}, by=boss)
    assert not result.has_validation_errors()
    pin.refresh_from_db()
    assert (pin.question, pin.framing, references_of(pin), phrasings_of(pin)) == (
        "What is this?", "Hear it.", ["old:1"], ["And that?"],
    )  # fmt: skip


def test_a_row_without_an_id_is_a_new_draft_with_a_version_in_the_history(boss):
    row = {"id": "", "question": "What is it?", "references": "old:1\n\nold:2", "phrasings": "That?"}
    read(PinResource, row, by=boss)
    pin = PinnedQuestion.objects.get()
    assert (pin.state, references_of(pin), phrasings_of(pin)) == ("draft", ["old:1", "old:2"], ["That?"])
    (version,) = pin.history.all()
    assert (version.history_user, version.history_change_reason, version.references) == (
        boss, "Imported from a table", ["old:1", "old:2"],
    )  # fmt: skip


def test_each_changed_row_adds_one_version_and_an_unchanged_one_none(boss):
    one, other = a_pin("One?"), a_pin("Other?")
    rows = [{"id": str(one.pk), "question": "One?"}, {"id": str(other.pk), "question": "Another?"}]
    result = read(PinResource, *rows, by=boss)
    assert (result.totals["skip"], result.totals["update"]) == (1, 1)
    assert (one.history.count(), other.history.count()) == (1, 2)
    newest, before = other.history.all()
    assert (before.question, newest.question) == ("Other?", "Another?")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "seven", "question": "What?"}, "“seven” is not an id"),
        ({"id": "", "question": " "}, "The question is empty"),
        ({"id": "", "question": "What?", "state": "live"}, "Value 'live' is not a valid choice"),
        ({"id": "", "question": "What?", "phrasings": "what"}, "“what” is written twice"),
        ({"id": "", "question": "What?", "phrasings": "[1"}, "is not a JSON list; write one item a line"),
        ({"id": "", "question": "What?", "references": "gone:1", "state": "published"}, "no passage at “gone:1”"),
        ({"id": "", "question": "W" * 501}, "at most 500 characters"),
        ({"id": "", "question": "What?", "collection": "nowhere"}, "Collection"),
        ({"id": "", "question": "What?", "notes": "x"}, "There is no column “notes”"),
    ],
)
def test_a_row_that_cannot_be_stored_says_why_and_nothing_is(boss, row, said):
    result = read(
        PinResource, {"id": "", "question": "Good?"} | dict.fromkeys(row, "") | {"question": "Good?"}, row, by=boss
    )
    words = [str(error.error) for error in result.base_errors]
    words += [str(error.error) for _, errors in result.row_errors() for error in errors]
    words += [str(row.error) for row in result.invalid_rows]
    assert said in " ".join(words), words
    assert not PinnedQuestion.objects.filter(question__startswith="W").exists()


def test_only_a_reviewer_publishes_by_a_table():
    a_lecture("It is a tree.", key="old")
    row = {"id": "", "question": "What is it?", "references": "old:1", "state": "published"}
    refused = read(PinResource, row, by=someone("editor"))
    assert "Only reviewers change what readers see" in str(refused.invalid_rows[0].error)
    assert not read(PinResource, row, by=someone("reviewer")).has_validation_errors()
    assert PinnedQuestion.objects.get().state == "published"


def test_an_editor_puts_no_pin_into_a_collection_that_they_cannot_read():
    a_collection("secret", "restricted")
    row = {"id": "", "question": "What is it?", "collection": "secret"}
    assert "You cannot read its collection" in str(read(PinResource, row, by=someone("editor")).invalid_rows[0].error)
    assert not PinnedQuestion.objects.exists()


def test_an_editor_changes_no_published_entry_by_a_table():
    pin = a_pin("What is it?", state="published")
    row = {"id": str(pin.pk), "question": "What is this?", "state": "draft"}
    assert read(PinResource, row, by=someone("editor")).has_validation_errors()
    assert PinnedQuestion.objects.get().question == "What is it?"


def uploaded(text, name="pins.csv"):
    return SimpleUploadedFile(name, text.encode(), content_type="text/csv")


def test_the_differences_are_shown_before_anything_is_stored(staff):
    pin = a_pin("What is it?", state="draft")
    url = reverse("admin:curation_pinnedquestion_import")
    file = uploaded(f"id,question\n{pin.pk},What is <b>this</b>?\n,And that?\n")
    page = staff.post(url, {"import_file": file, "format": "0"})
    said = page.content.decode()
    assert "Nothing is stored yet" in said
    assert "<ins>" in said
    assert "&lt;b&gt;" in said
    assert "style=" not in said.partition('<div id="content"')[2]
    assert PinnedQuestion.objects.get().question == "What is it?"
    form = page.context["confirm_form"]
    confirmed = staff.post(reverse("admin:curation_pinnedquestion_process_import"), form.initial | {"confirm": "1"})
    assert confirmed.status_code == 302
    assert set(PinnedQuestion.objects.values_list("question", flat=True)) == {"What is <b>this</b>?", "And that?"}


def test_a_table_with_a_fault_is_stored_not_even_in_part(staff):
    url = reverse("admin:curation_pinnedquestion_import")
    said = staff.post(url, {"import_file": uploaded("id,question\n,Good?\n,?\n"), "format": "0"}).content.decode()
    assert "Some rows cannot be stored" in said
    assert "The question is empty" in said
    assert "Import these rows" not in said
    assert not PinnedQuestion.objects.exists()


def test_the_pages_offer_what_a_person_may_do(client):
    client.force_login(someone("editor"))
    said = client.get(reverse("admin:curation_pinnedquestion_changelist")).content.decode()
    assert reverse("admin:curation_pinnedquestion_library") in said
    assert reverse("admin:curation_pinnedquestion_import") in said
    answer = client.post(reverse("admin:curation_memorynote_export"), {"format": "1", "resource": ""})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    client.force_login(someone("auditor"))
    assert client.get(reverse("admin:curation_pinnedquestion_import")).status_code == 403


odd = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=50)
words = st.text("ab ĀżआÉß'\"\n\r\t\u2028\x85[{,;=+-@&<", min_size=1, max_size=30)
texts = odd | words
forms = st.sampled_from([SafeCSV, JSON])


ODDEST = "=+-@ ĀżआÉß'\"\n\r\t\u2028\x85[{,;&<\\"


class RoundOfOddTables(TestCase):
    @settings(max_examples=settings.default.max_examples // 4)
    @example(*[ODDEST] * 5, SafeCSV)
    @example(*[ODDEST] * 5, JSON)
    @given(
        question=texts, framing=texts, phrasing=texts, body=texts, trigger=texts, form=st.sampled_from([SafeCSV, JSON])
    )
    def test_odd_texts_come_back_as_they_were(self, question, framing, phrasing, body, trigger, form):
        boss = User.objects.get_or_create(username="boss", is_superuser=True)[0]
        a_pin(f"a{question}", phrasings=[f"{phrasing}c"], framing=framing, state="draft")
        a_note(f"d{question}", body=f"f{body}", triggers=[f"{trigger}g"], state="draft")
        the_same_after_a_round(boss, form)
