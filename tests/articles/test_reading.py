"""Who reads an article: published ones only, those who may open its sources only, and no answer ever."""

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from articles.compiling import version_check
from articles.models import Article
from articles.services import (
    ArticleRefused,
    article_publish,
    article_submit,
    article_withdraw,
    compile_request,
    version_review,
)
from chat.answering.ask import ask
from chat.search.lookup import search
from corpus.models import Collection, Lecture
from corpus.services import source_withdraw
from curation.models import Translation
from curation.translations.services import translation_review, translations_sync
from tests.articles.compilers import a_boss, again, compiled, compiling, published
from tests.curation.people import someone

pytestmark = pytest.mark.django_db(transaction=True)
BANYAN = "The banyan tree sometimes lives for five thousand years."
UNIQUE = "Zanzibar crocodiles compose quarterly symphonies."


@pytest.fixture(autouse=True)
def corpus_is_there(corpus):
    pass


def page(path, user=None, status=200):
    client = Client()
    if user:
        client.force_login(user)
    response = client.get(path)
    assert response.status_code == status
    return response.content.decode()


def reviewed(version, keep):
    version_review(version=version, checked=version.checked_at.isoformat(), keep=keep, by=a_boss())


def article_path(article):
    return reverse("article", args=[article.pk])


def test_a_published_article_is_listed_found_by_its_words_and_read_with_its_places():
    article = published("banyan tree", title="On banyans")
    assert "On banyans" in page(reverse("articles"))
    assert "On banyans" in page(f"{reverse('articles')}?q=thousand+BANYAN")
    assert "No article has all of these words" in page(f"{reverse('articles')}?q=penicillin")
    text = page(article_path(article))
    assert BANYAN in text
    lecture = Lecture.objects.get(key="first-steps")
    assert f"/lectures/{lecture.pk}/#t=11" in text
    assert "never a source" in text


def test_its_headings_places_and_sources_are_titled_in_the_readers_language(settings):
    settings.LOCALES = ["de"]
    article = published("banyan tree", title="On banyans")
    translations_sync(locales=["de"])
    title = Translation.objects.get(part="lecture_title", source=Lecture.objects.get(key="first-steps").title)
    translation_review(row=title, text="Die ersten Schritte", by=None, despite=True)
    german = Client().get(article_path(article), headers={"accept-language": "de"})
    text = german.content.decode()
    assert '<h2 lang="de" dir="auto">Die ersten Schritte</h2>' in text
    assert '<span class="sr" lang="de">Die ersten Schritte</span>' in text
    assert f"Geprüfte Übersetzung von <cite>{title.source}</cite>" in text
    assert "Accept-Language" in german["Vary"]
    assert "Die ersten Schritte" not in page(article_path(article))


@pytest.mark.parametrize("state", ["draft", "in_review", "withdrawn"])
def test_what_is_not_published_is_neither_listed_nor_read(state):
    article = published("banyan tree")
    Article.objects.filter(pk=article.pk).update(state=state)
    page(article_path(article), a_boss(), status=404)
    assert "There are no articles yet" in page(reverse("articles"), a_boss())


def test_an_article_from_a_groups_collection_is_read_by_that_group_only():
    garden = Collection.objects.get(key="garden")
    group = Group.objects.create(name="gardeners")
    garden.groups.add(group)
    article = published("silver compass almond tree", a_boss(), collection=garden, title="On compasses")
    gardener, other = someone("reader", "gardener"), someone("reader", "stranger")
    gardener.groups.add(group)
    assert "silver compass" in page(article_path(article), gardener)
    assert "On compasses" in page(reverse("articles"), gardener)
    for user in (other, None):
        page(article_path(article), user, status=404)
        assert "On compasses" not in page(reverse("articles"), user)
        assert "On compasses" not in page(f"{reverse('articles')}?q=compass", user)


def test_a_withdrawn_source_hides_the_article_at_once():
    article = published("banyan tree")
    source_withdraw(source=Lecture.objects.get(key="first-steps"))
    page(article_path(article), a_boss(), status=404)
    assert "There are no articles yet" in page(reverse("articles"), a_boss())


