"""What each group may do with pins and notes in admin. Who sees which page: tests/permissions."""

import pytest
from django.urls import reverse

from curation.models import PinnedQuestion
from tests.curation.people import someone
from tests.factories import a_lecture, a_note, a_pin

pytestmark = pytest.mark.django_db
KINDS = ("pinnedquestion", "memorynote")
GROUPS = ("reader", "auditor", "editor", "reviewer")


@pytest.fixture
def entries():
    a_lecture("It is a tree.", "It is old.", key="old")
    made = {}
    for state in ("draft", "in_review", "published", "withdrawn"):
        made["pinnedquestion", state] = a_pin(f"What is {state}?", ["old:1"], state=state)
        made["memorynote", state] = a_note(f"About {state}", ["old:1"], state=state)
    return made


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("kind", KINDS)
def test_only_reviewers_change_or_delete_what_readers_see(client, entries, kind, group):
    client.force_login(someone(group))
    for state, may in (("draft", "editor reviewer"), ("in_review", "editor reviewer"), ("published", "reviewer")):
        entry = entries[kind, state]
        change = {"language": "de", "opened": entry.updated_at.isoformat(), "references": ["old:1"]}
        change |= {"question": str(entry)} if kind == "pinnedquestion" else {"title": str(entry), "body": "Words."}
        client.post(reverse(f"admin:curation_{kind}_change", args=[entry.pk]), change)
        entry.refresh_from_db()
        assert (entry.language == "de") == (group in may.split()), (state, group)
        client.post(reverse(f"admin:curation_{kind}_delete", args=[entry.pk]), {"post": "yes"})
        assert type(entry).objects.filter(pk=entry.pk).exists() == (group not in may.split()), (state, group)


STEPS = [  # the state, the button, the state after it for an editor and for a reviewer
    ("draft", "_submit", "in_review", "in_review"),
    ("draft", "_publish", "draft", "published"),
    ("in_review", "_publish", "in_review", "published"),
    ("in_review", "_withdraw", "withdrawn", "withdrawn"),
    ("published", "_withdraw", "published", "withdrawn"),
    ("withdrawn", "_submit", "in_review", "in_review"),
    ("withdrawn", "_publish", "withdrawn", "published"),
]


@pytest.mark.parametrize(("before", "button", "editors", "reviewers"), STEPS)
@pytest.mark.parametrize("group", GROUPS)
def test_the_buttons_take_the_steps_that_a_group_may_take(client, entries, group, before, button, editors, reviewers):
    client.force_login(someone(group))
    pin = entries["pinnedquestion", before]
    form = {
        "question": pin.question, "language": "en", "references": ["old:1"], "opened": pin.updated_at.isoformat(),
    }  # fmt: skip
    client.post(reverse("admin:curation_pinnedquestion_change", args=[pin.pk]), form | {button: "1"})
    pin.refresh_from_db()
    assert pin.state == {"editor": editors, "reviewer": reviewers}.get(group, before)


def test_the_form_offers_only_the_steps_that_can_be_taken(client, entries):
    client.force_login(someone("editor"))
    offered = {}
    for state in ("draft", "in_review", "published", "withdrawn"):
        pin = entries["pinnedquestion", state]
        page = client.get(reverse("admin:curation_pinnedquestion_change", args=[pin.pk])).content.decode()
        offered[state] = [name for name in ("_submit", "_publish", "_withdraw") if f'name="{name}"' in page]
    assert offered == {"draft": ["_submit"], "in_review": ["_withdraw"], "published": [], "withdrawn": ["_submit"]}


def test_actions_of_the_list_say_how_many_changed_and_why_others_did_not(client, entries):
    client.force_login(someone("reviewer"))
    a_pin("Nothing?", [], state="draft")
    chosen = list(PinnedQuestion.objects.values_list("pk", flat=True))
    url = reverse("admin:curation_pinnedquestion_changelist")
    said = client.post(url, {"action": "publish_chosen", "_selected_action": chosen}, follow=True).content.decode()
    assert "3 published." in said
    assert "2 not changed." in said
    assert "A pin without a reference answers nothing." in said
    assert PinnedQuestion.objects.filter(state="published").count() == 4
    said = client.post(url, {"action": "undo_chosen", "_selected_action": chosen}, follow=True).content.decode()
    assert "3 undone." in said


def test_an_editor_is_not_offered_to_publish_many_and_cannot_delete_a_published_pin_with_others(client, entries):
    client.force_login(someone("editor"))
    url = reverse("admin:curation_pinnedquestion_changelist")
    assert "publish_chosen" not in client.get(url).content.decode()
    chosen = [entries["pinnedquestion", state].pk for state in ("draft", "published")]
    client.post(url, {"action": "publish_chosen", "_selected_action": chosen})
    client.post(url, {"action": "delete_selected", "_selected_action": chosen, "post": "yes"})
    assert PinnedQuestion.objects.filter(pk__in=chosen).count() == 2
    assert PinnedQuestion.objects.get(pk=chosen[0]).state == "draft"
