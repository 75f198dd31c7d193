import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audit.models import TurnAudit
from chat.models import Citation, Conversation, Turn
from chat.prompt_preview import SLOTS
from corpus.models import Chunk
from lectorium.ladder.models import PromptText
from lectorium.ladder.prompts import shipped, shipped_names
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    user = User.objects.create_superuser("boss")
    client.force_login(user)
    return client


def ask(owner=None, question="What is <b>dharma</b>?"):
    conversation = Conversation.objects.create(owner=owner, title=question)
    turn = Turn.objects.create(
        conversation=conversation, question=question, outcome="grounded", answer="It <i>upholds</i>. [1]",
        response={"answer": "It <i>upholds</i>."},
    )  # fmt: skip
    Citation.objects.create(
        conversation=conversation, turn=turn, n=1, chunk_hash="1", kind="lecture", address="lamp:1", title="Lamp",
        quote="It <u>upholds</u>.", char_start=0, char_end=11, verdict="supported",
    )  # fmt: skip
    return turn


def queries_of(client, url):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


@pytest.mark.parametrize("model", ["conversation", "turn"])
def test_a_longer_list_costs_no_more_queries(staff, model):
    owner = User.objects.create_user("alice")
    url = reverse(f"admin:chat_{model}_changelist")
    ask(owner)
    few = queries_of(staff, url)
    for number in range(10):
        ask(owner, f"Question {number}?")
    assert queries_of(staff, url) == few


def test_a_turn_is_shown_whole_and_escaped_and_cannot_be_changed(staff):
    turn = ask()
    url = reverse("admin:chat_turn_change", args=[turn.pk])
    text = staff.get(url).content.decode()
    for shown in ("What is &lt;b&gt;dharma", "It &lt;i&gt;upholds", "It &lt;u&gt;upholds", "lamp:1"):
        assert shown in text
    assert "<i>upholds" not in text
    assert staff.post(url, {"question": "Another?"}).status_code == 403
    assert staff.get(reverse("admin:chat_turn_add")).status_code == 403
    assert staff.post(reverse("admin:chat_turn_delete", args=[turn.pk])).status_code == 403


def test_a_superuser_alone_deletes_a_conversation(staff, client):
    turn = ask()
    url = reverse("admin:chat_conversation_delete", args=[turn.conversation_id])
    editor = User.objects.create_user("editor", is_staff=True)
    editor.user_permissions.set(Permission.objects.filter(content_type__app_label="chat"))
    client.force_login(editor)
    assert client.get(reverse("admin:chat_conversation_change", args=[turn.conversation_id])).status_code == 200
    assert client.post(url, {"post": "yes"}).status_code == 403
    client.force_login(User.objects.get(username="boss"))
    assert client.post(url, {"post": "yes"}).status_code == 302
    assert not Turn.objects.exists()


def prompt_page(turn):
    return reverse("admin:chat_turn_prompt", args=[turn.pk])


def test_a_prompt_is_tried_on_a_stored_turn_without_being_stored(staff):
    turn = ask()
    a_lecture("The lamp & its flame burn steadily.")
    chunk = Chunk.objects.get()
    trace = {"candidates": [{"chunk": str(chunk.pk), "kept": True}]}
    TurnAudit.objects.create(conversation_id=turn.conversation_id, turn=turn, confidence=1.0, trace=trace)
    shown = staff.get(prompt_page(turn)).content.decode()
    assert "[^1]\n| The lamp &amp; its flame burn steadily." in shown
    edited = shipped("synthesize").text.replace("How to write:", "How you write:")
    shown = staff.post(prompt_page(turn), {"text": edited}).content.decode()
    assert shown.count("How you write:") == 2  # in the box, and in what would be sent
    assert not PromptText.objects.exists()


def test_every_prompt_that_ships_can_be_tried_on_a_stored_turn(staff):
    turn = ask()
    turn.response = {
        "sentences": [{"text": "It upholds.", "citations": [1], "claims": [{"text": "It upholds all."}]}],
        "citations": [{"n": 1, "quote": "It <u>upholds</u>."}],
    }
    turn.save()
    a_lecture("The lamp burns steadily.")
    chunk = str(Chunk.objects.get().pk)
    draft = [
        {"text": "The lamp burns.", "withheld": "", "objections": []},
        {"text": "It sings.", "withheld": "unsupported_claims", "objections": [{"reason": "not_mentioned"}]},
    ]
    trace = {
        "candidates": [{"chunk": chunk, "kept": True}],
        "outline": {"theses": [{"text": "Lamps burn", "notes": [7]}], "notes": [{"alias": 7, "chunk": chunk}]},
        "writing": [{"sentences": draft}],
    }
    TurnAudit.objects.create(conversation_id=turn.conversation_id, turn=turn, confidence=1.0, trace=trace)
    expected = {
        "synthesize": "Point from [^1]\n| Lamps burn",
        "outline": "[^1]\n| The lamp burns steadily.",
        "cove": "It sings. — not_mentioned",
        "verify": "Claim\n| It upholds all.",
        "extract_claims": "Sentence\n| It upholds.",
        "suggest": "Passage\n| It &lt; u&gt;upholds",
    }
    never_in_a_turn = {
        "compile_article", "consistency", "contextualize", "extract_facts", "judge", "judge_questions",
        "rephrase", "translate_text",
    }  # fmt: skip
    assert set(SLOTS) == set(shipped_names()) - never_in_a_turn
    for name in SLOTS:
        shown = staff.get(prompt_page(turn), {"name": name}).content.decode()
        assert "errornote" not in shown, name
        assert expected.get(name, "Question\n| What is &lt; b&gt;dharma") in shown, name


def test_a_turn_that_cannot_fill_a_prompt_says_why_and_an_unknown_prompt_is_not_found(staff):
    turn = ask()
    assert "choose another turn" in staff.get(prompt_page(turn), {"name": "cove"}).content.decode()
    assert "choose another turn" in staff.get(prompt_page(turn), {"name": "verify"}).content.decode()
    assert staff.get(prompt_page(turn), {"name": "poem"}).status_code == 404


def test_a_prompt_that_cannot_be_filled_says_why(staff):
    shown = staff.post(prompt_page(ask()), {"text": "# user\n{{question}} {{secret}}"}).content.decode()
    assert "extra secret" in shown


def test_only_who_may_see_prompts_tries_one(client):
    auditor = User.objects.create_user("aud", is_staff=True)
    auditor.user_permissions.add(Permission.objects.get(codename="view_turn"))
    client.force_login(auditor)
    assert client.get(prompt_page(ask())).status_code == 403
