"""Editors' hands on facts and contradictions."""

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.base import ContentFile
from django.urls import reverse

from curation.models import Contradiction, Fact
from tests.curation.fact_rows import a_contradiction, a_fact
from tests.factories import a_collection, a_lecture, a_timed_lecture

pytestmark = pytest.mark.django_db

OLD = "The banyan lives for five thousand years.\n\nIt is a tree."
YOUNG = "No banyan is older than three hundred years."
ADD = "admin:curation_fact_add"


@pytest.fixture
def staff(client):
    client.force_login(User.objects.create_superuser("boss"))
    return client


@pytest.fixture
def sides(db):
    a_lecture(OLD, key="old")
    a_lecture(YOUNG, key="young")
    return a_fact("It lives for millennia.", "old:1", OLD), a_fact("It lives for centuries.", "young:1", YOUNG)


def entry(**changed):
    return {
        "subject": "the banyan", "predicate": "is", "object": "a tree", "content": "The banyan is a tree.",
        "address": "old:1", "evidence": "It is a tree.", "confidence": "0.9", "valid_from": "", "valid_to": "",
        "superseded_by": "", "kind": "fact", "holder": "",
    } | changed  # fmt: skip


def errors_of(response):
    return " ".join(message for messages in response.context["adminform"].form.errors.values() for message in messages)


def test_an_editor_writes_a_fact_whose_words_stand_there(staff, sides):
    assert staff.post(reverse(ADD), entry(evidence=OLD.replace("\n", "\r\n"))).status_code == 302
    fact = Fact.objects.get(object="a tree")
    assert (fact.evidence, fact.address_key, fact.superseded_by) == (OLD, "old 1", None)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"address": "nowhere:9"}, "There is no passage at “nowhere:9”"),
        ({"evidence": "It is a bush."}, "old:1 has: “The banyan lives for five thousand years."),
        ({"address": "young:1"}, "young:1 has: “No banyan is older"),
        ({"confidence": "1.2"}, "less than or equal to 1"),
        ({"confidence": "-0.1"}, "greater than or equal to 0"),
        ({"valid_from": "2020-01-02", "valid_to": "2020-01-01"}, "is earlier than"),
    ],
)
def test_what_cannot_count_is_refused_with_a_reason(staff, sides, changed, said):
    response = staff.post(reverse(ADD), entry(**changed))
    assert response.status_code == 200
    assert said in errors_of(response)
    assert Fact.objects.count() == 2


def changed_to(staff, fact, **values):
    kept = {name: getattr(fact, name) for name in ("subject", "predicate", "object", "content", "address", "evidence")}
    url = reverse("admin:curation_fact_change", args=[fact.pk])
    return staff.post(url, {**entry(), **kept, **values})


def test_a_chain_that_would_loop_is_refused_and_others_are_flattened(staff, sides):
    one, other = sides
    third = a_fact("It is old.", "old:1", OLD)
    a_contradiction(*sides)
    assert changed_to(staff, one, superseded_by=other.pk).status_code == 302
    assert Contradiction.objects.filter(resolved_at=None).count() == 0
    assert "is itself superseded by" in errors_of(changed_to(staff, other, superseded_by=one.pk))
    assert "cannot supersede itself" in errors_of(changed_to(staff, other, superseded_by=other.pk))
    assert changed_to(staff, other, superseded_by=third.pk).status_code == 302
    assert set(Fact.objects.exclude(pk=third.pk).values_list("superseded_by", flat=True)) == {third.pk}
    one.refresh_from_db()
    assert one.valid_to


@pytest.mark.parametrize(("by", "because"), [("third", "replaced"), ("", "")], ids=["another", "none"])
def test_a_merged_fact_that_an_editor_moves_no_longer_says_the_same(staff, sides, by, because):
    merged, kept = sides
    Fact.objects.filter(pk=merged.pk).update(superseded_by=kept, superseded_because="equivalent")
    third = a_fact("It is old.", "old:1", OLD)
    changed_to(staff, merged, superseded_by=third.pk if by else "")
    merged.refresh_from_db()
    assert (merged.superseded_by, merged.superseded_because) == (third if by else None, because)


def test_a_fact_that_its_source_disarmed_says_so_and_can_still_be_superseded(staff, sides):
    page = staff.get(reverse("admin:curation_fact_change", args=[sides[0].pk]))
    assert ": used in answers" in page.content.decode()
    a_lecture("The banyan is young.", key="old")
    page = staff.get(reverse("admin:curation_fact_change", args=[sides[0].pk]))
    assert "no longer found at its address" in page.content.decode()
    assert changed_to(staff, sides[0], superseded_by=sides[1].pk).status_code == 302


def test_facts_are_searched_and_filtered(staff, sides):
    def listed(**query):
        page = staff.get(reverse("admin:curation_fact_changelist"), query)
        assert "Superseded</a>" in page.content.decode()
        return list(page.context["cl"].queryset)

    assert listed(q="centuries") == [sides[1]]
    Fact.objects.filter(pk=sides[0].pk).update(superseded_by=sides[1])
    assert listed(superseded_by__isempty="1") == [sides[1]]


