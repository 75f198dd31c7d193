"""Titles and summaries of lectures are shown in the reader's language, and the original stays at hand."""

import pytest
from django.urls import reverse

from curation.models import Translation
from curation.translations.services import translation_review, translation_store, translations_sync
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db
TITLE, SUMMARY = "The lamp", "It is about a lamp."
GERMAN = {TITLE: "Die Lampe", SUMMARY: "Es geht um eine Lampe."}


@pytest.fixture(autouse=True)
def locales(settings):
    settings.LOCALES = ["de"]


@pytest.fixture
def lecture():
    lecture = a_lecture("It does not flicker.", title=TITLE, summary=SUMMARY)
    translate()
    return lecture


def translate():
    translations_sync(locales=["de"])
    for row in Translation.objects.filter(state="missing"):
        translation_store(row=row, text=GERMAN.get(row.source, row.source), author="test")


def page(client, name, language, *args):
    response = client.get(reverse(name, args=args), headers={"accept-language": language})
    assert "Accept-Language" in response["Vary"]
    return response.content.decode()


def test_the_language_chosen_for_the_interface_comes_before_the_browsers(client, lecture):
    client.cookies["django_language"] = "de"
    assert "Die Lampe" in page(client, "lecture", "en", lecture.pk)
    client.cookies["django_language"] = "en"
    assert "Die Lampe" not in page(client, "lecture", "de", lecture.pk)


def test_a_machine_translation_is_marked_and_the_original_is_a_click_away(client, lecture):
    text = page(client, "lecture", "de-AT,de;q=0.9,en;q=0.8", lecture.pk)
    assert '<h1 lang="de" dir="auto">Die Lampe</h1>' in text
    assert '<cite lang="en" dir="auto">The lamp</cite>' in text
    assert text.count("maschinelle Übersetzung") == 2
    assert 'Es geht um eine Lampe. <small class="machine">' in text
    assert f'<summary>Zusammenfassung im Original</summary><p lang="en" dir="auto">{SUMMARY}</p>' in text
    listed = page(client, "lectures", "de")
    assert '>Die Lampe</a> <small class="machine">maschinelle Übersetzung</small>' in listed
    assert 'title="The lamp"' in listed


def test_a_reviewed_translation_is_not_marked(client, lecture):
    for row in Translation.objects.all():
        translation_review(row=row, text=row.text, by=None)
    assert "Die Lampe" in page(client, "lecture", "de", lecture.pk)
    assert "maschinelle Übersetzung" not in page(client, "lecture", "de", lecture.pk)
    assert "maschinelle Übersetzung" not in page(client, "lectures", "de")


@pytest.mark.parametrize("language", ["", "en", "en-GB,de;q=0.5", "fr", "*", "de;q=0", "x" * 5000, "de;q=high"])
def test_other_readers_see_the_source(client, lecture, language):
    text = page(client, "lecture", language, lecture.pk)
    assert f'<h1 lang="en" dir="auto">{TITLE}</h1>' in text
    assert "Lampe" not in text
    assert "Zusammenfassung im Original" not in text


def test_the_next_language_that_a_reader_wants_is_used(client, lecture):
    assert "Die Lampe" in page(client, "lecture", "fr,de;q=0.5,en;q=0.4", lecture.pk)


def test_what_a_check_objects_to_and_what_changed_since_is_not_shown(client, lecture):
    Translation.objects.filter(part="lecture_title").update(checks=[["numbers", "It has 3."]])
    lecture.summary = "It is about two lamps."
    lecture.save()
    text = page(client, "lecture", "de", lecture.pk)
    assert "Lampe" not in text
    assert "It is about two lamps." in text


def test_a_longer_list_costs_no_more_queries(client, lecture, django_assert_max_num_queries):
    for number in range(6):
        a_lecture("One.", key=f"l{number}", title=f"Talk {number}")
    translate()
    with django_assert_max_num_queries(9):
        assert "Die Lampe" in page(client, "lectures", "de")
