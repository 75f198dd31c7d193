"""The search page: what a reader may see, where it stands and which lanes found it; never an answer, never recorded."""

import contextlib
import html
import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import connection, connections
from django.db.backends.signals import connection_created
from django.test import AsyncClient, Client
from django.urls import reverse

from audit.models import TurnAudit
from chat.answering.calibrations import MissingCalibration
from chat.answering.domain.query.asked_scope import LONGEST
from chat.live.admission import OWN, admission_control
from chat.models import Conversation, Turn
from chat.search import page
from corpus.models import Collection, Lecture, Work
from corpus.services import source_withdraw
from lectorium.providers.errors import ProviderError
from tests.factories import a_collection, a_lecture, a_pin

pytestmark = pytest.mark.django_db(transaction=True)
COMPASS = "silver compass almond"


def searched(client, query, status=200, **more):
    response = client.get(reverse("search"), {"q": query, **more})
    assert response.status_code == status
    return response.content.decode()


def results(text):
    """Return (address of the place, heading, quote, what found it) of each result shown."""
    shown = re.findall(r'<li class="result">(.*?)</li>', text, re.DOTALL)
    return [
        (
            re.search(r'<a href="([^"]+)"', result)[1],
            words(re.search(r"<h2>(.*?)</h2>", result, re.DOTALL)[1]),
            words(re.search(r"<blockquote[^>]*>(.*?)</blockquote>", result, re.DOTALL)[1]),
            re.search(r"Found ([^<]+)</p>", result)[1],
        )
        for result in shown
    ]


def words(markup):
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_a_passage_is_shown_word_for_word_with_its_moment_and_what_found_it(client, corpus):
    text = searched(client, "Who refused to bow to the newly made man?")
    url, heading, quote, found = results(text)[0]
    lecture = Lecture.objects.get(title="The First Steps")
    assert url.startswith(f"/lectures/{lecture.pk}/#t=1,")
    assert heading == "The First Steps · 0:01"
    assert quote in lecture.text
    assert "Only Iblis refused to bow" in quote
    assert "by words 1st" in found
    assert "by meaning" in found
    assert "<mark>refused</mark>" in text
    assert "A. Teacher" in text
    assert '<time datetime="1999-05-01">1 May 1999</time>' in text
    assert re.search(r'<blockquote class="extract[^"]*" lang="en" dir="auto">', text)


def test_a_verse_is_found_by_its_address_and_opened_there(client, corpus):
    ((url, heading, quote, found),) = results(searched(client, "BG 2.47"))
    assert url == f"/works/{Work.objects.get().pk}/?at=BG%202.47"
    assert heading.endswith("· BG 2.47")
    assert quote == "The work is yours by right, but never its fruits."
    assert found.startswith("by address")
    assert not re.search(r"address \d", found)


def test_an_address_that_is_not_there_is_named(client, corpus):
    assert re.search(r'<p class="callout" role="status">[^<]*BG 2\.99', searched(client, "BG 2.99"))


def test_what_an_editor_pinned_says_so(client, corpus):
    a_pin("How long do trees live?", ["BG 2.48"])
    found = {heading: found for _, heading, _, found in results(searched(client, "How long do trees live?"))}
    assert "by an editor’s choice" in next(said for heading, said in found.items() if "BG 2.48" in heading)


def test_each_reader_finds_only_what_is_open_to_them(client, corpus, people):
    well = a_collection("well", "restricted")
    a_lecture("A bucket of brass hangs over the well.", key="well", title="The Deep Well", collection=well)
    for name, key in (("alice", "garden"), ("bob", "well")):
        group = Group.objects.create(name=name)
        Collection.objects.get(key=key).groups.add(group)
        people[name].groups.add(group)
    call_command("index", verbosity=0)
    asked = f"{COMPASS} bucket brass well"
    sees = {None: set(), "alice": {"garden"}, "bob": {"well"}, "carol": {"garden", "well"}}
    secrets = {"garden": "The Hidden Garden", "well": "The Deep Well"}
    for name, keys in sees.items():
        text = searched(signed_in(people[name]) if name else client, asked)
        assert {key for key, title in secrets.items() if title in text} == keys
        assert f"{1 + len(keys)} lecture" in text
        found = {heading: by for _, heading, _, by in results(text)}
        ranks = [int(rank) for by in found.values() for rank in re.findall(r"by words (\d+)", by)]
        assert sorted(ranks) == list(range(1, len(ranks) + 1))  # what is hidden takes no place


