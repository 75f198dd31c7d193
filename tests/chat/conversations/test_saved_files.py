"""A reader's own conversation as Markdown, HTML and JSON, with what they may see of it on that day."""

import asyncio
import json
import re

import pytest
from django.contrib.auth.models import AnonymousUser, Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.answering.domain.refusals import DISCLAIMER
from chat.conversations.domain.masking import SAYS
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, Turn
from corpus.models import Collection, EmbeddingSpace, Lecture
from corpus.services import source_withdraw
from tests.chat.test_commands import SCHEMA
from tests.chat.turns import run_recorded
from tests.e2e.hostile_words import HOSTILE

ENDINGS = ["md", "html", "json"]
NEAR_ONLY = {
    "weights": {"closeness": 20.0}, "bias": -9.0, "answer_from": 1.1, "outside_below": 0.25, "closest_from": 0.3,
}  # fmt: skip
HIDDEN = "Where did the gardener bury the silver compass?"


@pytest.fixture
def alices(corpus, people):
    """Alice's conversation: an answer from the hidden garden, which she may see, and a refusal."""
    group = Group.objects.create(name="gardeners")
    Collection.objects.get(key="garden").groups.add(group)
    people["alice"].groups.add(group)
    viewer = viewer_of(people["alice"], None)
    first = asyncio.run(run_recorded(HIDDEN, viewer))[0]
    asyncio.run(run_recorded("Who discovered penicillin in London?", viewer, conversation=first.conversation_id))
    return Conversation.objects.get()


@pytest.fixture
def own(client, people, alices):
    client.force_login(people["alice"])
    return client


def saved(client, conversation, ending):
    return client.get(reverse("export", args=[conversation.pk, ending]))


def text_of(client, conversation, ending="md"):
    return saved(client, conversation, ending).content.decode()


def a_stored_turn(owner, **changed):
    values = {"question": "Who?", "outcome": "grounded", "response": {}, "finished_at": timezone.now()} | changed
    conversation = Conversation.objects.create(owner=owner, title=values["question"][:200])
    Turn.objects.create(conversation=conversation, **values)
    return conversation


def test_json_holds_each_turn_in_the_one_schema_and_no_name(own, alices):
    whole = json.loads(text_of(own, alices, "json"))
    answer, refusal = whole["turns"]
    assert set(answer) == {*Turn.objects.earliest("started_at").response, "conversation", "asked_at"} >= SCHEMA
    assert (answer["outcome"], refusal["outcome"]) == ("grounded", "refused")
    assert whole["title"] == HIDDEN
    assert whole["site"] == "http://testserver/"
    assert whole["corpus_version"] == answer["versions"]["corpus"] != ""
    assert "alice" not in json.dumps(whole)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_each_citation_keeps_quote_place_verdict_and_corpus_version_and_a_refusal_has_none(own, alices, ending):
    cited = Turn.objects.earliest("started_at").response
    text = text_of(own, alices, ending)
    answer, refusal = text.split("penicillin", 1)
    for part in ("buried a silver compass under the seventh almond tree.", "Quoted", "The Hidden Garden",
                 f"http://testserver{cited['citations'][0]['url']}", cited["versions"]["corpus"]):  # fmt: skip
        assert part in answer
    assert "No answer from these sources" in refusal
    assert "Searched: 2 lectures" in refusal
    assert "[1]" not in refusal.replace("chip", "")
    assert "Sources" not in refusal


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_is_sent_as_one_and_kept_by_no_cache(own, alices, ending):
    response = saved(own, alices, ending)
    assert response.headers["Content-Disposition"] == (
        f'attachment; filename="lectorium-where-did-the-gardener-bury-the-silver-compass.{ending}"'
    )
    assert {"private", "no-store"} <= set(re.split(", *", response.headers["Cache-Control"]))
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_conversation_of_another_is_as_good_as_none(client, people, alices, ending):
    for login in (None, people["bob"], people["carol"]):
        if login:
            client.force_login(login)
        assert saved(client, alices, ending).status_code == 404
    assert saved(client, Conversation(), ending).status_code == 404


def test_there_is_no_other_format(own, alices):
    assert saved(own, alices, "exe").status_code == 404


def leave_group(alice):
    alice.groups.clear()


def withdraw(alice):
    source_withdraw(source=Lecture.objects.get(title="The Hidden Garden"))


