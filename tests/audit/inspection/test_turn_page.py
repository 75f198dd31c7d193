import re
import uuid

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from audit.models import TurnAudit
from chat.models import Conversation, Turn
from corpus.models import Chunk
from tests.factories import a_collection, a_lecture

pytestmark = pytest.mark.django_db
SENTENCE = "The pillar carries the roof."


def auditor(*more):
    user = User.objects.create_user(f"auditor-{uuid.uuid4()}", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=("view_turnaudit", *more)))
    return user


def recorded_turn(chunk=None, **trace):
    """A written answer from one passage, as a turn records it."""
    reference = {"n": 1, "chunk": str(chunk.pk), "char_start": 0, "char_end": len(SENTENCE)} if chunk else None
    response = {
        "sentences": [{"text": "It carries a roof.", "verdict": "supported", "citations": [1], "quoted": False}],
        "citations": [{"n": 1, "address": chunk.address}] if chunk else [], "withheld": [],
        "references": [reference] if chunk else [], "message": "", "warnings": [],
    }  # fmt: skip
    turn = Turn.objects.create(conversation=Conversation.objects.create(), question="What is <b>duty</b>?",
                               outcome="grounded", response=response)  # fmt: skip
    candidate = (
        {"chunk": str(chunk.pk), "address": chunk.address, "lanes": {"dense": 1}, "cut_by": None} if chunk else {}
    )
    look = {
        "plan": {"route": "single_topic", "wordings": [{"text": "What is duty?", "kind": "standalone"}]},
        "lanes": {"dense": 7}, "candidates": [candidate] if chunk else [],
        "gate": {"coverage": 0.8, "bar": 0.7, "decision": "answer", "signals": {"known_share": 1.0}},
    }  # fmt: skip
    return TurnAudit.objects.create(
        conversation_id=turn.conversation_id, turn=turn, question=turn.question, outcome="grounded", mode="auto",
        confidence=0.9, trace={**look, **trace}, timings_ms={"plan": 12, "total": 1234},
    )  # fmt: skip


def page(client, audit, user):
    client.force_login(user)
    return client.get(reverse("audit_turn", args=[audit.pk]))


def chunk_of(collection=None):
    lecture = a_lecture(SENTENCE, **({"collection": collection} if collection else {}))
    return Chunk.objects.get(lecture=lecture)


def test_a_turn_is_laid_out_along_the_pipeline(client):
    audit = recorded_turn(chunk_of(), replica="cannot be reached")
    text = page(client, audit, auditor("view_turn")).content.decode()
    steps = ("Time and cost", "Plan", "Retrieve", "Read and discard", "Gate", "Evidence", "What the reader saw")
    places = [text.index(f"{step}</h2>") for step in steps]
    assert places == sorted(places)
    assert f"<mark>{SENTENCE}</mark>" in text
    assert "What is &lt;b&gt;duty&lt;/b&gt;?" in text
    assert "It carries a roof." in text
    assert "The primary database searched: the replica cannot be reached." in text


def test_no_id_is_shown_as_text(client):
    audit = recorded_turn(chunk_of())
    text = page(client, audit, auditor("view_turn")).content.decode()
    shown = re.sub(r"<[^>]*>", " ", text)
    for key in (audit.pk, audit.turn_id, audit.conversation_id, Chunk.objects.get().pk):
        assert str(key) not in shown


def test_a_passage_of_a_collection_that_is_not_open_to_the_auditor_is_not_shown(client):
    audit = recorded_turn(chunk_of(a_collection("closed", "restricted")))
    text = page(client, audit, auditor("view_turn")).content.decode()
    assert SENTENCE not in text
    assert "No longer in the corpus, or not open to you" in text


def test_without_the_right_to_read_turns_only_what_the_audit_keeps_is_shown(client):
    kept = [{"text": "[redacted]", "verdict": "supported", "citations": [1]}]
    audit = recorded_turn(chunk_of(), sentences=kept, withheld=[])
    text = page(client, audit, auditor()).content.decode()
    assert "It carries a roof." not in text
    assert "[redacted]" in text


def test_a_turn_that_never_searched_and_one_that_broke_are_pages_too(client):
    staff = auditor("view_turn")
    audit = recorded_turn(chunk_of())
    for trace in ({}, {"lost": True, "sent": []}, {"fault": "RuntimeError", "cause": "no weights"}):
        TurnAudit.objects.filter(pk=audit.pk).update(trace=trace)
        answer = page(client, audit, staff)
        assert answer.status_code == 200
    assert "The turn broke: RuntimeError no weights" in answer.content.decode()


def test_only_auditors_see_it(client):
    audit = recorded_turn(chunk_of())
    url = reverse("audit_turn", args=[audit.pk])
    assert client.get(url).status_code == 302
    client.force_login(User.objects.create_user("reader"))
    assert client.get(url).status_code == 403
    client.force_login(auditor())
    assert client.get(reverse("audit_turn", args=[uuid.uuid4()])).status_code == 404


def test_more_candidates_need_no_more_queries(client, django_assert_max_num_queries):
    audit = recorded_turn(chunk_of())
    staff = auditor("view_turn")
    page(client, audit, staff)
    with django_assert_max_num_queries(20):
        page(client, audit, staff)
    TurnAudit.objects.filter(pk=audit.pk).update(trace=audit.trace | {"candidates": audit.trace["candidates"] * 40})
    with django_assert_max_num_queries(20):
        page(client, audit, staff)


def test_a_review_is_offered_only_to_those_who_may_give_one(client):
    audit = recorded_turn()
    links = (reverse("audit_review_add", args=[audit.pk]), reverse("audit_review"))
    for more, offered in ((("add_turnreview",), False), (("add_turnreview", "view_turn"), True)):
        text = page(client, audit, auditor(*more)).content.decode()
        assert [f'"{link}"' in text for link in links] == [offered, offered]
        assert (client.post(links[0]).status_code == 302) is offered
