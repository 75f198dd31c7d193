"""Ways around the pages by which something hidden might still show: the cache, old answers, absence, counts."""

import re
from difflib import ndiff

import pytest
from django.core.cache import cache
from django.db import connections
from django.test import Client
from django.utils import timezone

from articles.models import Article
from corpus.models import Collection, Import, Lecture, Work
from corpus.services import source_withdraw
from curation.models import Fact, MemoryNote, PinnedQuestion
from tests.chat.mcp.conftest import assistant
from tests.permissions import site as marked
from tests.permissions.asking import SOUGHT, Asking
from tests.permissions.routes import objects_of
from tests.permissions.tables import rows
from tests.permissions.words import WORDS

OUTSIDERS = ("anonymous", "other reader")
GROUPS = {name: word for name, word in WORDS.items() if name.startswith("GROUPS_")}
# What differs between two requests for one page: ids, the CSRF token, the age of the index, and milliseconds.
OWN_TO_A_REQUEST = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9]{64}|Stand: [^<]*|\"[a-z_]+\": [0-9.]+"
)
LISTS = (
    ("chat", {}), ("conversations", {}), ("lectures", {}), ("lectures", {"q": marked.GROUPS_LECTURE}), ("articles", {}),
    ("articles", {"q": marked.GROUPS_ARTICLE}), ("facts", {}), ("facts", {"q": marked.GROUPS_FACT}),
    ("search", {"q": SOUGHT}), ("search", {"q": marked.GROUPS_LECTURE}), ("search", {"q": f"{marked.GARDEN}:1"}),
    ("search", {"q": "x", "scope": "garden"}), ("api_search", {"q": SOUGHT}), ("readyz", {}),
)  # fmt: skip


@pytest.fixture(autouse=True)
def connections_are_given_back():
    yield
    connections.close_all()


def ask(person, question, **more):
    response = marked.asked_by_program(Client(), person.secret, question, **more)
    assert response.status_code == 200
    return response.json()


def hidden_in(text):
    return [name for name, word in GROUPS.items() if word in str(text).lower()]


def test_an_answer_from_the_cache_is_not_given_to_those_who_may_not_see_its_sources(site):
    for question in (marked.HIDDEN_QUESTION, marked.PINNED_QUESTION):
        for role in ("superuser", "reader"):
            assert hidden_in(ask(site[role], question)), role
        for role in ("other reader", "editor", "auditor"):
            assert hidden_in(ask(site[role], question)) == [], role
    assert len(cache._cache) > 0  # something was kept to be given again


@pytest.mark.parametrize("ends", ["leaves the group", "collection closed", "source withdrawn"])
def test_what_is_hidden_later_is_gone_from_own_threads_exports_links_and_the_cache(site, ends):
    reader, asking = site["reader"], Asking(site, objects_of(site))
    assert hidden_in(ask(reader, marked.HIDDEN_QUESTION))
    if ends == "leaves the group":
        reader.user.groups.clear()
    elif ends == "collection closed":
        Collection.objects.get(key="garden").groups.clear()
    else:
        source_withdraw(source=Lecture.objects.get(key=marked.GARDEN))
    for name in ("conversation", "export", "shared", "api_conversation", "chat", "conversations"):
        thing = "-" if name in {"chat", "conversations"} else "reader's"
        answered = asking.ask("reader", name, "GET", thing)
        assert GROUPS["GROUPS_LECTURE"] not in answered.body.lower(), name
    assert GROUPS["GROUPS_LECTURE"] not in str(ask(reader, marked.HIDDEN_QUESTION)).lower()


def shown(answered):
    return answered.status, OWN_TO_A_REQUEST.sub("-", answered.body)


@pytest.mark.parametrize("role", OUTSIDERS)
def test_what_a_reader_may_not_see_is_answered_like_what_is_not_there(site, role):
    asking, absent, compared = Asking(site, objects_of(site)), {}, 0
    requests = [row for row in rows("pages") if not row.name.startswith(("admin:", "audit"))]
    for row in requests:
        if row.thing == "absent":
            absent[row.name, row.method] = shown(asking.ask(role, row.name, row.method, "absent"))
    for row in requests:
        expected = absent.get((row.name, row.method))
        if expected and row.thing != "absent" and row.statuses[role] == expected[0]:
            compared += 1
            assert shown(asking.ask(role, row.name, row.method, row.thing)) == expected, (row.name, row.thing)
    assert compared > 20


async def test_a_tool_says_of_what_its_caller_may_not_see_what_it_says_of_what_is_not_there(site):
    async with assistant(site["editor"].tokens["publish"]) as caller:
        pin = {"question": "What is a tree?", "references": ["first-steps:3"]}
        for hidden, absent, tool, given in (
            (f"{marked.GARDEN}:1", "absent:1", "resolve_address", lambda key: {"address": key}),
            ("garden", "absent", "draft_pin", lambda key: {**pin, "collection": key}),
            (f"{marked.GARDEN}:1", "absent:1", "draft_pin", lambda key: {**pin, "references": [key]}),
        ):
            told = [await caller.refused(tool, **given(key)) for key in (hidden, absent)]
            assert told[0].replace(hidden, absent) == told[1]


@pytest.mark.parametrize("role", OUTSIDERS)
def test_lists_counts_and_searches_are_those_of_a_site_without_what_is_hidden(site, role):
    asking = Asking(site, objects_of(site))
    before = [shown(asking.get(role, name, query)) for name, query in LISTS]
    for model in (Article, Fact, Import):
        model.objects.all().delete()
    for model in (PinnedQuestion, MemoryNote):
        model.objects.exclude(state="published").delete()
    PinnedQuestion.objects.filter(question=marked.PINNED_QUESTION).delete()
    MemoryNote.objects.filter(title__contains=marked.GROUPS_NOTE).delete()
    for model in (Lecture, Work):
        model.objects.filter(collection__key="garden").delete()
    Lecture.objects.exclude(state="published").delete()
    Collection.objects.filter(key="garden").delete()
    Collection.objects.update(changed_at=timezone.now())  # look-ups are cached by these times
    for (name, query), (status, body) in zip(LISTS, before, strict=True):
        after = shown(asking.get(role, name, query))
        changed = [line for line in ndiff(body.splitlines(), after[1].splitlines()) if line[0] in "+-"]
        assert (after[0], changed) == (status, []), (name, query)
