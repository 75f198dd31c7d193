"""Narrowing a question to a collection, a work, a kind or a language."""

from io import StringIO
from json import loads

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command

from chat.answering import lexical
from chat.answering.ask import operator
from chat.answering.domain.caching import cache_key
from chat.answering.domain.query.asked_scope import AskedScope, BadScope, scope_of
from chat.answering.domain.query.checks import BadMessage
from chat.answering.domain.question import Mode
from chat.answering.payloads import describe_search
from chat.conversations.viewers import viewer_of
from chat.live.protocol import parse_message
from corpus.indexing.terms import refresh_terms
from corpus.models import Chunk, Collection
from tests.factories import a_collection, a_lecture, a_work


def test_a_scope_is_read_part_by_part():
    assert scope_of("") == AskedScope()
    assert scope_of("talks") == AskedScope("talks")
    assert scope_of("talks, work:gita,kind:verse,kind:lecture, language:DE") == AskedScope(
        "talks", ("gita",), ("verse", "lecture"), ("de",)
    )
    assert scope_of("series:Dawn%2C noon and dusk").series == ("Dawn, noon and dusk",)


@pytest.mark.parametrize(
    ("scope", "said"),
    [
        ("kind:song", "a kind is one of lecture, verse, library"),
        ("language:german!", "a language is a code such as de"),
        ("colour:red", "it may hold a collection's key, work:, series:, kind: and language:"),
        ("work:", "a work is named by its key"),
        ("one,two", "more than one collection"),
        ("no such key!", "a collection is named by its key"),
        ("x" * 401, "401 characters"),
    ],
)
def test_a_scope_that_cannot_be_read_says_which_part_and_what_may_stand_there(scope, said):
    with pytest.raises(BadScope, match=said):
        scope_of(scope)
    with pytest.raises(BadMessage, match=said):
        parse_message(f'{{"type": "ask", "question": "Why?", "scope": "{scope}"}}', max_question=99)


def test_answers_of_one_scope_are_not_given_in_another():
    def key(*narrowed_to):
        return cache_key("why", locale="en", mode=Mode.AUTO, collections=(), narrowed_to=narrowed_to, versions={})

    assert len({key(), key("kind:verse"), key("kind:lecture")}) == 3


@pytest.fixture
def corpus(db):
    a_lecture("The soul is eternal, he said.", key="talk")
    a_lecture("Die Seele ist eternal.", key="rede", language="de")
    a_work({"John 1:1": "The soul is eternal in the word."}, key="bible")
    a_work({"Job 1:1": "The soul is eternal in the dust."}, key="closed", collection=a_collection("members"))
    Collection.objects.filter(key="members").update(visibility="members")
    refresh_terms()


def found(viewer):
    stems = ("etern", "eternal")  # in English and in German
    pks = [hit.chunk_id for hit in lexical.lexical_lane([stems], viewer)]
    return set(Chunk.objects.filter(pk__in=pks).values_list("address", flat=True))


def test_a_question_finds_only_what_its_scope_holds(corpus):
    def seen(scope):
        return found(viewer_of(AnonymousUser(), "reader", scope))

    assert seen(None) == {"talk:1", "rede:1", "John 1:1"}
    assert seen("kind:verse") == {"John 1:1"}
    assert seen("kind:lecture,language:de") == {"rede:1"}
    assert seen("library,work:bible") == {"John 1:1"}
    assert describe_search(operator("kind:verse")) == "searching 2 lectures and 2 verses, only what you chose of them"


def test_a_work_that_is_hidden_is_as_one_that_is_not_there(corpus):
    hidden, missing = (viewer_of(AnonymousUser(), "reader", f"work:{key}") for key in ("closed", "nowhere"))
    assert hidden == missing
    assert hidden.collections == ()
    assert found(operator("work:closed")) == {"Job 1:1"}


@pytest.mark.django_db(transaction=True)
def test_search_takes_a_scope_and_says_what_is_not_there(settings):
    settings.CALIBRATIONS_DIR = settings.BASE_DIR / "tests" / "calibrations"
    a_lecture("The soul is eternal, he said.", key="talk")
    a_work({"John 1:1": "The soul is eternal in the word."}, key="bible")
    call_command("index", verbosity=0, stdout=StringIO())
    out = StringIO()
    call_command("search", "eternal soul", "--kind", "verse", "--work", "bible", "--json", stdout=out)
    assert [row["address"] for row in loads(out.getvalue())] == ["John 1:1"]
    with pytest.raises(CommandError, match="no nowhere to search"):
        call_command("search", "soul", "--work", "nowhere")
    with pytest.raises(CommandError, match="a kind is one of"):
        call_command("search", "soul", "--kind", "song")
