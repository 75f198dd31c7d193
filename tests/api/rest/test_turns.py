"""A turn, its citations and feedback on it, over REST."""

import pytest

from audit.models import Feedback
from tests.api.conftest import OUTSIDE, QUESTION, later

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def turn(bob):
    return (await bob.ask(QUESTION)).json()


def feedback_of(turn):
    return f"/api/v1/turns/{turn['id']}/feedback"


async def test_a_turn_is_read_with_its_conversation_and_citations(bob, alice, turn):
    stored = (await bob.get(f"/api/v1/turns/{turn['id']}")).json()
    assert (stored["turn"], stored["conversation"]) == (turn["id"], turn["conversation"])
    assert stored["response"]["answer"] == turn["answer"]
    listed = (await bob.get(f"/api/v1/citations/{turn['id']}")).json()["citations"]
    assert listed == turn["citations"]
    for path in (f"/api/v1/turns/{turn['id']}", f"/api/v1/citations/{turn['id']}", feedback_of(turn)):
        assert (await alice.get(path)).status_code == 404


async def test_feedback_is_given_changed_and_taken_back(bob, turn):
    claim = turn["sentences"][0]["text"]
    assert (await bob.call("PUT", feedback_of(turn), {"kind": "not_helpful", "note": "Too short."})).status_code == 204
    assert (await bob.call("PUT", feedback_of(turn), {"kind": "helpful"})).status_code == 204
    wrong = {"kind": "not_said", "citation": 1, "claim": claim}
    given = await bob.call("PUT", feedback_of(turn), wrong)
    assert given.status_code == 204, given.content
    listed = (await bob.get(feedback_of(turn))).json()["feedback"]
    assert {"kind": "helpful", "citation": 0, "claim": ""} in listed
    assert wrong in listed
    assert (await bob.call("DELETE", feedback_of(turn))).status_code == 204
    assert (await bob.get(feedback_of(turn))).json()["feedback"] == [wrong]


BAD_FEEDBACK = [
    ({}, "kind"),
    ({"kind": "loud"}, "kind"),
    ({"kind": 1}, "kind"),
    ({"kind": "helpful", "citation": "1"}, "citation"),
    ({"kind": "helpful", "citation": -1}, "citation"),
    ({"kind": "helpful", "citation": True}, "citation"),
    ({"kind": "helpful", "claim": None}, "claim"),
    ({"kind": "helpful", "note": "x" * 1001}, "note"),
    ({"kind": "helpful", "note": "\ud800"}, "note"),
]


async def test_bad_feedback_is_told_with_its_field_and_stores_nothing(bob, turn):
    for body, where in BAD_FEEDBACK:
        response = await bob.call("PUT", feedback_of(turn), body)
        assert (response.status_code, response.json()["where"]) == (400, where), body
    assert (await bob.call("DELETE", feedback_of(turn) + "?citation=x")).json()["where"] == "citation"
    assert not await Feedback.objects.aexists()


async def test_feedback_on_what_is_not_there_looks_absent_and_what_does_not_fit_is_refused(bob, alice, turn):
    assert (await alice.call("PUT", feedback_of(turn), {"kind": "helpful"})).status_code == 404
    assert (await bob.call("PUT", feedback_of(turn), {"kind": "helpful", "citation": 99})).status_code == 404
    refused = (await bob.ask(OUTSIDE)).json()
    unfit = await bob.call("PUT", feedback_of(refused), {"kind": "not_said"})
    assert (unfit.status_code, unfit.json()["code"]) == (409, "conflict")


async def test_too_much_feedback_is_told_to_wait(bob, turn, monkeypatch):
    monkeypatch.setattr("chat.conversations.feedback.is_too_much", lambda asker: True)
    response = await bob.call("PUT", feedback_of(turn), {"kind": "helpful"})
    assert (response.status_code, response.json()["code"], response["Retry-After"]) == (429, "throttled", "60")
    assert await later(Feedback.objects.count) == 0
