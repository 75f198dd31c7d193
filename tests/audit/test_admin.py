import uuid

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from audit.models import TurnAudit
from chat.models import Conversation, Turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    client.force_login(User.objects.create_superuser("boss"))
    return client


def audited(question="Who spoke?"):
    turn = Turn.objects.create(conversation=Conversation.objects.create(), question=question, outcome="refused")
    return TurnAudit.objects.create(
        conversation_id=uuid.uuid4(), turn=turn, question=question, outcome="refused", reason="outside_corpus",
        mode="auto", confidence=0.25, trace={"lanes": "<script>alert(1)</script>"}, timings_ms={"total": 1234},
    )  # fmt: skip


def test_more_audits_need_no_more_queries(staff, django_assert_max_num_queries):
    url = reverse("admin:audit_turnaudit_changelist")
    audited()
    staff.get(url)
    with django_assert_max_num_queries(12):
        staff.get(url)
    for number in range(10):
        audited(f"Question {number}?")
    with django_assert_max_num_queries(12):
        assert "1,234" in staff.get(url).content.decode()


def test_the_trace_is_shown_escaped_with_a_link_to_its_turn(staff):
    audit = audited()
    url = reverse("admin:audit_turnaudit_change", args=[audit.pk])
    text = staff.get(url).content.decode()
    assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert" not in text
    assert reverse("admin:chat_turn_change", args=[audit.turn_id]) in text
    assert staff.post(url, {"outcome": "grounded"}).status_code == 403


def test_audits_can_be_filtered_by_outcome_reason_and_mode(staff):
    audited("Narrowed to me?")
    url = reverse("admin:audit_turnaudit_changelist")
    assert "Narrowed to me?" in staff.get(url, {"outcome": "refused", "mode": "auto"}).content.decode()
    assert "Narrowed to me?" not in staff.get(url, {"reason": "thin_evidence"}).content.decode()


def test_the_model_of_each_job_is_shown_with_a_link_to_its_ladder_row(staff):
    audit = audited()
    row = str(uuid.uuid4())
    call = {
        "job": "synthesize", "model": "<vllm>:small", "row": row, "version": 3, "prompt": "abcdef123456", "percent": 30,
        "outcome": "written", "ms": 812, "tokens_in": 901, "tokens_out": 55, "estimated": True, "cost": "0.0012",
    }  # fmt: skip
    url = reverse("admin:audit_turnaudit_change", args=[audit.pk])
    assert "No chat model was called" in staff.get(url).content.decode()
    audit.trace = {"served": [call]}
    audit.save()
    text = staff.get(url).content.decode()
    shown = text.partition("Tokens read</th>")[2].partition("</table>")[0]
    for part in ("synthesize", "&lt;vllm&gt;:small", "v3", "30 %", "abcdef123456", "written", "812", "901", "0.0012"):
        assert part in shown
    assert reverse("admin:ladder_rung_change", args=[row]) in shown
    assert "<vllm>" not in text


def test_a_turn_page_links_to_its_audit(staff):
    audit = audited()
    audit.conversation_id = audit.turn.conversation_id
    audit.save()
    page = staff.get(reverse("admin:chat_turn_change", args=[audit.turn_id])).content.decode()
    assert reverse("audit_turn", args=[audit.pk]) in page


def test_drafts_are_shown_sentence_by_sentence(staff):
    audit = audited()
    url = reverse("admin:audit_turnaudit_change", args=[audit.pk])
    assert "No chat model wrote" in staff.get(url).content.decode()
    sentence = {
        "text": "<b>Iblis</b> refused.", "verdict": "partial", "support": 0.7, "withheld": "", "cited": [2],
        "proofs": [{"note": 1, "address": "first-steps:1", "span": [0, 48]}], "moved": {"from": [2], "to": [1]},
        "terms": [{"text": "ātmā", "held": False}],
        "objections": [{"guard": "terms", "reason": "name", "about": "Ann"}],
    }  # fmt: skip
    attempt = {
        "verifier": "overlap", "risk": "low", "repairs": False, "fault": "", "sentences": [sentence],
        "notes": [{"alias": 1, "address": "first-steps:1"}, {"alias": 2, "address": "BG 2.47"}],
    }  # fmt: skip
    audit.trace = {"writing": [attempt], "outline": {"theses": [{"text": "Who bowed", "notes": [2, 1]}]}}
    audit.save()
    text = staff.get(url).content.decode()
    for part in (
        "Who bowed (2, 1)", "[2] BG 2.47", "&lt;b&gt;Iblis&lt;/b&gt; refused.", "partial", "[1] first-steps:1",
        "characters 0–48", "2 → 1", "ātmā", "terms: name (Ann)",
    ):  # fmt: skip
        assert part in text
    assert "<b>Iblis" not in text


def test_an_outline_that_refused_is_shown_without_a_draft(staff):
    audit = audited()
    audit.trace = {"outline": {"theses": [], "fault": "not <JSON>", "decided": False}}
    audit.save()
    text = staff.get(reverse("admin:audit_turnaudit_change", args=[audit.pk])).content.decode()
    assert "Outline: empty; not &lt;JSON&gt;. The evidence was thin, and the outline decided to refuse" in text
