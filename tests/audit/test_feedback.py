import json

import pytest
from django.contrib.auth.models import User

from audit.domain.feedback import ANSWER
from audit.feedback import MOST, feedback_in, feedback_review, feedback_take_back, is_too_much
from audit.models import Feedback, KnowledgeGap
from tests.audit.feedback_rows import CLAIM, QUOTE, a_turn, give

pytestmark = pytest.mark.django_db


def review(row, verdict="agree", **changed):
    reviewer = User.objects.get_or_create(username="boss")[0]
    seen = {"conversation_id": row.conversation_id, "feedback_id": row.pk, "given_at": row.given_at} | changed
    return feedback_review(**seen, review=verdict, note="Right.", reviewer_id=reviewer.pk)


def test_feedback_records_question_claim_verdict_and_clip():
    row = give(a_turn(), note="He says he bowed.")
    assert (row.question, row.claim, row.verdict) == ("Who refused?", "Iblis would not bow.", "supported")
    assert (row.note, row.answer, row.outcome) == ("He says he bowed.", "Iblis would not bow. [1]", "grounded")
    clip = {"quote": QUOTE, "address": "first-steps:1", "start": 5.1, "end": 9.5, "content_hash": "h", "char_end": 47}
    assert clip.items() <= row.clip.items()


def test_a_refusal_has_no_claim_and_no_clip():
    row = give(a_turn(outcome="refused"), "in_sources")
    assert (row.kind, row.claim, row.verdict, row.clip, row.outcome) == ("in_sources", "", "", {}, "refused")


def test_changed_feedback_is_reopened():
    turn = a_turn()
    row = give(turn, "helpful")
    assert review(row)
    changed = give(turn, "not_helpful", note="After all.")
    assert (changed.pk, changed.kind, changed.note, changed.review) == (row.pk, "not_helpful", "After all.", "")
    assert (changed.review_note, changed.reviewer, changed.reviewed_at) == ("", None, None)


def test_unchanged_feedback_keeps_its_review():
    turn = a_turn()
    review(give(turn))
    assert give(turn).review == "agree"


def test_feedback_on_answer_and_claims_is_independent():
    turn = a_turn()
    give(turn)
    give(turn, "helpful")
    assert [feedback.kind for feedback in feedback_in(turn.conversation_id)[turn.pk]] == ["not_said", "helpful"]
    feedback_take_back(conversation_id=turn.conversation_id, turn_id=turn.pk, target=CLAIM)
    assert Feedback.objects.get().kind == "helpful"


def test_a_review_only_applies_to_the_version_the_reviewer_saw():
    turn = a_turn()
    row = give(turn, "helpful")
    give(turn, "not_helpful")
    assert not review(row)
    assert Feedback.objects.get().review == ""
    row.refresh_from_db()
    assert review(row, "disagree")
    row.refresh_from_db()
    assert (row.review, row.review_note, row.reviewer.username) == ("disagree", "Right.", "boss")
    row.delete()
    assert not review(row)


@pytest.mark.parametrize(("redact", "note"), [("details", "Ask [e-mail]."), ("all", "[redacted]")])
def test_texts_are_redacted_as_configured(settings, redact, note):
    settings.REDACT = redact
    row = give(a_turn(question="Is ann@example.org right?"), note="Ask ann@example.org.")
    assert row.note == note
    texts = json.dumps([row.question, row.answer, row.claim, row.note, row.clip])
    assert "ann@" not in texts
    if redact == "all":
        assert "Iblis" not in texts
        assert "The First Steps" not in texts
        assert row.clip["address"] == "first-steps:1"


def test_the_feedback_limit_is_per_pseudonym():
    for _ in range(MOST):
        assert not is_too_much("ann")
        give(a_turn())
    assert is_too_much("ann")
    assert not is_too_much("ben")


def test_an_answer_that_did_not_help_joins_a_gap_and_leaves_it_when_taken_back():
    turn = a_turn()
    row = give(turn, "not_helpful", target=ANSWER)
    gap = KnowledgeGap.objects.get()
    assert (gap.kind, gap.reason, gap.question, gap.times, gap.nearest) == (
        "feedback", "not_helpful", "Who refused?", 1, ["first-steps:1"],
    )  # fmt: skip
    assert row.gap_id == gap.pk
    give(turn, "not_helpful", target=ANSWER, note="Really.")
    assert KnowledgeGap.objects.get().times == 1
    give(turn, "helpful", target=ANSWER)
    assert not KnowledgeGap.objects.exists()
    give(turn, "not_helpful", target=ANSWER)
    feedback_take_back(conversation_id=turn.conversation_id, turn_id=turn.pk, target=ANSWER)
    assert not KnowledgeGap.objects.exists()


def test_a_disputed_citation_opens_no_gap():
    give(a_turn(), "not_said", target=CLAIM)
    assert not KnowledgeGap.objects.exists()
