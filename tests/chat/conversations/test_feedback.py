"""Only the reader of a turn says what it was worth, of what they may still see; and it goes with the turn."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.urls import reverse

from audit.models import Feedback
from chat.conversations import feedback as chat_feedback
from chat.conversations.export_rows import export_rows
from chat.conversations.retention import conversation_forget
from chat.conversations.selectors import stored_turns
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, Turn
from corpus.models import Collection
from tests.audit.feedback_rows import QUOTE, a_turn
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db
CLAIM = {"kind": "not_said", "citation": 1, "claim": "Iblis would not bow."}


@pytest.fixture
def alice(django_user_model):
    return django_user_model.objects.create_user("alice")


@pytest.fixture
def turn(alice):
    """An answer of Alice's whose quote stands where she may see it."""
    a_lecture(QUOTE, key="first-steps")
    return a_turn(alice)


@pytest.fixture
def alices(client, alice):
    client.force_login(alice)
    return client


def say(client, about, **said):
    body = {"turn": str(getattr(about, "pk", about)), "kind": "helpful", "citation": 0, "claim": "", "note": "", **said}
    answer = client.post(reverse("feedback"), body)
    return answer.status_code, json.loads(answer.content)["message"] if answer.content else ""


def test_a_reader_says_changes_and_takes_back_what_an_answer_was_worth(alices, turn):
    assert say(alices, turn) == (204, "")
    assert say(alices, turn, kind="not_helpful", note="Too short.") == (204, "")
    row = Feedback.objects.get()
    assert (row.kind, row.note, row.conversation_id) == ("not_helpful", "Too short.", turn.conversation_id)
    assert say(alices, turn, kind="") == say(alices, turn, kind="") == (204, "")
    assert not Feedback.objects.exists()


def test_a_reader_says_that_a_clip_does_not_say_something(alices, turn, alice):
    assert say(alices, turn, **CLAIM) == (204, "")
    row = Feedback.objects.get()
    assert (row.claim, row.clip["quote"]) == (CLAIM["claim"], QUOTE)
    assert len(row.asker) == 24
    assert "alice" not in row.asker
    (stored,) = stored_turns(turn.conversation_id, viewer_of(alice, None))
    assert stored["feedback"] == [CLAIM]


def test_what_is_said_of_a_refusal_is_that_the_answer_is_there(alices, alice):
    refused = a_turn(alice, "refused")
    assert say(alices, refused, kind="in_sources") == (204, "")
    assert say(alices, refused, kind="not_helpful")[0] == 400


def test_an_anonymous_reader_speaks_of_their_own_turns_alone(client, turn, settings):
    client.get(reverse("chat"))
    mine = a_turn()
    visitor = viewer_of(AnonymousUser(), client.session.session_key).visitor
    Conversation.objects.filter(pk=mine.conversation_id).update(visitor=visitor)
    assert say(client, mine) == (204, "")
    assert say(client, turn)[0] == 404
    settings.ANONYMOUS_CHAT = False
    assert say(client, mine)[0] == 403


def test_anothers_turn_is_as_good_as_none(client, turn, django_user_model):
    assert say(client, turn)[0] == 404
    client.force_login(django_user_model.objects.create_superuser("boss"))
    assert say(client, turn) == say(client, uuid.uuid4()) == (404, "This answer is not there any more.")
    assert not Feedback.objects.exists()


def test_what_a_reader_may_not_see_any_more_is_as_good_as_none(alices, turn, alice):
    say(alices, turn, **CLAIM)
    Collection.objects.update(visibility=Collection.Visibility.RESTRICTED)
    (stored,) = stored_turns(turn.conversation_id, viewer_of(alice, None))
    assert stored["feedback"] == []
    assert "Iblis" not in json.dumps(stored)
    assert say(alices, turn, **CLAIM)[0] == 404


def test_a_claim_that_the_answer_does_not_make_is_as_good_as_none(alices, turn):
    for changed in ({"claim": "Iblis bowed."}, {"citation": 2}, {"claim": ""}, {"citation": 0}):
        assert say(alices, turn, **CLAIM | changed)[0] == 404


def test_a_running_turn_takes_none(alices, turn):
    Turn.objects.update(outcome="", response={})
    assert say(alices, turn) == (400, "This cannot be said of an answer that ended like this one, or has not ended.")
    assert say(alices, turn, **CLAIM)[0] == 404


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"turn": "1; DROP TABLE"}, "The turn is not a known id."),
        ({"kind": "sing"}, "sing is not one of the available choices"),
        ({"kind": "not_said"}, "cannot be said of"),
        ({"kind": "in_sources"}, "cannot be said of"),
        ({"citation": "x"}, "whole number"),
        ({"citation": -1}, "greater than or equal to 0"),
        ({"citation": 10**30}, "less than or equal to"),
        ({"note": "x" * 1001}, "The note has 1001 characters; please keep it to 1000."),
        ({"note": "a\x00b"}, "Null characters"),
    ],
)
def test_what_cannot_be_taken_is_answered_with_one_sentence(alices, turn, said, message):
    status, told = say(alices, turn, **said)
    assert status == 400
    assert message in told
    assert not Feedback.objects.exists()


def test_a_reader_who_sends_much_at_once_is_asked_to_wait_but_may_take_back(alices, turn, monkeypatch):
    say(alices, turn)
    monkeypatch.setattr(chat_feedback, "is_too_much", lambda asker: True)
    assert say(alices, turn, kind="not_helpful") == (429, "You have sent much at once. Please go on in a minute.")
    assert say(alices, turn, kind="") == (204, "")


@pytest.mark.parametrize(("redact", "asked"), [("nothing", True), ("details", True), ("all", False)])
def test_no_note_is_asked_for_where_none_is_kept(client, settings, redact, asked):
    settings.REDACT = redact
    assert ("data-notes" in client.get(reverse("chat")).content.decode()) is asked


def test_only_a_page_of_this_site_may_send_it(alice, turn):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    assert strict.post(reverse("feedback"), {"turn": str(turn.pk), "kind": "helpful"}).status_code == 403
    assert strict.get(reverse("feedback")).status_code == 405
    assert not Feedback.objects.exists()


def test_a_turn_that_is_forgotten_meanwhile_takes_none(alices, turn, monkeypatch):
    def forgets(asker):
        conversation_forget(conversation_id=turn.conversation_id)

    monkeypatch.setattr(chat_feedback, "is_too_much", forgets)
    assert say(alices, turn)[0] == 404
    assert not Feedback.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_is_said_several_times_at_once_is_kept_once(turn, alice):
    def accept(number):
        try:
            said = {"turn": turn.pk, **CLAIM, "note": f"Note {number}."}
            chat_feedback.feedback_accept(viewer=viewer_of(alice, None), **said)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as several:
        list(several.map(accept, range(8)))
    assert Feedback.objects.count() == 1


def test_an_export_holds_what_its_reader_said(alices, turn):
    say(alices, turn, **CLAIM, note="He bowed.")
    (row,) = export_rows(Conversation.objects.all())
    (said,) = row["feedback"]
    del said["given_at"]
    assert said == {"kind": "not_said", "citation": 1, "sentence": 1, "note": "He bowed."}
