"""The review queue: how it fills, how two people decide, and what becomes of what they disagree with."""

import asyncio
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from audit.domain.tallies import Span
from audit.models import Feedback, ReviewedCase, ReviewItem, TurnAudit, TurnReview
from audit.rollups.services import days_changed
from audit.services import turn_audits_forget
from audit.turn_reviews.queue import items_add, queue_fill
from audit.turn_reviews.services import open_items, review_give
from chat.models import Conversation, Turn
from evaluation.reviewed_cases import reviewed_report, run_reviewed
from tests.audit.recorded import draft, sentence

pytestmark = pytest.mark.django_db
TODAY = datetime.now(UTC).date()


def recorded_turn(question="What is the soul?", outcome="grounded", mode="auto", texts=("The soul dies.",), **trace):
    conversation = Conversation.objects.create()
    shown = [{"text": text, "verdict": "supported", "citations": [], "quoted": True} for text in texts]
    response = {"standalone_question": question, "sentences": shown, "withheld": [], "outcome": outcome}
    turn = Turn.objects.create(conversation=conversation, question=question, outcome=outcome, response=response)
    days_changed([datetime.now(UTC).date()])
    return TurnAudit.objects.create(
        conversation_id=conversation.pk, turn=turn, question=question, outcome=outcome, mode=mode, confidence=1.0,
        trace={"plan": {"wordings": [], "language": "en"}, **trace},
    )  # fmt: skip


def reviewer(name, *codenames):
    user = User.objects.create_user(name, is_staff=True)
    wanted = codenames or ("view_turnaudit", "view_turn", "add_turnreview")
    user.user_permissions.set(Permission.objects.filter(codename__in=wanted))
    return user


def queued(**turn):
    audit = recorded_turn(**turn)
    items_add([audit.pk], "hand")
    return ReviewItem.objects.get(audit=audit)


def give(item, user, decision, sentences=(), note=""):
    return review_give(item_id=item.pk, reviewer_id=user.pk, decision=decision, sentences=sentences, note=note)


def test_a_night_draws_a_sample_what_the_checks_objected_to_and_what_readers_complained_of():
    lie = sentence("contradicted", "unsupported_claims")
    caught = recorded_turn(writing=[draft(lie) | {"risk": "high"}])
    complained = recorded_turn(mode="instant")
    Feedback.objects.create(conversation_id=complained.conversation_id, turn_id=complained.turn_id, asker="x",
                            kind="not_helpful", outcome="grounded", given_at=datetime.now(UTC))  # fmt: skip
    for _ in range(5):
        recorded_turn(outcome="refused", mode="thinking")
    recorded_turn(outcome="no_retrieval")
    added = queue_fill(span=Span(TODAY, TODAY), sample=3)
    assert added == {"feedback": 1, "flagged": 1, "sample": 1}, "what is there already is not added again"
    assert ReviewItem.objects.get(audit=caught).risk == "high"
    assert ReviewItem.objects.get(audit=complained).source == "feedback"
    assert not ReviewItem.objects.filter(outcome="no_retrieval").exists()
    assert queue_fill(span=Span(TODAY, TODAY), sample=3) == {"feedback": 0, "flagged": 0, "sample": 0}


def test_two_people_decide_and_a_third_is_not_asked():
    item = queued()
    ann, ben, cem = (reviewer(name) for name in ("ann", "ben", "cem"))
    give(item, ann, "agree")
    assert item not in open_items(ann.pk)
    assert item in open_items(ben.pk)
    give(item, ben, "unsure")
    assert item not in open_items(cem.pk)
    with pytest.raises(ValueError, match="Two others"):
        give(item, cem, "agree")
    give(item, ann, "disagree")
    assert TurnReview.objects.count() == 2, "a reviewer may change their own decision"


def test_what_waits_for_a_second_decision_comes_first():
    ann, ben = reviewer("ann"), reviewer("ben")
    older, newer = queued(), queued()
    give(newer, ann, "agree")
    assert list(open_items(ben.pk)) == [newer, older]


