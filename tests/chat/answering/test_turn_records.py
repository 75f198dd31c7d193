"""Every turn leaves a record: one that was stopped, one that failed and one whose process was killed too."""

import asyncio
from dataclasses import replace

import pytest
from django.urls import reverse

from audit.models import KnowledgeGap, TurnAudit
from chat.answering import turn as turns
from chat.answering.ask import ask, operator
from chat.answering.domain.events import Fault, SentenceShown
from chat.answering.domain.evidence.evidence import Abstention, Reason
from chat.answering.domain.question import Question, Wording
from chat.answering.stages.discard import discard_candidates
from chat.answering.stages.retrieve import retrieve_candidates
from chat.answering.turn_records import turn_interrupt
from chat.conversations.retention import conversation_forget
from chat.conversations.services import event_store, turn_start
from chat.live.event_log import ending
from chat.models import Turn
from corpus.models import Collection
from tests.chat.test_commands import SCHEMA
from tests.chat.turns import run_recorded

QUESTION = "Who refused to bow to the newly made man?"


def asked(text=QUESTION, viewer=None, **how):
    return asyncio.run(run_recorded(text, viewer or operator(), **how))[0]


def audit_of(ended):
    return TurnAudit.objects.get(turn_id=ended.turn_id)


def test_a_failed_turn_keeps_its_plan_and_the_kind_of_fault_and_no_word_of_it(corpus, monkeypatch):
    async def broken(*args):
        raise ConnectionError("password=hunter2")

    monkeypatch.setattr(turns, "retrieve_candidates", broken)
    audit = audit_of(asked())
    assert (audit.outcome, audit.trace["fault"]) == ("failed", "ConnectionError")
    assert audit.trace["plan"]["wordings"][0]["text"] == QUESTION
    assert "hunter2" not in str(audit.trace)


def test_a_space_without_calibration_answers_nobody_and_says_why_to_readers_and_to_staff(corpus, settings, tmp_path):
    settings.CALIBRATIONS_DIR = tmp_path
    ended, events = asyncio.run(run_recorded(QUESTION, operator()))
    [fault] = [event for event in events if isinstance(event, Fault)]
    assert (fault.code, fault.retryable, fault.message) == ("uncalibrated", False, ended.message)
    assert "never calibrated" in fault.message
    audit = audit_of(ended)
    assert (audit.outcome, audit.trace["fault"]) == ("failed", "Uncalibrated")
    assert "'hashing' has no calibration" in audit.trace["cause"]
    assert "manage.py calibrate" in audit.trace["cause"]


def test_a_second_look_leaves_the_first_in_the_trace(corpus, monkeypatch):
    looks = []

    async def narrow(plan, *args):
        looks.append(plan)
        pool = await retrieve_candidates(plan, *args)
        return replace(pool, candidates=pool.candidates[:1]) if len(looks) == 1 else pool

    def unsure(*args):
        found = discard_candidates(*args)
        return Abstention(Reason.UNANSWERABLE, found.candidates, cut=found.cut) if len(looks) == 1 else found

    monkeypatch.setattr(turns, "second_looks", lambda mode, route: 1)
    monkeypatch.setattr(turns, "retrieve_candidates", narrow)
    monkeypatch.setattr(turns, "discard_candidates", unsure)
    monkeypatch.setattr(
        turns, "refine", lambda plan, near: replace(plan, refined=(Wording("banyan", "refined", ("banyan",)),))
    )
    trace = audit_of(asked(mode="auto")).trace
    [first] = trace["looks"]
    assert (len(first["candidates"]), first["gate"]["decision"]) == (1, "unanswerable")
    assert len(trace["candidates"]) > 1
    assert trace["plan"]["wordings"][-1] == {"text": "banyan", "kind": "refined"}
    assert all(wording["kind"] != "refined" for wording in first["plan"]["wordings"])


def test_a_trace_holds_the_bar_what_was_planned_and_what_each_lane_said(corpus, people, client):
    audit = audit_of(asked("Show me the verse on the banyan tree"))
    assert (audit.trace["gate"]["bar"], audit.trace["plan"]["wanted_kinds"]) == (0.5, ["verse"])
    assert {"language", "alternatives"} <= set(audit.trace["plan"])
    found = next(candidate for candidate in audit.trace["candidates"] if "lexical" in candidate["lanes"])
    assert 0 < found["lane_values"]["lexical"] <= 1
    client.force_login(people["carol"])
    page = client.get(reverse("admin:audit_turnaudit_change", args=[audit.pk]))
    assert page.status_code == 200
    assert "lane_values" in page.content.decode()


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

    ended = asked(hear=stop)
    audit = audit_of(ended)
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
    ended = asked(f"Tell ann@example.org: {QUESTION}")
    audit = audit_of(ended)
    assert ("ann@example.org" in str([audit.question, audit.trace["plan"]])) == kept
    assert ("bow" in audit.question) == (redact != "all")
    assert "ann@example.org" in Turn.objects.get(pk=ended.turn_id).question


def test_a_conversation_deleted_while_a_question_is_sent_takes_no_turn(corpus, monkeypatch):
    from chat.conversations import services
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
    assert gap.nearest == [moment["address"] for moment in second.nearest]
    assert audit_of(first).gap == gap
    conversation_forget(conversation_id=second.conversation_id)
    assert KnowledgeGap.objects.get().times == 1
    conversation_forget(conversation_id=first.conversation_id)
    assert not KnowledgeGap.objects.exists()


@pytest.mark.parametrize(("redact", "noted"), [("nothing", True), ("details", True), ("all", False)])
def test_a_refused_reader_is_told_that_editors_have_the_question_where_they_can_read_it(
    corpus, settings, redact, noted
):
    settings.REDACT = redact
    refused = asked("Who discovered penicillin in London?")
    assert refused.sent[-1].noted is noted
    turn = Turn.objects.get(pk=refused.turn_id)
    assert (turn.response["noted"], ending(turn)["noted"]) == (noted, noted)


def test_a_question_that_is_answered_or_not_recorded_is_not_said_to_be_noted(corpus):
    assert asked().sent[-1].noted is False
    tried = asyncio.run(ask("Who discovered penicillin in London?"))
    assert (tried["outcome"], tried["noted"]) == ("refused", False)


def test_what_a_lost_turn_had_sent_is_redacted_too(corpus, settings):
    settings.REDACT = "all"
    viewer = replace(operator(), visitor="v")
    turn, _ = turn_start(question=Question(QUESTION, viewer), conversation_id=None)
    sent = {"type": "sources", "seq": 1, "items": [{"title": "The First Steps", "address": "first-steps:1"}]}
    event_store(conversation_id=turn.conversation_id, turn_id=turn.pk, seq=1, payload=sent)
    assert turn_interrupt(turn)
    (kept,) = TurnAudit.objects.get(turn=turn).trace["sent"]
    assert kept == {**sent, "items": [{"title": "[redacted]", "address": "first-steps:1"}]}


def test_a_chain_of_follow_ups_keeps_its_topic(corpus):
    reader = replace(operator(), visitor="v")
    first = asked(viewer=reader)
    asked("And where did he run?", reader, conversation=first.conversation_id)
    third = asked("And why?", reader, conversation=first.conversation_id)
    assert third.plan.standalone == "Where did Iblis run, and why?"
    fourth = asked("Who wept at the grave of Lazarus?", reader, conversation=first.conversation_id)
    assert fourth.plan.standalone == fourth.question.text
