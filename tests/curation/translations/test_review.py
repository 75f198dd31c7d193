"""Review in admin: source and translation side by side."""

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse
from django_q.models import OrmQ

from curation.entries import EntryLists, entry_store
from curation.models import Translation
from curation.translations.services import translation_review, translation_store, translations_sync
from curation.translations.tasks import TASK
from tests.factories import a_lecture, a_note, a_pin

pytestmark = pytest.mark.django_db
FRAMING = "He said it in 1863."
LIST = reverse("admin:curation_translation_changelist")


@pytest.fixture(autouse=True)
def german(settings):
    settings.LOCALES = ["de"]


@pytest.fixture
def boss():
    return User.objects.create_superuser("boss")


@pytest.fixture
def staff(client, boss):
    client.force_login(boss)
    return client


@pytest.fixture
def pin():
    return a_pin("What is it?", framing=FRAMING)


def translated(source, text):
    """Store a machine's translation of a text and return its row."""
    translations_sync(locales=["de"])
    row = Translation.objects.get(source=source)
    assert translation_store(row=row, text=text, author="scripted:m 0123")
    row.refresh_from_db()
    return row


def queued():
    return sum(task.func() == TASK for task in OrmQ.objects.all())


def page_of(row):
    return reverse("admin:curation_translation_change", args=[row.pk])


def sent(row, text, **more):
    return {"text": text, "seen": row.updated_at.isoformat(), "_continue": "1", **more}


def test_the_page_shows_source_and_translation_and_what_the_checks_found(staff, pin):
    row = translated(FRAMING, "Er sagte es 1836.")
    said = staff.get(page_of(row)).content.decode()
    for words in (FRAMING, "Er sagte es 1836.", "English → German", "The source has 1863", "scripted:m"):
        assert words in said
    assert "style=" not in said.partition('<div id="content"')[2]


def test_a_person_corrects_a_translation(staff, pin, boss):
    row = translated(FRAMING, "Er sagte es 1836.")
    refused = staff.post(page_of(row), sent(row, "Er sagte es 1836.")).content.decode()
    assert "Correct it, or confirm that it is right as it stands." in refused
    assert "It is right as it stands" in refused
    assert staff.post(page_of(row), sent(row, " Er sagte es 1863.\r\n")).status_code == 302
    row.refresh_from_db()
    assert (row.text, row.state, row.reviewed_by) == ("Er sagte es 1863.", "reviewed", boss)


def test_a_person_confirms_what_a_check_objects_to(staff, pin):
    row = translated(FRAMING, "Er sagte es 1836.")
    staff.post(page_of(row), sent(row, "Er sagte es einst.", despite="on"))
    row.refresh_from_db()
    assert (row.text, row.state) == ("Er sagte es einst.", "reviewed")


def test_an_empty_translation_is_refused(staff, pin):
    row = translated(FRAMING, "Er sagte es 1863.")
    assert "The translation is empty" in staff.post(page_of(row), sent(row, " ", despite="on")).content.decode()


def test_who_saves_second_is_told_and_loses_no_words(staff, pin, boss):
    row = translated(FRAMING, "Er sagte es 1863.")
    translation_review(row=Translation.objects.get(pk=row.pk), text="Er sprach es 1863.", by=boss)
    said = staff.post(page_of(row), sent(row, "Im Jahre 1863 sagte er es.")).content.decode()
    assert "was changed while you worked on it" in said
    assert "Im Jahre 1863 sagte er es." in said
    row.refresh_from_db()
    assert row.text == "Er sprach es 1863."


def test_a_stale_translation_shows_both_sources_and_takes_the_proposal(staff, pin, boss):
    row = translated(FRAMING, "Er sagte es 1863.")
    translation_review(row=row, text="Er sprach es 1863.", by=boss)
    pin.framing = "He said it in 1864."
    entry_store(pin, EntryLists(), by=None, reason="Test")
    row = translated("He said it in 1864.", "Er sagte es 1864.")
    said = staff.get(page_of(row)).content.decode()
    for words in ("What was translated", FRAMING, "He said it in 1864.", "Er sprach es 1863.", "Er sagte es 1864."):
        assert words in said
    staff.post(page_of(row), {"_proposal": "1"})
    row.refresh_from_db()
    assert (row.text, row.state, row.proposal) == ("Er sagte es 1864.", "reviewed", "")


def test_saving_goes_on_to_the_next_one(staff, pin):
    first = translated("What is it?", "Was ist es?")
    second = translated(FRAMING, "Er sagte es 1863.")
    answer = staff.post(page_of(first), sent(first, "Was ist das?") | {"_next": "1"})
    assert answer["Location"] == page_of(second)


def test_an_action_accepts_what_no_check_objects_to_and_says_how_many(staff, pin):
    translated("What is it?", "Was ist es?")
    translated(FRAMING, "Er sagte es 1836.")
    keys = [str(row.pk) for row in Translation.objects.all()]
    said = staff.post(LIST, {"action": "accept", "_selected_action": keys}, follow=True).content.decode()
    assert "Reviewed: 1. Left as they are: 1, because" in said
    assert dict(Translation.objects.values_list("source", "state")) == {"What is it?": "reviewed", FRAMING: "machine"}


def test_an_action_has_texts_translated_again(staff, pin):
    row = translated(FRAMING, "Er sagte es 1836.")
    said = staff.post(LIST, {"action": "translate_again", "_selected_action": [str(row.pk)]}, follow=True)
    assert "1 to be translated again" in said.content.decode()
    row.refresh_from_db()
    assert row.state == "missing"
    assert queued() == 1


def test_a_worker_can_be_asked_at_once(staff, pin):
    assert "Translate now" in staff.get(LIST).content.decode()
    staff.post(reverse("admin:curation_translate_now"))
    assert queued() == 1


def test_the_list_says_what_is_missing_to_translate_at_all(staff, settings):
    settings.LOCALES = []
    said = staff.get(LIST).content.decode()
    assert "LECTORIUM_LOCALES" in said
    assert "Translate now" not in said


def test_the_list_filters_what_to_review_and_costs_no_more_queries_when_longer(
    staff, pin, django_assert_max_num_queries
):
    for number in range(8):
        a_note(f"Note {number}", body=f"Body {number}.")
    a_lecture("It is a tree.")
    translations_sync(locales=["de"])
    translated(FRAMING, "Er sagte es 1836.")
    with django_assert_max_num_queries(12):
        assert "Body 7." in staff.get(LIST, {"review": "open"}).content.decode()
    said = staff.get(LIST, {"review": "objected"}).content.decode()
    assert FRAMING in said
    assert "Body 7." not in said


def test_routes_are_for_those_who_may(client, pin):
    row = translated(FRAMING, "Er sagte es 1863.")
    for group, expected in (("editor", 200), ("reviewer", 200), ("auditor", 403), ("reader", 302)):
        user = User.objects.create_user(group, is_staff=group != "reader")
        user.groups.add(Group.objects.get(name=group))
        client.force_login(user)
        assert client.get(page_of(row)).status_code == expected
        assert client.get(LIST).status_code == expected
    client.force_login(User.objects.get(username="auditor"))
    client.post(page_of(row), sent(row, "Er log 1863."))
    client.post(page_of(row), {"_again": "1"})
    client.post(reverse("admin:curation_translate_now"))
    row.refresh_from_db()
    assert (row.text, row.state, queued()) == ("Er sagte es 1863.", "machine", 0)
