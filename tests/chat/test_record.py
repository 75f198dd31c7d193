"""Every turn leaves a record: one that was stopped, one that failed and one whose process was killed too."""

import asyncio
from dataclasses import replace

import pytest

from audit.models import KnowledgeGap, TurnAudit
from chat import turn as turns
from chat.asking import operator
from chat.domain.events import SentenceShown
from chat.domain.question import Question
from chat.forgetting import conversation_forget
from chat.models import Turn
from chat.services import event_store, turn_interrupt, turn_start
from corpus.models import Collection
from tests.chat.test_commands import SCHEMA
from tests.chat.turns import conducted

QUESTION = "Who refused to bow to the newly made man?"


def asked(text=QUESTION, viewer=None, **how):
    return asyncio.run(conducted(text, viewer or operator(), **how))[0]


def audit_of(journal):
    return TurnAudit.objects.get(turn_id=journal.turn_id)


def test_a_failed_turn_keeps_its_plan_and_the_kind_of_fault_and_no_word_of_it(corpus, monkeypatch):
    async def broken(*args):
        raise ConnectionError("password=hunter2")

    monkeypatch.setattr(turns, "retrieve", broken)
    audit = audit_of(asked())
    assert (audit.outcome, audit.trace["fault"]) == ("failed", "ConnectionError")
    assert audit.trace["plan"]["wordings"][0]["text"] == QUESTION
    assert "hunter2" not in str(audit.trace)


def test_a_question_that_names_what_no_passage_holds_is_recorded_as_doubted(corpus):
    assert (
        "false_premise"
        in audit_of(asked("Why did Bonaparte refuse to bow to the newly made man?")).trace["plan"]["flags"]
    )
    assert audit_of(asked()).trace["plan"]["flags"] == []


def test_a_stopped_turn_keeps_what_was_found_and_shown_by_then(corpus):
    async def stop(event):
        if isinstance(event, SentenceShown):
            raise asyncio.CancelledError

    journal = asked(hear=stop)
    audit = audit_of(journal)
    assert audit.outcome == "interrupted"
    assert len(audit.trace["sentences"]) == 1
    assert audit.trace["candidates"]
    assert audit.turn.citations.count() == 1


def test_a_turn_whose_process_was_killed_keeps_what_its_reader_was_sent(corpus):
    viewer = replace(operator(), visitor="v")
    turn, _ = turn_start(question=Question(QUESTION, viewer), conversation_id=None)
    event_store(conversation_id=turn.conversation_id, turn_id=turn.pk, seq=1, payload={"type": "status"})
    assert turn_interrupt(turn)
    turn = Turn.objects.get(pk=turn.pk)
    assert set(turn.response) >= SCHEMA
    assert (turn.outcome, turn.response["complete"]) == ("interrupted", False)
    audit = TurnAudit.objects.get(turn=turn)
    assert (audit.trace["lost"], audit.trace["sent"]) == (True, [{"type": "status"}])
    assert audit.asker
    assert not turn_interrupt(turn)
    assert TurnAudit.objects.filter(turn=turn).count() == 1


def test_audits_of_one_reader_share_a_pseudonym_that_is_no_name(corpus, people, settings):
    alice = replace(operator(), user_id=people["alice"].pk)
    visitor = replace(operator(), visitor="0123456789abcdef")
    askers = [audit_of(asked(viewer=who)).asker for who in (alice, alice, visitor, operator())]
    assert askers[0] == askers[1]
    assert len(set(askers)) == 3
    assert askers[3] == ""
    assert visitor.visitor not in askers[2]
    settings.SECRET_KEY = "another" * 10
    assert audit_of(asked(viewer=alice)).asker not in askers


@pytest.mark.parametrize(("redact", "kept"), [("nothing", True), ("details", False), ("all", False)])
def test_a_question_stands_in_its_audit_as_the_operator_wants_it(corpus, settings, redact, kept):
    settings.REDACT = redact
    journal = asked(f"Tell ann@example.org: {QUESTION}")
    audit = audit_of(journal)
    assert ("ann@example.org" in str([audit.question, audit.trace["plan"]])) == kept
    assert ("bow" in audit.question) == (redact != "all")
    assert "ann@example.org" in Turn.objects.get(pk=journal.turn_id).question


def test_a_conversation_deleted_while_a_question_is_sent_takes_no_turn(corpus, monkeypatch):
    from chat import services
    from chat.models import Conversation

    viewer = replace(operator(), visitor="v")
    conversation = Conversation.objects.create(visitor="v")
    found = services._conversation

    def found_then_deleted(*args, **how):
        one = found(*args, **how)
        Conversation.objects.filter(pk=one.pk).delete()
        return one

    monkeypatch.setattr(services, "_conversation", found_then_deleted)
    with pytest.raises(services.ConversationNotFound):
        turn_start(question=Question(QUESTION, viewer), conversation_id=conversation.pk)
    assert not Turn.objects.exists()
    assert Collection.objects.exists()


def test_a_refused_question_becomes_a_gap_and_joins_it_when_it_is_asked_again(corpus):
    question = "Who discovered penicillin in London?"
    first, second = asked(question), asked(question.upper())
    asked()
    (gap,) = KnowledgeGap.objects.all()
    assert (gap.kind, gap.reason, gap.times) == ("refused", first.reason, 2)
    assert (gap.last_conversation_id, gap.last_turn_id) == (second.conversation_id, second.turn_id)
    assert gap.nearest == [one["address"] for one in second.nearest]
    assert audit_of(first).gap == gap
    conversation_forget(conversation_id=second.conversation_id)
    assert KnowledgeGap.objects.get().times == 1
    conversation_forget(conversation_id=first.conversation_id)
    assert not KnowledgeGap.objects.exists()


def test_what_a_lost_turn_had_sent_is_redacted_too(corpus, settings):
    settings.REDACT = "all"
    viewer = replace(operator(), visitor="v")
    turn, _ = turn_start(question=Question(QUESTION, viewer), conversation_id=None)
    sent = {"type": "sources", "seq": 1, "items": [{"title": "The First Steps", "address": "first-steps:1"}]}
    event_store(conversation_id=turn.conversation_id, turn_id=turn.pk, seq=1, payload=sent)
    assert turn_interrupt(turn)
    (kept,) = TurnAudit.objects.get(turn=turn).trace["sent"]
    assert kept == {**sent, "items": [{"title": "[redacted]", "address": "first-steps:1"}]}
