from datetime import date

import pytest
from django.urls import reverse

from corpus.services.publishing import source_withdraw
from curation.models import Fact
from curation.services import fact_supersede
from tests.curation.fact_rows import a_contradiction, a_fact
from tests.factories import a_collection, a_lecture, a_timed_lecture

pytestmark = pytest.mark.django_db

OLD = "The banyan lives for five thousand years."
YOUNG = "No banyan is older than three hundred years."


def page(client, **query):
    return client.get(reverse("facts"), query).content.decode()


def test_a_fact_is_shown_with_its_words_its_place_and_its_clip(client):
    a_timed_lecture((OLD, 3, 7), key="old", title="Trees")
    a_fact("It lives long.", "old:1", OLD)
    shown = page(client)
    assert "It lives long." in shown
    assert OLD in shown
    assert "#t=3,7" in shown


def test_both_sides_of_a_contradiction_are_shown_and_only_where_both_may_be_seen(client):
    a_lecture(OLD, key="old")
    young = a_lecture(YOUNG, key="young")
    a_contradiction(a_fact("Millennia.", "old:1", OLD), a_fact("Centuries.", "young:1", YOUNG))
    assert "Sources disagree about" in page(client)
    young.collection = a_collection("members", "members")
    young.save()
    young.chunks.update(collection=young.collection)
    shown = page(client)
    assert "Centuries." not in shown
    assert "Sources disagree about" not in shown


def test_a_day_shows_what_held_then(client):
    a_lecture(OLD, YOUNG, key="talk")
    old = a_fact("Then.", "talk:1", OLD, valid_from=date(2020, 1, 1))
    fact_supersede(fact=old, by=a_fact("Now.", "talk:2", YOUNG, valid_from=date(2021, 4, 5)))
    assert "Then." not in page(client)
    shown = page(client, on="2020-06-01")
    assert "Then." in shown
    assert "Now." not in shown
    assert "until <time" in shown
    assert "No fact held on 1 June 2019" in page(client, on="2019-06-01")
    assert "Now." in page(client, on="last year")


def test_superseded_facts_and_those_of_withdrawn_sources_are_not_shown(client):
    lecture = a_lecture(OLD, key="old")
    new, old = a_fact("New.", "old:1", OLD), a_fact("Old.", "old:1", OLD)
    Fact.objects.filter(pk=old.pk).update(superseded_by=new)
    assert "Old." not in page(client)
    assert "New." in page(client, q="banyan")
    assert "No fact has" in page(client, q="oak")
    source_withdraw(source=lecture)
    assert "New." not in page(client)
