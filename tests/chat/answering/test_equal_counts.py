"""Counts and verdicts of an answer are the same wherever they appear: socket, stored turn, page, audit, `ask`."""

import json

import pytest
from django.urls import reverse

from audit.models import TurnAudit
from chat.answering.ask import ask
from chat.models import Turn
from lectorium.providers.stand_ins.scripted import Reply
from lectorium.threads import in_thread
from tests.chat.answering.test_writing import GOOD, HIDDEN, QUESTION
from tests.chat.authors import give, speaking
from tests.chat.conversations.test_views import turns_in
from tests.chat.sockets import session_for, socket, until_done
from tests.curation.fact_rows import a_contradiction, a_fact

pytestmark = pytest.mark.django_db(transaction=True)

MIXED = (
    f"{GOOD} {HIDDEN} [^41] Only Iblis refused to bow to the newly made ātmā man [^1]. "
    "When the first man was made, every angel bowed to him."
)
COUNTED = ("outcome", "complete", "summary", "validation", "warnings")


def counted(values):
    return {name: plain(values[name]) for name in COUNTED}


def plain(value):
    return json.loads(json.dumps(value))


def told(response):
    """Return the sentences of a response with their verdicts and those of their claims, and what was withheld."""
    sentences = [
        {name: sentence[name] for name in ("text", "kind", "verdict", "support", "quoted", "repair", "claims")}
        for sentence in response["sentences"]
    ]
    return plain(sentences), plain(response["withheld"])


def heard(events):
    """Return the same of what came over the socket."""
    shown = [event for event in events if event["type"] == "sentence"]
    hidden = [event for event in events if event["type"] == "withheld"]
    return told(
        {
            "sentences": shown,
            "withheld": [{k: event[k] for k in ("reason", "verdict", "found_in", "text")} for event in hidden],
        }
    )


@pytest.fixture
def conflict(corpus):
    """The lecture and a verse, one of which says otherwise."""
    one = a_fact("Iblis refused.", "first-steps:1", "Only Iblis refused to bow to the newly made man.")
    return a_contradiction(one, a_fact("Work is a right.", "BG 2.47", "The work is yours by right"))


async def test_five_places_say_the_same_of_one_answer(corpus, conflict, client):
    await give("synthesize")
    session = await in_thread(session_for)
    with speaking("synthesize", *[Reply.of(MIXED)] * 2):
        reader = socket(session)
        await reader.connect()
        await reader.send_json_to({"type": "ask", "question": QUESTION, "mode": "auto"})
        events = await until_done(reader)
        await reader.disconnect()
        printed = await ask(QUESTION, mode="auto", record=True)  # what `ask --json` prints

    turn = await in_thread(Turn.objects.order_by("started_at").first)
    audit = await in_thread(TurnAudit.objects.get, turn=turn)
    client.cookies["sessionid"] = session.session_key
    page = await in_thread(client.get, reverse("conversation", args=[turn.conversation_id]))
    (drawn,) = turns_in(page)

    expected = counted(events[-1])
    assert expected["validation"]["removed"] == 1
    assert expected["validation"]["uncited"] == 1
    assert [warning["type"] for warning in expected["warnings"]] == [
        "PHANTOM_SOURCE", "UNVERIFIED_TERMS", "CONFLICTING_SOURCES",
    ]  # fmt: skip
    assert counted(turn.response) == counted(drawn["response"]) == counted(printed) == expected
    assert told(turn.response) == told(drawn["response"]) == told(printed) == told(audit.trace) == heard(events)
    assert {sentence["verdict"] for sentence in turn.response["sentences"]} == {"supported", "partial"}
    assert [withheld["verdict"] for withheld in turn.response["withheld"]] == ["contradicted"]
    assert turn.response["references"] == drawn["response"]["references"] == printed["references"]
    assert [reference["n"] for reference in printed["references"]] == [
        citation["n"] for citation in printed["citations"]
    ]
    assert (audit.validation, audit.warnings, audit.outcome) == (
        expected["validation"],
        expected["warnings"],
        expected["outcome"],
    )
    assert audit.confidence == turn.response["confidence"] == expected["validation"]["confidence"]
    marked = [event["conflicting"] for event in events if event["type"] == "sentence"]
    assert marked[-1]
    assert not all(marked)
    for response in (turn.response, drawn["response"], printed, audit.trace):
        assert [sentence["conflicting"] for sentence in response["sentences"]] == marked
