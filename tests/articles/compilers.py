"""Articles as the worker compiles them, and a chat model that writes what a test tells it to."""

from contextlib import contextmanager

from django.contrib.auth.models import User

from articles.compiling import article_compile, version_check
from articles.models import Article
from articles.services import article_publish, article_store
from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from lectorium.providers import registry
from lectorium.providers.stand_ins.scripted import ScriptedChat
from tests.curation.people import someone

MODEL = "scripted:article"


def a_boss(name="boss"):
    return User.objects.filter(username=name).first() or User.objects.create_superuser(name, f"{name}@site.test")


def article_create(topic, *, by, **facts):
    """A new article, whose first compile is queued."""
    article = Article(topic=topic, **facts)
    article_store(article, by=by)
    return article


def compiled(topic, by=None, **facts):
    """A compiled and checked article, of what every member may read. Runs what the queued jobs would."""
    article = article_create(topic, by=by or someone("reviewer", "compiler"), **facts)
    return again(article)


def again(article):
    version = article_compile(article.pk)
    if version:
        version_check(version.pk)
    return Article.objects.select_related("latest", "published").get(pk=article.pk)


def published(topic, by=None, **facts):
    article = compiled(topic, by, **facts)
    article_publish(article=article, by=a_boss())
    return article


@contextmanager
def compiling(text):
    """Give the job `compile_article` to a model that writes this text."""
    row = Rung.objects.filter(job="compile_article").first() or Rung(job="compile_article", model=MODEL)
    rung_save(rung=row, by="tests")
    registry.replace_model(MODEL, ScriptedChat(text, name=MODEL))
    try:
        yield
    finally:
        registry.replace_model(MODEL, None)
