"""A question that is not answered is told to the webhook: which turn, and why, and none of its words."""

import pytest

from audit.alerts.models import AlertDelivery
from audit.models import TurnAudit
from tests.api.conftest import OUTSIDE, QUESTION

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_refusal_is_told_and_an_answer_is_not(alice, settings):
    settings.WEBHOOK_URL, settings.WEBHOOK_EVENTS = "http://127.0.0.1:1/hook", ["answer.refused"]
    refused = (await alice.ask(OUTSIDE)).json()
    await alice.ask(QUESTION)
    event = await AlertDelivery.objects.aget()
    audit = await TurnAudit.objects.aget(turn_id=refused["id"])
    assert (event.kind, event.channel) == ("answer.refused", "webhook")
    assert event.details == {
        "turn": refused["id"], "outcome": "refused", "reason": refused["reason"], "mode": "instant",
        "url": f"/audit/turns/{audit.pk}/",
    }  # fmt: skip
    assert "penicillin" not in event.text
