"""The counts of an answer are the same wherever they appear: socket, stored turn, page, audit row, `ask --json`."""

import json

import pytest
from django.urls import reverse

from audit.models import TurnAudit
from chat.asking import ask
from chat.models import Turn
from lectorium.providers.scripted import Reply
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking
from tests.chat.sockets import session_for, socket, until_done
from tests.chat.test_views import turns_in
from tests.chat.test_writing import GOOD, HIDDEN, QUESTION

pytestmark = pytest.mark.django_db(transaction=True)

MIXED = f"{GOOD} {HIDDEN} [^41] Only Iblis refused to bow to the newly made ātmā man [^1]. Every angel bowed to him."
COUNTED = ("outcome", "complete", "summary", "validation", "warnings")


def counted(values):
    return {name: json.loads(json.dumps(values[name])) for name in COUNTED}


async def test_five_places_say_the_same_of_one_answer(corpus, client):
    await give("synthesize")
    session = await in_thread(session_for)
    with speaking("synthesize", *[Reply.of(MIXED)] * 2):
        reader = socket(session)
        await reader.connect()
        await reader.send_json_to({"type": "ask", "question": QUESTION, "mode": "auto"})
        done = (await until_done(reader))[-1]
        await reader.disconnect()
        printed = await ask(QUESTION, mode="auto", record=True)  # what `ask --json` prints

    turn = await in_thread(Turn.objects.order_by("started_at").first)
    audit = await in_thread(TurnAudit.objects.get, turn=turn)
    client.cookies["sessionid"] = session.session_key
    page = await in_thread(client.get, reverse("conversation", args=[turn.conversation_id]))
    (drawn,) = turns_in(page)

    expected = counted(done)
    assert expected["validation"]["removed"] == 1
    assert expected["validation"]["uncited"] == 1
    assert [warning["type"] for warning in expected["warnings"]] == ["PHANTOM_SOURCE", "UNVERIFIED_TERMS"]
    assert counted(turn.response) == counted(drawn["response"]) == counted(printed) == expected
    assert (audit.validation, audit.warnings, audit.outcome) == (
        expected["validation"],
        expected["warnings"],
        expected["outcome"],
    )
    assert audit.confidence == turn.response["confidence"] == expected["validation"]["confidence"]
