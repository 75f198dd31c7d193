"""The admin of articles: adding, the marked claims, the review, the states, and what changed."""

import re

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from articles.compiling import version_check
from articles.models import Article
from corpus.models import Collection
from tests.articles.compilers import a_boss, again, compiled, compiling
from tests.curation.people import someone

pytestmark = pytest.mark.django_db(transaction=True)
BANYAN = "The banyan tree sometimes lives for five thousand years."
INVENTED = "Solomon planted it in 1863."
DRAFT = f"{BANYAN[:-1]} [^1]. {BANYAN[:-1]} [^1]. {INVENTED[:-1]} [^1]."


@pytest.fixture(autouse=True)
def corpus_is_there(corpus):
    pass


@pytest.fixture
def article():
    with compiling(DRAFT):
        return compiled("banyan tree")


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def form_of(article):
    return reverse("admin:articles_article_change", args=[article.pk])


def press(client, article, **buttons):
    response = client.post(form_of(article), {"topic": article.topic, **buttons}, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def review_of(client, article):
    page = client.get(form_of(article)).content.decode()
    return dict(re.findall(r'<input type="hidden" name="(version|checked)" value="([^"]*)">', page))


def test_an_editor_adds_a_topic_and_is_told_that_it_is_compiled():
    client = client_of(someone("editor"))
    add = reverse("admin:articles_article_add")
    assert "too short" in client.post(add, {"topic": " a "}).content.decode()
    text = client.post(add, {"topic": "banyan   tree"}, follow=True).content.decode()
    assert "The worker compiles it now" in text
    article = Article.objects.get()
    assert article.topic == "banyan tree"
    again(article)
    assert BANYAN in client.get(form_of(article)).content.decode()


def test_each_sentence_is_marked_with_what_the_gate_found(article):
    text = client_of(someone("editor")).get(form_of(article)).content.decode()
    assert text.count('class="is-passed"') == 2
    assert text.count('class="is-flagged"') == 1
    assert "The cited sources do not have this name or number" in text
    assert 'name="keep"' not in text  # that is for reviewers


def test_a_reviewer_keeps_a_sentence_and_publishes(article):
    client = client_of(someone("reviewer"))
    text = press(client, article, _review="1", keep="2", **review_of(client, article))
    assert "Readers see the sentences that passed and those that you keep" in text
    assert "Readers see “banyan tree” now" in press(client, article, _publish="1")
    assert INVENTED in Client().get(reverse("article", args=[article.pk])).content.decode()
    assert "Readers no longer see" in press(client, article, _withdraw="1")


def test_a_review_of_an_older_compile_is_refused(article):
    client = client_of(someone("reviewer"))
    seen = review_of(client, article)
    again(article)
    assert "It was compiled again while you looked" in press(client, article, _review="1", keep="2", **seen)


def test_a_review_of_an_earlier_check_is_refused(article):
    client = client_of(someone("reviewer"))
    seen = review_of(client, article)
    version_check(article.latest_id)
    assert "It was checked again while you looked" in press(client, article, _review="1", keep="2", **seen)


def test_an_editor_can_submit_and_not_publish(article):
    client = client_of(someone("editor"))
    press(client, article, _publish="1")
    article.refresh_from_db()
    assert article.state == "draft"
    assert "in review now" in press(client, article, _submit="1")


def test_what_changed_is_shown_sentence_by_sentence(article):
    changes = reverse("admin:articles_article_changes", args=[article.pk])
    client = client_of(someone("editor"))
    assert "only one compile" in client.get(changes).content.decode()
    with compiling(f"{BANYAN[:-1]} [^1]."):
        again(article)
    text = client.get(changes).content.decode()
    assert f"<del>{INVENTED}</del>" in text
    assert "Compile asked for" in text


def test_an_editor_does_not_see_an_article_from_a_collection_they_may_not_read():
    garden = Collection.objects.get(key="garden")
    article = compiled("silver compass almond tree", a_boss(), collection=garden)
    stranger, gardener = someone("editor", "stranger"), someone("editor", "gardener")
    garden.groups.add(Group.objects.create(name="gardeners"))
    gardener.groups.add(Group.objects.get(name="gardeners"))
    assert client_of(stranger).get(form_of(article)).status_code == 302  # Django's "does not exist"
    assert (
        "silver compass" not in client_of(stranger).get(reverse("admin:articles_article_changelist")).content.decode()
    )
    assert client_of(stranger).get(reverse("admin:articles_article_changes", args=[article.pk])).status_code == 404
    assert "silver compass" in client_of(gardener).get(form_of(article)).content.decode()