def test_a_disagreement_becomes_a_case_by_itself_and_goes_with_the_disagreement():
    item = queued(texts=("The soul dies.", "It wears a coat."))
    ann, ben = reviewer("ann"), reviewer("ben")
    give(item, ann, "disagree", [1], note="It never dies.")
    case = ReviewedCase.objects.get()
    assert (case.kind, case.state, case.note) == ("wrong", "proposed", "It never dies.")
    assert case.sentences == ["The soul dies."]
    give(item, ben, "agree")
    assert ReviewedCase.objects.get().state == "contested"
    give(item, ann, "agree")
    assert not ReviewedCase.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_case_is_asked_again_in_the_evaluation():
    item = queued()
    give(item, reviewer("ann"), "disagree")
    refused = queued(question="Who drives?", outcome="refused", texts=())
    give(refused, reviewer("ben"), "disagree")

    async def ask(question):
        said = {"What is the soul?": "The soul dies."}.get(question, "The chariot has a driver.")
        return {"outcome": "grounded", "sentences": [{"text": said}]}

    cases = list(ReviewedCase.objects.order_by("made_at"))
    found = asyncio.run(run_reviewed(cases, lambda: None, ask))
    assert [(row.kind, row.passed) for row in found] == [("wrong", False), ("answerable", True)]
    page = "\n".join(reviewed_report(found, "a corpus"))
    assert "0/1" in page
    assert "soul" not in page, "the questions are readers'"


def test_without_kept_text_there_is_no_case(settings):
    settings.REDACT = "all"
    give(queued(), reviewer("ann"), "disagree")
    assert not ReviewedCase.objects.exists()


def test_reviews_and_cases_are_deleted_with_their_turn():
    item = queued()
    give(item, reviewer("ann"), "disagree")
    turn_audits_forget(conversation_id=item.conversation_id, turn_ids=[item.audit.turn_id], ended=[])
    assert not ReviewItem.objects.exists()
    assert not TurnReview.objects.exists()
    assert not ReviewedCase.objects.exists()


def test_the_page_leads_from_one_turn_to_the_next_and_hides_the_other_decision(client):
    item = queued()
    give(item, reviewer("ann"), "disagree", note="ann's secret note")
    ben = reviewer("ben")
    client.force_login(ben)
    answer = client.get(reverse("audit_review"), follow=True)
    text = answer.content.decode()
    assert answer.redirect_chain[-1][0] == reverse("audit_review_item", args=[item.pk])
    assert "The soul dies." in text
    assert "secret note" not in text
    form = {"decision": "disagree", "sentence": ["1"], "note": "Wrong."}
    done = client.post(reverse("audit_review_item", args=[item.pk]), form, follow=True).content.decode()
    assert "Nothing is left to review" in done
    assert "Disagree: stored." in done
    assert TurnReview.objects.get(reviewer=ben).sentences == [1]
    assert ReviewedCase.objects.get().state == "confirmed"


def test_a_skipped_turn_comes_last_and_an_unknown_decision_is_refused(client):
    first, second = queued(), queued()
    client.force_login(reviewer("ann"))
    url = reverse("audit_review_item", args=[first.pk])
    answer = client.post(url, {"skip": "1"}, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("audit_review_item", args=[second.pk])
    assert "Choose agree, disagree or unsure." in client.post(url, {"decision": "maybe"}, follow=True).content.decode()


def test_the_results_have_kappa_and_the_cases(client):
    ann, ben = reviewer("ann"), reviewer("ben")
    for decisions in (("agree", "agree"), ("disagree", "disagree"), ("agree", "disagree"), ("agree", "agree")):
        item = queued()
        for user, decision in zip((ann, ben), decisions, strict=True):
            give(item, user, decision)
    client.force_login(ann)
    page = client.get(reverse("audit_review_results")).content.decode()
    assert "ann · ben" in page
    assert "0.50" in page
    assert "The reviewers disagree" in page


def test_who_may_not_review_sees_no_turn(client):
    item = queued()
    client.force_login(reviewer("watcher", "view_turnaudit"))
    for url in (reverse("audit_review"), reverse("audit_review_item", args=[item.pk]), reverse("audit_review_results")):
        assert client.get(url).status_code == 403
    assert client.post(reverse("audit_review_item", args=[item.pk]), {"decision": "agree"}).status_code == 403
    assert client.post(reverse("audit_review_add", args=[item.audit_id])).status_code == 403


def test_a_turn_is_put_into_the_queue_by_hand_unless_there_is_nothing_to_review(client):
    client.force_login(reviewer("ann"))
    audit, greeting = recorded_turn(), recorded_turn(outcome="no_retrieval")
    client.post(reverse("audit_review_add", args=[audit.pk]))
    client.post(reverse("audit_review_add", args=[greeting.pk]))
    assert [item.audit_id for item in ReviewItem.objects.all()] == [audit.pk]
