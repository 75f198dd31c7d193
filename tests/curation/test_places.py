"""References as editors type them."""

import pytest

from corpus.selectors import ANYWHERE
from curation.entry_admin.finding import passages_for
from curation.places import places_named, reference_views
from tests.factories import a_lecture, a_timed_lecture, a_work, the_schemes

pytestmark = pytest.mark.django_db


@pytest.fixture
def lecture():
    spoken = [
        (f"Sentence number {n} is about trees and rivers and the sea.", n * 30.0, n * 30.0 + 25) for n in range(8)
    ]
    return a_timed_lecture(*spoken, key="old", title="Old Trees")


def test_an_address_is_found_in_the_spelling_of_its_source(lecture):
    the_schemes()
    a_work({"BG 2:13": "As a boy.", "BG 2:14": "Heat and cold."}, key="bg")
    assert places_named(" OLD:1 ", ANYWHERE) == ["old:1"]
    assert len(places_named("BG 2:13-14", ANYWHERE)) == 2
    assert places_named("what is it?", ANYWHERE) == []
    assert places_named("old:99", ANYWHERE) == []
    assert places_named("", ANYWHERE) == []


def test_a_moment_or_a_link_means_the_paragraph_that_is_said_then(lecture):
    by_key, by_title = places_named("old @ 3:05", ANYWHERE), places_named("old trees 3:05", ANYWHERE)
    link = places_named(f"https://example.org/lectures/{lecture.pk}/#t=185,190", ANYWHERE)
    assert by_key == by_title == link
    (view,) = reference_views(by_key, ANYWHERE)
    assert "Sentence number 6" in view.passage.text
    assert places_named("old @ 59:00", ANYWHERE) == []
    assert places_named(f"/lectures/{lecture.pk}/#p-1", ANYWHERE) == ["old:1"]


def test_words_are_found_while_the_last_one_is_unfinished(lecture):
    assert [view.address for view in passages_for("trees and riv", ANYWHERE)]
    assert passages_for("ri", ANYWHERE) == []


def test_of_several_paragraphs_in_a_passage_the_one_with_the_typed_words_is_offered():
    a_lecture("Rivers run to the sea.", "Trees stand on the hill. Birds sit in the trees.", "Night falls.", key="old")
    (view,) = passages_for("birds in the tre", ANYWHERE)
    assert (view.address, view.quote) == ("old:2", "Trees stand on the hill. Birds sit in the trees.")