def test_what_was_withdrawn_is_not_found(client, corpus, people):
    boss = signed_in(people["carol"])
    assert "Hidden Garden" in searched(boss, COMPASS)
    source_withdraw(source=Lecture.objects.get(title="The Hidden Garden"))
    assert "Hidden Garden" not in searched(boss, COMPASS)


def test_where_anonymous_chat_is_off_a_reader_is_sent_to_sign_in_and_back(client, corpus, people, settings):
    settings.ANONYMOUS_CHAT = False
    response = client.get(reverse("search"), {"q": "Iblis"})
    assert response.headers["Location"] == f"{reverse('login')}?next=/search/%3Fq%3DIblis"
    assert results(searched(signed_in(people["bob"]), "Iblis refused"))


def test_a_scope_narrows_and_one_that_is_hidden_is_as_one_that_is_not_there(client, corpus, people):
    only_verses = results(searched(client, "work", scope="kind:verse"))
    assert only_verses
    assert all(url.startswith("/works/") for url, *_ in only_verses)
    hidden, unknown = (searched(client, COMPASS, scope=key) for key in ("garden", "no-such"))
    assert hidden.replace("garden", "no-such") == unknown
    assert "Nothing was found." in hidden
    boss = searched(signed_in(people["carol"]), COMPASS, scope="garden")
    assert '<option value="garden" selected>' in boss
    assert {heading.partition(" · ")[0] for _, heading, _, _ in results(boss)} == {"The Hidden Garden"}


@pytest.mark.parametrize("scope", ["kind:song", "a,b", "no spaces, please", "x" * (LONGEST + 1), "<b>"])
def test_a_scope_that_cannot_be_read_is_told_in_a_sentence(client, corpus, scope):
    text = searched(client, "Iblis", status=400, scope=scope)
    assert re.search(r'role="alert">The scope [^<]+\.</p>', text)
    assert 'value="Iblis"' in text
    assert "<b>" not in text


def test_nothing_is_looked_up_without_words(client, corpus, monkeypatch):
    monkeypatch.setattr(page, "look_up", None)
    for query in ("", "   "):
        text = searched(client, query)
        assert 'id="q"' in text
        assert "callout" not in text


def test_where_nothing_is_like_it_that_is_said(client, corpus):
    text = searched(client, "zzyzx qwfp")
    assert results(text) == []
    assert "Nothing was found in 1 lecture and 2 verses." in text


def test_a_query_too_long_for_a_question_is_too_long_here(client, corpus, settings):
    settings.QUESTION_MAX_CHARS = 30
    text = searched(client, "a" * 31, status=400)
    assert "The question has 31 characters; please keep it to 30, about one thing." in text
    assert "a" * 31 in text
    assert searched(client, "a" * 30)


@pytest.mark.parametrize(
    "query", ["???", "।", "🙂", "'; DROP TABLE", "%", "\\", "a\nb", "‮abc", "hello", "Tell me.", "-"]
)
def test_odd_words_are_searched_like_others(client, corpus, query):
    assert 'id="q"' in searched(client, query)


def test_a_nul_is_refused_as_everywhere(client, corpus):
    assert client.get("/search/?q=a%00b").status_code == 400
    assert client.get("/search/?q=%ff%ed%a0%80").status_code == 200


def test_only_reading_is_allowed(client):
    assert client.post(reverse("search")).status_code == 405


@pytest.mark.usefixtures("transactional_db")
def test_an_empty_corpus_says_so(client):
    assert "There is nothing to search yet." in searched(client, "Iblis")
    assert "There is nothing to search yet." in searched(client, "")


def test_before_the_first_index_run_nothing_is_found_and_nothing_fails(client, transactional_db, settings):
    settings.CALIBRATIONS_DIR = settings.BASE_DIR / "tests" / "calibrations"
    a_lecture("Only Iblis refused to bow.", title="Unindexed")
    assert "Nothing was found in 1 lecture." in searched(client, "Iblis refused")


def test_hostile_words_are_shown_as_words(client, corpus):
    hostile = '<script>hurt()</script> "><img src=x>'
    a_lecture(f"The gate of thorns: {hostile}.", title=hostile, speaker=hostile)
    call_command("index", verbosity=0)
    text = searched(client, f"gate of thorns {hostile}")
    assert "gate of <mark>" in text or "<mark>gate" in text
    assert "<script>hurt" not in text
    assert "<img" not in text


