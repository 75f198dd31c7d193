import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from curation.models import MemoryNote, PinnedQuestion
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    client.force_login(User.objects.create_superuser("boss"))
    return client


def test_an_editor_pins_a_question_to_references(staff):
    entry = {"question": "What is dharma?", "references": "BG 2.47, BG 3.35", "language": "en", "state": "draft"}
    assert staff.post(reverse("admin:curation_pinnedquestion_add"), entry).status_code == 302
    pinned = PinnedQuestion.objects.get()
    assert pinned.references == ["BG 2.47", "BG 3.35"]
    assert pinned.state == "draft"


def test_what_is_published_refers_only_to_what_can_be_found(staff):
    a_lecture("It is a tree.", key="old")
    url = reverse("admin:curation_pinnedquestion_add")
    entry = {"question": "What is it?", "references": "old:1, old:99, BG 99.1", "language": "en", "state": "published"}
    said = staff.post(url, entry).content.decode()
    assert "There is no passage at “old:99”, “BG 99.1”." in said
    assert not PinnedQuestion.objects.exists()
    assert staff.post(url, entry | {"references": "old:1"}).status_code == 302
    assert PinnedQuestion.objects.get().state == "published"


def test_an_editor_writes_a_note_with_triggers(staff):
    entry = {
        "title": "The lamp", "body": "A lamp in a windless place.", "triggers": "lamp,wind", "references": "BG 6.19",
        "language": "en", "state": "draft",
    }  # fmt: skip
    assert staff.post(reverse("admin:curation_memorynote_add"), entry).status_code == 302
    assert MemoryNote.objects.get().triggers == ["lamp", "wind"]


def test_a_longer_list_costs_no_more_queries(staff, django_assert_max_num_queries):
    for number in range(10):
        PinnedQuestion.objects.create(question=f"Question {number}?")
    with django_assert_max_num_queries(10):
        assert staff.get(reverse("admin:curation_pinnedquestion_changelist"), {"q": "Question"}).status_code == 200