@pytest.mark.parametrize("ends", [leave_group, withdraw])
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_its_reader_may_no_longer_see_is_not_written(own, people, alices, ends, ending):
    ends(people["alice"])
    text = text_of(own, alices, ending)
    assert "almond" not in text
    assert "Hidden Garden" not in text
    assert SAYS.replace(":", "") in text.replace("\\", "").replace(":", "")


@pytest.mark.django_db
def test_an_anonymous_conversation_is_saved_in_its_own_browser_alone(client):
    client.get(reverse("chat"))
    viewer = viewer_of(AnonymousUser(), client.session.session_key)
    conversation = Conversation.objects.create(visitor=viewer.visitor, title="Mine")
    assert saved(client, conversation, "md").status_code == 200
    assert saved(Client(), conversation, "md").status_code == 404


@pytest.mark.django_db
def test_where_anonymous_chat_is_off_a_reader_is_sent_to_sign_in(client, settings):
    settings.ANONYMOUS_CHAT = False
    assert saved(client, Conversation(), "md").headers["Location"].startswith(reverse("login"))


@pytest.mark.django_db
def test_a_running_turn_is_left_out(client, django_user_model):
    alice = django_user_model.objects.create_user("alice")
    conversation = a_stored_turn(alice)
    Turn.objects.create(conversation=conversation, question="And when?")
    client.force_login(alice)
    assert json.loads(text_of(client, conversation, "json"))["turns"][0]["conversation"] == str(conversation.pk)
    for ending in ENDINGS:
        assert "And when?" not in text_of(client, conversation, ending)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_closest_passage_keeps_its_notice_and_its_source_line(client, corpus, people, ending):
    EmbeddingSpace.objects.update(calibration=NEAR_ONLY)
    question = "Who refused to bow to the newly made man?"
    asyncio.run(run_recorded(question, viewer_of(people["alice"], None)))
    client.force_login(people["alice"])
    text = text_of(client, Conversation.objects.get(), ending)
    assert text.count("The closest I found:") == 1
    assert text.index("The closest I found:") < text.index("Iblis refused to bow")
    assert "Word for word from The First Steps, A. Teacher, 0:0" in text
    assert ("**" if ending == "md" else '<mark class="lead">') in text[: text.index("Word for word")]
    assert "No answer from these sources" not in text


@pytest.mark.django_db
@pytest.mark.parametrize("ending", ["md", "html"])
def test_general_knowledge_keeps_its_disclaimer_and_has_no_source(client, django_user_model, ending):
    alice = django_user_model.objects.create_user("alice")
    said = {"text": "Fleming found it.", "kind": "outside", "verdict": "unchecked", "citations": [], "paragraph": 1}
    said |= {"support": 0.0, "quoted": False}
    withheld = {"reason": "uncited", "verdict": "unsupported", "text": "secret words"}
    response = {"sentences": [said], "citations": [], "message": DISCLAIMER, "withheld": [withheld]}
    conversation = a_stored_turn(alice, outcome="out_of_corpus", response=response)
    client.force_login(alice)
    text = text_of(client, conversation, ending).replace("&#x27;", "'")
    assert text.count(DISCLAIMER) == 1
    assert text.index(DISCLAIMER) < text.index("Fleming found it.")
    assert "Sources" not in text
    assert "1 sentence removed by the checks." in text
    assert "secret words" not in text


@pytest.mark.django_db
def test_hostile_words_break_out_of_no_page_and_lead_nowhere(client, django_user_model):
    alice = django_user_model.objects.create_user("alice")
    near = dict.fromkeys(("address", "title", "speaker", "date", "place", "quote", "language"), HOSTILE)
    urls = ("javascript:hurt()", "//evil.example/", "https://evil.example/", "/\\evil.example/", "data:text/html,x")
    response = {"message": HOSTILE, "searched": HOSTILE, "nearest": [{**near, "url": url} for url in urls]}
    conversation = a_stored_turn(alice, question=HOSTILE, outcome="refused", response=response)
    client.force_login(alice)
    page = text_of(client, conversation, "html")
    assert not re.search(r"<(?:script|img|svg|a\b)", page)
    assert "evil.example" not in page + text_of(client, conversation, "md")
    name = saved(client, conversation, "md").headers["Content-Disposition"]
    assert re.fullmatch(r'attachment; filename="lectorium-[a-z0-9-]+\.md"', name)
