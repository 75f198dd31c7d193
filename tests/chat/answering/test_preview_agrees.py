"""What editors see when they try a question is what a turn does; its record says which pin answered."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from audit.models import TurnAudit
from chat.answering.ask import ask
from chat.models import Turn
from corpus.models import GlossaryEntry
from corpus.selectors import ANYWHERE
from curation.models import PinnedQuestion
from curation.preview import REPLIED, preview_match
from lectorium.threads import in_thread
from tests.factories import a_note, a_pin

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "How should one work without wanting anything?"
TREE = "How long does the banyan tree live?"


@pytest.fixture
def entries(corpus):
    GlossaryEntry.objects.all().delete()
    GlossaryEntry.objects.create(term="soul", synonyms="jīva")
    a_pin(TREE, ["first-steps:2"])
    a_pin(ASKED, ["BG 2.48", "BG 2.47"])
    a_note("Of living beings", ["BG 2.47"], triggers=["jiva"])


def previewed(question):
    rows = preview_match(question, language="en", scope=ANYWHERE)
    return {
        str(row.entry): (round(row.similarity, 4), round(row.threshold, 4)) for row in rows if row.accepted or row.near
    }


@pytest.mark.parametrize(
    ("question", "met"),
    [
        ("How long does the bayan tree live?", TREE),  # its spelling is corrected
        ("What is the soul?", "Of living beings"),  # the glossary knows another word for it
        ("So how should one work without wanting anything?", ASKED),
        ("Where do zebras sleep in winter?", ""),
    ],
)
async def test_a_question_meets_the_same_entries_when_it_is_tried_and_when_it_is_asked(entries, question, met):
    tried = await in_thread(previewed, question)
    await ask(question, record=True)
    (audit,) = [audit async for audit in TurnAudit.objects.all()]
    took_part = audit.trace["curated"]
    assert {entry["entry"]: (entry["similarity"], entry["bar"]) for entry in took_part} == tried
    titles = [entry["title"] for entry in took_part]
    assert met in titles if met else not titles
    answered = [entry["title"] for entry in took_part if entry["answered"]]
    assert answered == ([met] if met in (TREE, ASKED) else [])


async def test_a_question_with_a_reply_of_its_own_meets_nothing(entries):
    await in_thread(a_pin, "Hello!", ["BG 2.47"])
    response = await ask("Hello!")
    rows = await in_thread(preview_match, "Hello!", language="en", scope=ANYWHERE)
    assert response["outcome"] == "no_retrieval"
    assert not any(row.accepted for row in rows)
    assert {row.reason for row in rows} == {REPLIED}


async def test_the_admin_names_the_pin_that_answered_also_when_the_answer_is_given_again(entries, async_client):
    await async_client.aforce_login(await User.objects.acreate_superuser("boss"))
    for _ in range(2):
        await ask(TREE, record=True)
    pin = await PinnedQuestion.objects.aget(question=TREE)
    first, again = [audit async for audit in TurnAudit.objects.order_by("created_at")]
    for audit in (first, again):
        turn = await Turn.objects.aget(pk=audit.turn_id)
        for page in ("admin:audit_turnaudit_change", "admin:chat_turn_change"):
            shown = await async_client.get(reverse(page, args=[audit.pk if "audit" in page else turn.pk]))
            text = shown.content.decode()
            assert reverse("admin:curation_pinnedquestion_change", args=[pin.pk]) in text
            assert "Answered the question." in text
            assert "<td>1.0000</td>" in text
            assert ("The answer was given before." in text) == (audit == again and "cached" in again.trace)
    assert "cached" in again.trace
