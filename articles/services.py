"""What editors may do with articles: add, compile, review, submit, publish and withdraw.

Every function checks the rules and raises ArticleRefused, whose message is for the editor.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django_q.tasks import async_task

from articles.domain.halugate import objection_to_publishing
from articles.domain.rules import CompileRules
from articles.models import PERMISSION, Article, ArticleVersion
from articles.selectors import editable_articles
from corpus.domain.text.folding import fold
from corpus.models import Collection
from curation.domain import states
from curation.domain.states import StateStep
from lectorium.texts.local_text import local_text

Editor = AbstractBaseUser
RULES = CompileRules()
State = Article.State


class ArticleRefused(ValueError):
    """The message tells the editor what is wrong and what to do."""


def objection_to_topic(topic: str) -> str:
    """Why this cannot be the topic of an article; "" where it can."""
    if len(fold(topic)) < RULES.topic_chars:
        said = gettext("The topic is too short to search for: use {number} letters or more.")
        return said.format(number=RULES.topic_chars)
    return ""


@transaction.atomic
def article_store(article: Article, *, by: Editor) -> None:
    """Check and store a new article, and queue its compile. Raises ArticleRefused."""
    _check(by, "articles.add_article")
    if objection := objection_to_topic(article.topic):
        raise ArticleRefused(local_text(objection))
    if article.collection and not Collection.objects.visible_to(by).filter(pk=article.collection.pk).exists():
        raise ArticleRefused(gettext("You may not read that collection. Choose one that you may read."))
    _save(article, by, "Added")
    compile_request(article=article, by=by)


@transaction.atomic
def article_change(*, article: Article, by: Editor) -> None:
    """Store a changed topic, title or collection; the next compile uses them. Raises ArticleRefused."""
    locked = _locked(article, by)
    if states.needs_reviewer(locked.state, locked.state):
        _check(by, PERMISSION)
    locked.topic, locked.title, locked.collection = article.topic, article.title, article.collection
    if locked.published:
        locked.search_text = search_text_of(locked, locked.published)
    _save(locked, by, "Changed")


@transaction.atomic
def compile_request(*, article: Article, by: Editor) -> None:
    """Queue a compile from what this editor may read. Raises ArticleRefused."""
    locked = _locked(article, by)
    locked.compiled_for, locked.problem = by, ""  # type: ignore[assignment]
    _save(locked, by, "Compile asked for")
    transaction.on_commit(lambda: async_task("articles.tasks.compile_article", str(locked.pk)))


@transaction.atomic
def version_review(*, version: ArticleVersion, checked: str, keep: Iterable[int], by: Editor) -> None:
    """Record that a reviewer looked at the flagged sentences, and which of them readers may see.

    checked: when the check that the reviewer saw was made, in ISO format. keep: places of sentences in the body.
    Raises ArticleRefused, also where it was checked again since.
    """
    _check(by, PERMISSION)
    article = _locked(version.article, by)
    version.refresh_from_db()
    if version.checked_at is None:
        raise ArticleRefused(gettext("HaluGate has not checked this compile yet. Wait until it has."))
    if version.checked_at.isoformat() != checked:
        raise ArticleRefused(gettext("It was checked again while you looked. Look at what is flagged now."))
    version.body = version.body.keeping(keep)
    version.reviewed_by, version.reviewed_at = by, timezone.now()  # type: ignore[assignment]
    version.save(update_fields=["body_row", "reviewed_by", "reviewed_at"])
    sources_show(version)
    if article.published_id == version.pk:
        article.search_text = search_text_of(article, version)
    _save(article, by, f"Compile {version.number} reviewed")


def article_submit(*, article: Article, by: Editor) -> None:
    """Ask reviewers to publish it. Raises ArticleRefused."""
    _step(states.SUBMIT, article, by)


@transaction.atomic
def article_publish(*, article: Article, by: Editor) -> None:
    """Show the latest compile to readers, also instead of an earlier one. Raises ArticleRefused."""
    _check(by, PERMISSION)
    locked = _locked(article, by)
    version = locked.latest
    if version is None:
        raise ArticleRefused(gettext("It has no compile yet. Wait for the worker, or compile it again."))
    if locked.state == State.PUBLISHED and locked.published_id == version.pk:
        raise ArticleRefused(gettext("Readers see this compile already."))
    objection = objection_to_publishing(
        version.body, version.risk, checked=version.checked_at is not None, reviewed=version.reviewed_at is not None
    )
    if objection:
        raise ArticleRefused(local_text(objection))
    locked.state, locked.published = State.PUBLISHED, version
    locked.search_text = search_text_of(locked, version)
    sources_show(version)
    _save(locked, by, f"Published compile {version.number}")
    article.refresh_from_db()


def article_withdraw(*, article: Article, by: Editor) -> None:
    """Hide it from readers. Raises ArticleRefused."""
    _step(states.WITHDRAW, article, by)


@transaction.atomic
def _step(step: StateStep, article: Article, by: Editor) -> None:
    locked = _locked(article, by)
    if objection := states.objection(step, locked.state):
        raise ArticleRefused(local_text(objection))
    if states.needs_reviewer(locked.state, step.end):
        _check(by, PERMISSION)
    locked.state = step.end
    _save(locked, by, step.done)
    article.refresh_from_db()


def sources_show(version: ArticleVersion) -> None:
    """Mark the sources of the sentences that readers see: they decide who may read the article."""
    shown = {number for sentence in version.body.sentences if sentence.is_readable for number in sentence.numbers}
    version.sources.update(is_shown=False)
    version.sources.filter(number__in=shown).update(is_shown=True)


def search_text_of(article: Article, version: ArticleVersion) -> str:
    """Folded words of what readers see of a version."""
    texts = [article.title, article.topic]
    for section in version.body.sections:
        readable = [sentence.text for sentence in section.sentences if sentence.is_readable]
        texts += [section.heading, *readable] if readable else []
    return " ".join(fold(text) for text in texts if text)


def _locked(article: Article, by: Editor) -> Article:
    """The stored article, locked until the transaction ends, if this editor may change it."""
    _check(by, "articles.change_article")
    locked = editable_articles(by).select_for_update(of=("self",)).filter(pk=article.pk).first()
    if not locked:
        said = gettext("“{article}” was deleted meanwhile, or uses a collection that you may not read.")
        raise ArticleRefused(said.format(article=article))
    return locked


def _check(by: Any, permission: str) -> None:
    if not by.has_perm(permission):
        needed = "reviewer" if permission == PERMISSION else "editor"
        said = gettext("Only members of the group “{name}” may do this. Submit it for review, or ask one.")
        raise ArticleRefused(said.format(name=needed))


def _save(article: Article, by: Any, reason: str) -> None:
    """Store it with a line of its history. by: None for the product itself."""
    article._history_user, article._change_reason = by, reason  # type: ignore[attr-defined]
    article.save()