def test_a_flagged_sentence_is_not_shown_unless_a_reviewer_keeps_it():
    with compiling(f"{BANYAN[:-1]} [^1]. {BANYAN[:-1]} [^1]. {UNIQUE[:-1]} [^1]."):
        article = published("banyan tree")
    assert article.latest.risk == "medium"
    assert UNIQUE not in page(article_path(article))
    assert UNIQUE not in Article.objects.get(pk=article.pk).search_text
    flagged = [n for n, sentence in enumerate(article.latest.body.sentences) if sentence.is_flagged]
    reviewed(article.latest, [*flagged, 0, 99])
    text = page(article_path(article))
    assert UNIQUE in text
    assert "kept by a reviewer" in text


def test_an_articles_own_sentence_is_never_evidence():
    with compiling(f"{BANYAN[:-1]} [^1]. {BANYAN[:-1]} [^1]. {UNIQUE[:-1]} [^1]."):
        article = published("banyan tree")
    flagged = [n for n, sentence in enumerate(article.latest.body.sentences) if sentence.is_flagged]
    reviewed(article.latest, flagged)
    assert UNIQUE in page(article_path(article))
    rows = async_to_sync(search)(UNIQUE, limit=100)
    assert not any("Zanzibar" in row["text"] for row in rows)
    for mode in ("instant", "auto"):
        answer = async_to_sync(ask)(UNIQUE, mode=mode)
        assert "Zanzibar" not in str(answer["answer"]) + str(answer["citations"]) + str(answer["nearest"])
    assert "symphonies" not in page(f"{reverse('search')}?q=Zanzibar+crocodiles").split("<main")[1].split("</form>")[1]


def test_a_high_risk_is_not_published_before_a_reviewer_looked_at_it():
    with compiling(f"{UNIQUE[:-1]} [^1]. {BANYAN[:-1]} [^1]."):
        article = compiled("banyan tree")
    with pytest.raises(ArticleRefused, match="a reviewer has to look"):
        article_publish(article=article, by=a_boss())
    reviewed(article.latest, [])
    article_publish(article=article, by=a_boss())
    text = page(article_path(article))
    assert BANYAN in text
    assert UNIQUE not in text


def test_a_review_of_what_an_earlier_check_flagged_is_refused():
    with compiling(f"{UNIQUE[:-1]} [^1]. {BANYAN[:-1]} [^1]."):
        article = compiled("banyan tree")
    version_check(article.latest_id)
    with pytest.raises(ArticleRefused, match="checked again while you looked"):
        reviewed(article.latest, [0])
    assert not any(sentence.kept for sentence in Article.objects.get(pk=article.pk).latest.body.sentences)


def test_a_compile_that_was_not_checked_is_not_published():
    article = compiled("banyan tree")
    article.latest.__class__.objects.update(checked_at=None)
    with pytest.raises(ArticleRefused, match="has not checked this compile yet"):
        article_publish(article=article, by=a_boss())


def test_readers_see_the_published_compile_until_the_next_one_is_published():
    article = published("banyan tree")
    with compiling(f"Only {BANYAN[0].lower()}{BANYAN[1:-1]} [^1]."):
        compile_request(article=article, by=a_boss())
        newer = again(article)
    assert newer.published_id != newer.latest_id
    assert BANYAN in page(article_path(article))


def test_editors_submit_and_reviewers_publish_and_withdraw():
    editor, reviewer = someone("editor"), someone("reviewer")
    article = compiled("banyan tree", editor)
    with pytest.raises(ArticleRefused, match="group “reviewer”"):
        article_publish(article=article, by=editor)
    article_submit(article=article, by=editor)
    assert article.state == "in_review"
    article_publish(article=article, by=reviewer)
    with pytest.raises(ArticleRefused, match="group “reviewer”"):
        article_withdraw(article=article, by=editor)
    article_withdraw(article=article, by=reviewer)
    with pytest.raises(ArticleRefused, match="nothing to withdraw"):
        article_withdraw(article=article, by=reviewer)
    reasons = list(article.history.values_list("history_change_reason", flat=True))
    assert reasons[:3] == ["Withdrawn", "Published compile 1", "Submitted for review"]