def test_a_search_leaves_no_trace(client, corpus):
    searched(client, "Who refused to bow?")
    searched(client, "zzyzx qwfp")
    assert not any(model.objects.exists() for model in (Turn, Conversation, TurnAudit))
    assert "sessionid" not in client.cookies


@pytest.mark.parametrize("error", [ProviderError("down"), MissingCalibration("never fitted")])
def test_an_index_that_cannot_be_searched_is_told_in_a_sentence(client, corpus, monkeypatch, error):
    async def fail(*_, **__):
        raise error

    monkeypatch.setattr(page, "look_up", fail)
    text = searched(client, "Iblis", status=503)
    assert "Search is not available right now." in text
    assert 'value="Iblis"' in text


def test_a_query_can_be_taken_to_the_chat_as_a_question(client, corpus):
    text = searched(client, "Who refused & why?", scope="kind:lecture")
    url = html.unescape(re.search(r'href="([^"]+)">ask it as a question', text)[1])
    assert url == "/?question=Who+refused+%26+why%3F&scope=kind%3Alecture"
    assert ">Who refused &amp; why?</textarea>" in client.get(url).content.decode()


def cost(client, query):
    """Return how many results a search has and its queries on every connection, also on those of look-ups' threads."""
    counted, connected = [], []

    def count(execute, sql, *rest):
        counted.append(sql)
        return execute(sql, *rest)

    def listen(connection, **_):
        if count not in connection.execute_wrappers:
            connection.execute_wrappers.append(count)
            connected.append(connection)

    listen(connection)
    connection_created.connect(listen)
    try:
        return len(results(searched(client, query))), len(counted)
    finally:
        connection_created.disconnect(listen)
        for watched in connected:
            watched.execute_wrappers.remove(count)


def test_more_results_cost_no_more_queries(client, corpus):
    searched(client, "Iblis refused")  # what is remembered of the corpus is looked up once
    few, queries = cost(client, "Iblis refused")
    for number in range(12):
        a_lecture(f"Iblis refused again, the {number}th time.", key=f"n{number}", title=f"Talk {number}")
    call_command("index", verbosity=0)
    searched(client, "Iblis refused")
    many, queries_for_many = cost(client, "Iblis refused")
    assert few < 4 < 10 < many
    assert queries == queries_for_many < 32


async def fetched(url, client=None):
    response = await (client or AsyncClient()).get(url)
    await sync_to_async(connections.close_all)()  # the view's thread had a connection of its own
    return response


class TestAmongTurns:
    """A search takes a place among the turns of its process, of its reader and of its network."""

    async def test_a_reader_with_as_many_questions_as_allowed_waits(self, corpus, people, settings):
        client = AsyncClient()
        await client.aforce_login(people["alice"])
        reader = client.cookies["sessionid"].value
        with contextlib.ExitStack() as held:
            for _ in range(settings.TURNS_OF_A_READER):
                held.enter_context(admission_control().admitted(reader=reader, address="10.0.0.9"))
            response = await fetched("/search/?q=Iblis", client)
            assert response.status_code == 429
            assert int(response.headers["Retry-After"]) > 0
            assert OWN in response.content.decode()
            assert 'value="Iblis"' in response.content.decode()
            assert (await fetched("/search/", client)).status_code == 200
        assert (await fetched("/search/?q=Iblis", client)).status_code == 200

    async def test_one_address_without_sessions_counts_as_one_reader(self, corpus, settings):
        with contextlib.ExitStack() as held:
            for _ in range(settings.TURNS_OF_A_READER):
                held.enter_context(admission_control().admitted(reader="127.0.0.1", address="127.0.0.1"))
            assert (await fetched("/search/?q=Iblis")).status_code == 429
            made_up = AsyncClient(headers={"cookie": "sessionid=madeupmadeupmadeupmadeupmadeup12"})
            assert (await fetched("/search/?q=Iblis", made_up)).status_code == 429

    async def test_a_place_is_given_back_when_the_search_ends(self, corpus, settings):
        for _ in range(settings.TURNS_OF_A_READER + 1):
            assert (await fetched("/search/?q=Iblis")).status_code == 200
        assert not admission_control()._admitted