def test_a_longer_list_of_contradictions_costs_no_more_queries(staff, sides, django_assert_max_num_queries):
    for number in range(8):
        a_contradiction(sides[0], a_fact(f"Fact {number}.", "young:1", YOUNG))
    with django_assert_max_num_queries(10):
        assert staff.get(reverse("admin:curation_contradiction_changelist")).status_code == 200


def test_two_facts_are_linked_once(staff, sides):
    def link(one, other):
        return staff.post(
            reverse("admin:curation_contradiction_add"), {"one": one.pk, "other": other.pk, "note": "Two ages."}
        )

    assert link(*sides).status_code == 302
    assert "linked already" in errors_of(link(*sides[::-1]))
    assert "choose two" in errors_of(link(sides[0], sides[0]))
    assert Contradiction.objects.count() == 1


def test_both_sides_stand_beside_each_other(staff, sides):
    linked = a_contradiction(*sides, note="<b>Two ages.</b>")
    page = staff.get(reverse("admin:curation_contradiction_change", args=[linked.pk])).content.decode()
    for fact in sides:
        assert fact.content in page
        assert fact.address in page
        assert fact.evidence in page
    assert "The second is authoritative" in page
    assert "<b>Two ages" not in page


@pytest.fixture
def spoken(settings, tmp_path):
    """A contradiction between a recorded lecture, of members only, and one without a recording."""
    settings.MEDIA_ROOT = tmp_path
    recorded = a_timed_lecture((OLD, 30, 42), key="old", collection=a_collection("inner", "restricted"))
    recorded.media.save("old.mp3", ContentFile(b"sound"))
    a_lecture(YOUNG, key="young")
    linked = a_contradiction(a_fact("Millennia.", "old:1", OLD[:20]), a_fact("Centuries.", "young:1", YOUNG))
    return recorded, reverse("admin:curation_contradiction_change", args=[linked.pk])


def test_each_side_can_be_opened_at_its_moment_and_heard_where_it_is_recorded(staff, spoken):
    recorded, url = spoken
    page = staff.get(url).content.decode()
    lecture = reverse("lecture", args=[recorded.pk])
    assert f'href="{lecture}#t=30,42"' in page
    assert f'src="{lecture}media#t=28,42"' in page
    assert page.count("Open transcript") == 2
    assert page.count("<audio") == 1
    recorded.media.storage.delete(recorded.media.name)
    assert "<audio" not in staff.get(url).content.decode()


def test_a_side_that_its_editor_may_not_know_of_has_no_link_to_what_would_not_open(client, spoken):
    editor = User.objects.create_user("editor", is_staff=True)
    editor.user_permissions.add(Permission.objects.get(codename="view_contradiction"))
    client.force_login(editor)
    page = client.get(spoken[1]).content.decode()
    assert page.count("Open transcript") == 1
    assert "<audio" not in page
    assert "Millennia." in page


@pytest.mark.parametrize(("decision", "kept"), [("keep_first", (0,)), ("keep_second", (1,)), ("both_stand", (0, 1))])
@pytest.mark.parametrize("by", ["button", "list"])
def test_an_editor_decides_from_the_page_or_from_the_list(staff, sides, decision, kept, by):
    linked = a_contradiction(*sides)
    if by == "button":
        url = reverse("admin:curation_contradiction_change", args=[linked.pk])
        staff.post(url, {"note": "", decision: "x"})
        assert b"The first is authoritative" not in staff.get(url).content.partition(b"submit-row")[2]
    else:
        chosen = {"action": decision, "_selected_action": [linked.pk]}
        staff.post(reverse("admin:curation_contradiction_changelist"), chosen)
    linked.refresh_from_db()
    assert linked.resolved_at
    assert linked.decision == {"keep_first": "first", "keep_second": "second", "both_stand": "in_context"}[decision]
    assert linked.resolved_by.username == "boss"
    page = staff.get(reverse("admin:curation_contradiction_change", args=[linked.pk])).content.decode()
    assert page.count("superseded</span>") == 2 - len(kept)
    assert page.count("holds in context</span>" if len(kept) == 2 else "authoritative</span>") == len(kept)
    assert "Settled by boss" in page
    assert set(Fact.objects.filter(superseded_by=None)) == {sides[place] for place in kept}


def test_what_cannot_be_decided_stays_open_and_says_why(staff, sides):
    linked = a_contradiction(*sides)
    Fact.objects.filter(pk=sides[0].pk).update(superseded_by=sides[1])
    chosen = {"action": "keep_first", "_selected_action": [linked.pk]}
    page = staff.post(reverse("admin:curation_contradiction_changelist"), chosen, follow=True).content.decode()
    assert "is itself superseded by" in page
    assert Contradiction.objects.get(pk=linked.pk).resolved_at is None


def test_who_may_only_look_decides_nothing(client, sides):
    linked = a_contradiction(*sides)
    reader = User.objects.create_user("looker", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_contradiction"))
    client.force_login(reader)
    url = reverse("admin:curation_contradiction_change", args=[linked.pk])
    assert "The first is authoritative" not in client.get(url).content.decode()
    assert client.post(url, {"note": "", "keep_first": "x"}).status_code == 403
    chosen = {"action": "keep_first", "_selected_action": [linked.pk]}
    client.post(reverse("admin:curation_contradiction_changelist"), chosen)
    assert Contradiction.objects.get(pk=linked.pk).resolved_at is None
