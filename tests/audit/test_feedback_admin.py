import re

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from audit.models import Feedback, TurnAudit
from lectorium import asking
from tests.audit.feedback_rows import QUOTE, a_turn, give
from tests.factories import a_collection

pytestmark = pytest.mark.django_db
LIST = "admin:audit_feedback_changelist"


def sign_in(client, *codenames):
    user = User.objects.create_user("ed", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client.force_login(user)
    return user


@pytest.fixture
def boss(client):
    user = User.objects.create_superuser("boss")
    client.force_login(user)
    return user


def page(row):
    return reverse("admin:audit_feedback_change", args=[row.pk])


def text_of(client, row):
    return client.get(page(row)).content.decode()


def said(client, row, *, button="_agree", note="He bowed at 0:07."):
    seen = re.search(r'name="given_at" value="([^"]+)"', text_of(client, row))
    body = {"given_at": seen[1] if seen else row.given_at.isoformat(), "review_note": note, button: "x"}
    return client.post(page(row), body, follow=True)


def test_the_queue_can_be_filtered_by_state_kind_verdict_and_outcome(client, boss):
    mine = give(a_turn(question="Mine?"))
    give(a_turn(question="Theirs?", outcome="refused"), "in_sources")
    Feedback.objects.filter(pk=mine.pk).update(review="agree")
    both = client.get(reverse(LIST)).content.decode()
    assert "Mine?" in both
    assert "Theirs?" in both
    for filters in ({"review__exact": "agree"}, {"kind__exact": "not_said"}, {"verdict": "supported"}):
        narrowed = client.get(reverse(LIST), filters).content.decode()
        assert "Mine?" in narrowed
        assert "Theirs?" not in narrowed
    assert 'href="?verdict="' not in both
    still_open = client.get(reverse(LIST), {"review__exact": ""}).content.decode()
    assert "Theirs?" in still_open
    assert "Mine?" not in still_open


def test_a_longer_queue_needs_no_more_queries(client, boss, django_assert_max_num_queries):
    for number in range(12):
        give(a_turn(question=f"Question {number}?"))
    client.get(reverse(LIST))
    with django_assert_max_num_queries(10):
        assert "Question 11?" in client.get(reverse(LIST)).content.decode()


def test_feedback_is_shown_with_its_claim_its_clip_and_its_trace(client, boss):
    turn = a_turn()
    audit = TurnAudit.objects.create(
        conversation_id=turn.conversation_id, turn=turn, outcome="grounded", mode="auto", confidence=1.0
    )
    text = text_of(client, give(turn, note="<b>He bowed.</b>"))
    for part in (
        "Iblis would not bow.", QUOTE, 'href="/lectures/1/#t=5.1,9.5"', "0:05–0:09", "&lt;b&gt;He bowed.&lt;/b&gt;",
        reverse("admin:chat_turn_change", args=[turn.pk]), reverse("audit_turn", args=[audit.pk]),
    ):  # fmt: skip
        assert part in text


def test_a_foreign_address_is_not_a_link(client, boss):
    row = give(a_turn())
    Feedback.objects.update(clip={**row.clip, "url": "javascript:hurt()"})
    assert "hurt()" not in text_of(client, row)


@pytest.mark.parametrize(("button", "review"), [("_agree", "agree"), ("_disagree", "disagree"), ("_note", "note")])
def test_staff_can_agree_disagree_or_only_add_a_note(client, boss, button, review):
    row = give(a_turn())
    assert "Reviewed." in said(client, row, button=button).content.decode()
    row.refresh_from_db()
    assert (row.review, row.review_note, row.reviewer) == (review, "He bowed at 0:07.", boss)
    assert row.reviewed_at


def test_staff_cannot_change_the_readers_words(client, boss):
    row = give(a_turn(), note="Mine.")
    client.post(
        page(row), {"note": "Not mine.", "kind": "helpful", "given_at": row.given_at.isoformat(), "_agree": "x"}
    )
    row.refresh_from_db()
    assert (row.kind, row.note, row.review) == ("not_said", "Mine.", "agree")
    assert client.get(reverse("admin:audit_feedback_add")).status_code == 403
    assert client.post(reverse("admin:audit_feedback_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def test_a_review_of_feedback_changed_in_the_meantime_is_discarded(client, boss):
    turn = a_turn()
    row = give(turn, "helpful")
    give(turn, "not_helpful")
    stale = {"given_at": row.given_at.isoformat(), "review_note": "", "_agree": "x"}
    assert "changed or withdrawn this feedback" in client.post(page(row), stale, follow=True).content.decode()
    assert Feedback.objects.get().review == ""
    for broken in ({**stale, "given_at": "soon"}, {"given_at": stale["given_at"]}):
        assert "your review was not saved" in client.post(page(row), broken, follow=True).content.decode()


def test_view_permission_neither_writes_nor_links_to_the_turn(client):
    turn = a_turn()
    row = give(turn)
    sign_in(client, "view_feedback")
    text = text_of(client, row)
    assert "Iblis would not bow." in text
    assert "Agree with the reader" not in text
    assert str(turn.pk) not in text
    assert said(client, row).status_code == 403
    assert Feedback.objects.get().review == ""


def test_the_queue_needs_permission(client):
    sign_in(client, "view_knowledgegap")
    assert client.get(reverse(LIST)).status_code == 403
    assert client.get(page(give(a_turn()))).status_code == 403


def test_reviewing_does_not_need_a_superuser(client):
    editor = sign_in(client, "view_feedback", "change_feedback")
    row = give(a_turn())
    said(client, row)
    row.refresh_from_db()
    assert (row.review, row.reviewer) == ("agree", editor)


def test_the_new_answer_is_shown_beside_the_recorded_one(client, boss, monkeypatch):
    async def ask(text, *, collections):
        return {"outcome": "refused", "answer": f"<i>Nothing</i> on {text}"}

    monkeypatch.setattr(asking, "ask", ask)
    row = give(a_turn())
    text = said(client, row, button="_ask_again").content.decode()
    assert "Answer now (refused): " in text
    assert "&lt;i&gt;Nothing&lt;/i&gt; on Who refused?" in text
    assert "Iblis would not bow. [1]" in text
    row.refresh_from_db()
    assert row.review == ""


def test_a_question_is_asked_again_only_of_the_collections_that_the_reviewer_may_read(client, monkeypatch):
    searched = []

    async def ask(text, *, collections=None):
        searched.append(collections)
        return {"outcome": "refused", "answer": "Nothing."}

    monkeypatch.setattr(asking, "ask", ask)
    public, _ = a_collection("open"), a_collection("closed", "restricted")
    row = give(a_turn())
    sign_in(client, "view_feedback", "change_feedback")
    said(client, row, button="_ask_again")
    assert searched == [(public.pk,)]


def test_a_redacted_question_cannot_be_asked_again(client, boss, settings):
    settings.REDACT = "all"
    assert "Ask again" not in text_of(client, give(a_turn()))
