from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from audit.models import TurnAudit
from curation.models import MemoryNote, PinnedQuestion
from curation.services import trigger_add
from tests.factories import a_lecture, a_note, a_pin

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    client.force_login(User.objects.create_superuser("boss"))
    return client


def test_an_editor_pins_a_question_to_references(staff):
    a_lecture("It is a tree.", "It is old.", key="old")
    entry = {
        "question": "What is it?",
        "phrasings": "What is that?",
        "references": ["old:2", "old:1"],
        "language": "en",
    }
    assert staff.post(reverse("admin:curation_pinnedquestion_add"), entry).status_code == 302
    pinned = PinnedQuestion.objects.get()
    assert [reference.address for reference in pinned.references.all()] == ["old:2", "old:1"]
    assert [phrasing.text for phrasing in pinned.phrasings.all()] == ["What is that?"]
    assert pinned.state == "draft"


def test_a_pin_refers_only_to_what_can_be_found(staff):
    a_lecture("It is a tree.", key="old")
    url = reverse("admin:curation_pinnedquestion_add")
    entry = {"question": "What is it?", "references": ["old:1", "old:99", "BG 99.1"], "language": "en"}
    said = staff.post(url, entry).content.decode()
    assert "There is no passage at “old:99”, “BG 99.1”." in said
    assert not PinnedQuestion.objects.exists()
    assert staff.post(url, entry | {"references": "old:1"}).status_code == 302


def test_an_editor_writes_a_note_with_triggers(staff):
    a_lecture("It is a tree.", key="old")
    entry = {
        "title": "The lamp", "body": "A lamp in a windless place.", "triggers": ["lamp", "wind"], "references": "old:1",
        "language": "en",
    }  # fmt: skip
    assert staff.post(reverse("admin:curation_memorynote_add"), entry).status_code == 302
    assert MemoryNote.objects.get().triggers == ["lamp", "wind"]


def test_a_trigger_that_matches_everything_is_saved_with_a_warning(staff):
    for number in range(20):
        TurnAudit.objects.create(
            conversation_id=uuid4(), turn_id=uuid4(), question=f"What is {'a lamp' if number < 15 else 'dharma'}?",
            outcome="grounded", mode="auto", confidence=1.0,
        )  # fmt: skip
    entry = {"title": "The lamp", "body": "It burns.", "triggers": ["lamp", "what"], "language": "en"}
    page = staff.post(reverse("admin:curation_memorynote_add"), entry, follow=True).content.decode()
    assert "“what” would have caught 100% of last month&#x27;s questions (20 of 20)." in page
    assert "“lamp” would have caught 75% of last month&#x27;s questions (15 of 20)." in page


def test_the_second_of_two_editors_of_a_note_sees_the_difference(staff):
    note = a_note("The lamp", triggers=["lamp"], state="draft")
    form = {"title": "The lamp", "body": "It burns.", "language": "en", "opened": note.updated_at.isoformat()}
    trigger_add(note=note, text="wind", by=None)
    url = reverse("admin:curation_memorynote_change", args=[note.pk])
    page = staff.post(url, form | {"triggers": ["flame"]}).content.decode()
    assert "Somebody else saved this entry while you had it open." in page
    assert '<td dir="auto">lamp</td><td dir="auto">lamp<br>wind</td><td dir="auto">flame</td>' in page
    assert MemoryNote.objects.get().triggers == ["lamp", "wind"]


def test_a_longer_list_costs_no_more_queries(staff, django_assert_max_num_queries):
    for number in range(10):
        a_pin(f"Question {number}?")
    with django_assert_max_num_queries(10):
        assert staff.get(reverse("admin:curation_pinnedquestion_changelist"), {"q": "Question"}).status_code == 200
