"""What the asked scope does not prove stays withheld; where else it is said is named to who may know of that place."""

import pytest
from django.contrib.auth.models import AnonymousUser

from chat.conversations.viewers import viewer_of
from corpus.models import Collection, Lecture
from corpus.services import source_withdraw
from corpus.services.collections import DEFAULT_COLLECTION
from lectorium.threads import in_thread
from tests.chat.answering.test_writing import GOOD, HIDDEN, QUESTION
from tests.chat.authors import give, speaking
from tests.chat.turns import run_recorded

pytestmark = pytest.mark.django_db(transaction=True)

BURIED = "The gardener buried a silver compass under the seventh almond tree"
DRAFT = f"{GOOD} {BURIED} [^1]. {HIDDEN}"


async def answered(user, draft=DRAFT, *, mode="auto", scope=DEFAULT_COLLECTION):
    """Return the ended turn and the events of a question within a scope."""
    await give("synthesize")
    viewer = await in_thread(viewer_of, user, "reader", scope)
    with speaking("synthesize", draft):
        return await run_recorded(QUESTION, viewer, mode=mode)


def reasons(ended):
    return [(withheld["reason"], withheld["found_in"]) for withheld in ended.response()["withheld"]]


async def test_a_source_outside_the_scope_is_named_and_its_sentence_stays_withheld(corpus, people):
    garden = await in_thread(Collection.objects.get, key="garden")
    ended, events = await answered(people["carol"])
    where = f"The Hidden Garden ({garden.title})"
    assert reasons(ended) == [("other_scope", where), ("unsupported_claims", "")]
    assert [event.found_in for event in events if event.type == "withheld"] == [where, ""]
    assert "compass" not in ended.response()["answer"]
    assert ended.validation()["removed"] == 2


async def test_an_uncited_sentence_is_looked_for_too(corpus, people):
    ended, _ = await answered(people["carol"], f"{GOOD} {BURIED}.")
    assert [reason for reason, _ in reasons(ended)] == ["other_scope"]


async def test_who_may_not_know_of_a_collection_hears_nothing_of_it(corpus, people):
    await in_thread(Collection.objects.create, key="open", title="Open")
    for user in (AnonymousUser(), people["bob"]):
        ended, events = await answered(user)
        assert ended.question.viewer.elsewhere
        assert {reason for reason, _ in reasons(ended)} == {"unsupported_claims"}
        assert "Garden" not in str(ended.response()) + str(events)


async def test_what_was_withdrawn_is_not_named(corpus, people):
    await in_thread(lambda: source_withdraw(source=Lecture.objects.get(title="The Hidden Garden")))
    ended, _ = await answered(people["carol"])
    assert {reason for reason, _ in reasons(ended)} == {"unsupported_claims"}


async def test_a_forged_quotation_stays_one_wherever_its_words_stand(corpus, people):
    ended, _ = await answered(people["carol"], f"{GOOD} He said: “{BURIED}” [^1].")
    assert reasons(ended) == [("SNIPPET_MISMATCH", "")]


async def test_three_sentences_of_a_turn_are_looked_for_and_no_more(corpus, people):
    ended, _ = await answered(people["carol"], f"{GOOD} " + f"{HIDDEN} " * 3 + f"{BURIED} [^1].")
    assert len(ended.trace["elsewhere"]) == 3
    assert {reason for reason, _ in reasons(ended)} == {"unsupported_claims"}


async def test_nothing_is_looked_for_without_a_scope_or_in_instant_mode(corpus, people):
    for choice in ({"scope": None}, {"mode": "instant"}):
        ended, _ = await answered(people["carol"], **choice)
        assert "elsewhere" not in ended.trace


async def test_a_look_up_that_fails_changes_nothing(corpus, people, monkeypatch):
    async def broken(*args):
        raise OSError("no disk today")

    monkeypatch.setattr("chat.answering.other_scopes.retrieve_candidates", broken)
    ended, _ = await answered(people["carol"])
    assert {reason for reason, _ in reasons(ended)} == {"unsupported_claims"}
    assert len(ended.sentences) == 2


def test_a_scope_that_is_hidden_leaves_out_as_much_as_one_that_is_not_there(corpus):
    hidden, missing = (viewer_of(AnonymousUser(), "reader", scope) for scope in ("garden", "nowhere"))
    assert hidden == missing
    assert hidden.elsewhere == ()
