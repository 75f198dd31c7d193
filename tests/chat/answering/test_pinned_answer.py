"""An accepted pin answers with its whole hand-picked set, in its order, under the editors' words."""

import pytest
from django.core.management import call_command

from audit.models import TurnAudit
from chat.answering.ask import ask
from corpus.models import Chunk
from curation.models import PinReference
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking
from tests.factories import a_note, a_pin, a_work, the_schemes

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "How should one work without wanting anything?"
FRAMING = "Four passages, from the plainest to the deepest."


@pytest.fixture
def verses(corpus):
    the_schemes()
    a_work({f"BG 3.{n}": f"This is verse number {n} of the chapter." for n in range(1, 13)}, key="third", title="Gita")
    call_command("index", verbosity=0)


def addresses(response):
    return [citation["address"] for citation in response["citations"]]


@pytest.mark.parametrize("mode", ["instant", "auto", "thinking"])
async def test_every_reference_is_cited_in_the_order_of_the_editors(verses, mode):
    chosen = ["BG 3.9", "first-steps:2", "BG 3.1", "BG 2.47"]
    await in_thread(a_pin, ASKED, chosen, framing=FRAMING)
    response = await ask(ASKED, mode=mode)
    assert (response["outcome"], addresses(response), response["framing"]) == ("grounded", chosen, FRAMING)
    assert response["answer"].startswith(f"**From the editors:** {FRAMING}\n\nThis is verse number 9")
    assert all(FRAMING not in sentence["text"] for sentence in response["sentences"])
    assert [sentence["paragraph"] for sentence in response["sentences"]] == [0, 1, 2, 3]


async def test_no_model_writes_over_a_pin(verses):
    await in_thread(a_pin, ASKED, ["BG 3.2"])
    await give("synthesize")
    with speaking("synthesize", "A model's own words [^1]."):
        response = await ask(ASKED, mode="auto")
    assert [sentence["quoted"] for sentence in response["sentences"]] == [True]


async def test_at_most_eight_references_are_quoted(verses):
    chosen = [f"BG 3.{n}" for n in range(12, 2, -1)]
    await in_thread(a_pin, ASKED, chosen)
    assert addresses(await ask(ASKED)) == chosen[:8]


async def test_a_reference_that_no_longer_resolves_is_never_cited_and_the_others_keep_their_order(verses):
    def withdraw():
        a_pin(ASKED, ["BG 3.9", "BG 3.4", "BG 2.47"])
        Chunk.objects.filter(address="BG 3.4").update(retrievable=False)
        PinReference.objects.create(pin_id=PinReference.objects.first().pin_id, position=3, address="BG 99.99, foo")

    await in_thread(withdraw)
    assert addresses(await ask(ASKED)) == ["BG 3.9", "BG 2.47"]


async def test_a_paragraph_is_quoted_whole_and_nothing_beside_it(corpus):
    await in_thread(a_pin, ASKED, ["first-steps:1"])
    response = await ask(ASKED)
    assert [citation["quote"] for citation in response["citations"]] == [
        "When the first man was made, every angel bowed to him. Only Iblis refused to bow to the newly made man."
    ]


async def test_the_record_says_what_the_pin_did_and_what_the_gate_did_to_a_note(verses):
    await in_thread(a_pin, ASKED, ["BG 3.2"])
    await in_thread(a_note, "Zebras", ["BG 3.3"], triggers=["zebras"])
    await ask(ASKED, record=True)
    response = await ask("Where do zebras sleep in the winter months?", record=True)
    traces = [audit.trace async for audit in TurnAudit.objects.order_by("created_at")]
    assert traces[0]["curated"][0]["effect"] == "Answered the question."
    assert response["outcome"] in {"refused", "closest_passage"}
    assert "but the gate refused" in traces[1]["curated"][0]["effect"]
