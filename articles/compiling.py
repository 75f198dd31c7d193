"""Compiles articles and has HaluGate check them, as queued jobs. What a job stores is stored whole or not at all."""

import logging
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from articles.domain.halugate import ArticleRisk, objection_to_publishing
from articles.drafting import ArticleDraft, draft_article
from articles.gate import GateResult, check_body
from articles.material import ArticleMaterial, NothingFound, editor_viewer, find_material
from articles.models import PERMISSION, Article, ArticleSource, ArticleVersion
from articles.selectors import StandingSource, footnotes_of, standing_sources
from articles.services import search_text_of, sources_show
from audit.guards import metric_record
from chat.answering.ask import operator
from chat.answering.calibrations import MissingCalibration
from chat.answering.verifiers import library_of, splitter_for, verifier_for
from corpus.domain.addresses.address import address_key
from corpus.models import Chunk
from lectorium.notices import addresses_with, send_notice
from lectorium.providers.errors import ProviderError

log = logging.getLogger(__name__)
LANGUAGE = "en"  # of the glossary that the gate reads with
PROBLEM_CHARS = 500
NO_EDITOR = "The editor who asked for it no longer exists. Ask for a new compile."
NOT_SEARCHED = "The index cannot be searched now ({error}). Compile it again later."


def article_compile(pk: UUID | str) -> ArticleVersion | None:
    """Compile an article; None where it failed, with the problem on its row."""
    article = Article.objects.filter(pk=pk).select_related("compiled_for", "collection").first()
    if article is None:
        return None
    try:
        if article.compiled_for is None:
            raise NothingFound(NO_EDITOR)
        material = find_material(article.topic, editor_viewer(article.compiled_for, article.collection))
        draft = draft_article(article.topic, material, f"{pk}-{timezone.now():%Y%m%d%H%M}")
    except NothingFound as nothing:
        _failed(article, str(nothing))
        return None
    except (ProviderError, MissingCalibration) as error:
        log.exception("article %s cannot be compiled", pk)
        _failed(article, NOT_SEARCHED.format(error=type(error).__name__))
        return None
    return version_store(article, draft, material)


@transaction.atomic
def version_store(article: Article, draft: ArticleDraft, material: ArticleMaterial) -> ArticleVersion:
    """Store a draft with its sources as the latest, unchecked version."""
    locked = Article.objects.select_for_update(of=("self",)).get(pk=article.pk)
    last = locked.versions.order_by("-number").values_list("number", flat=True).first()
    version = ArticleVersion(
        article=locked, number=(last or 0) + 1, compiler=draft.compiler[:200], strays=draft.strays, remark=draft.remark
    )
    version.body = draft.body
    version.save()
    chunks = [source.passage.chunk_id for source in material.sources]
    collections = dict(Chunk.objects.filter(pk__in=chunks).values_list("pk", "collection_id"))
    ArticleSource.objects.bulk_create(
        ArticleSource(
            version=version, number=source.alias, address=source.passage.address,
            address_key=address_key(source.passage.address), title=source.passage.title,
            collection_id=collections[source.passage.chunk_id], content_hash=source.passage.content_hash,
        )
        for source in material.sources
        if source.passage.chunk_id in collections  # a source deleted meanwhile is gone for the gate too
    )  # fmt: skip
    locked.latest, locked.problem = version, ""
    locked.save(update_fields=["latest", "problem", "updated_at"])
    return version


def version_check(pk: UUID | str) -> ArticleVersion | None:
    """Run HaluGate on a version and store what it found; None where the version is gone.

    Editors are told of a high risk. A published article whose check no longer allows it goes back to review.
    """
    version = ArticleVersion.objects.filter(pk=pk).select_related("article").first()
    if version is None:
        return None
    sources = standing_sources(version)
    notes, gone = footnotes_of(sources)
    author = version.compiler.partition(" ")[0]
    judge = verifier_for("", str(version.pk), author)
    result = check_body(
        version.body, notes, judge, topic=version.article.topic, gone=gone, strays=version.strays,
        library=library_of(operator(), LANGUAGE), split=splitter_for(str(version.pk), author),
    )  # fmt: skip
    _store_result(version, result, sources, judge.name)
    metric_record(metric="article_flag_rate", hits=result.counts.flagged, total=result.counts.sentences)
    return version


def recheck_articles() -> int:
    """Check again each published or waiting version with a changed source; return how many."""
    waiting = Article.objects.exclude(latest=None, published=None)
    rows = waiting.values_list("latest", "published")
    versions = ArticleVersion.objects.filter(pk__in={pk for pair in rows for pk in pair if pk})
    due = [version for version in versions.exclude(checked_at=None) if _has_changed(standing_sources(version))]
    unchecked = list(versions.filter(checked_at=None))
    for version in (*due, *unchecked):
        version_check(version.pk)
    return len(due) + len(unchecked)


@transaction.atomic
def _store_result(version: ArticleVersion, result: GateResult, sources: list[StandingSource], judge: str) -> None:
    article = Article.objects.select_for_update(of=("self",)).get(pk=version.article_id)
    version.body, version.counts, version.risk = result.body, result.counts, result.risk.value
    version.checked_at, version.checked_by = timezone.now(), judge[:200]
    version.reviewed_by = version.reviewed_at = None
    version.save()
    for source in sources:
        stands = source.passage.content_hash if source.passage else ""
        ArticleSource.objects.filter(pk=source.row.pk).update(content_hash=stands)
    sources_show(version)
    is_public = article.published_id == version.pk and article.state == Article.State.PUBLISHED
    is_taken_back = is_public and bool(objection_to_publishing(result.body, result.risk, checked=True, reviewed=False))
    if is_public:
        article.search_text = search_text_of(article, version)
        if is_taken_back:
            article.state = Article.State.IN_REVIEW
            article._change_reason = "Taken back after a check: a source changed"  # type: ignore[attr-defined]
        article.save()
    if result.risk is ArticleRisk.HIGH or is_taken_back:
        _notify(article, version, result)


def _notify(article: Article, version: ArticleVersion, result: GateResult) -> None:
    counts = result.counts
    text = (
        f"“{article}”, compile {version.number}: {counts.flagged} of {counts.sentences} sentences are flagged; "
        f"its risk is {result.risk}. It is not published until a reviewer has looked at it: Admin → Articles."
    )
    to = addresses_with(get_user_model(), PERMISSION)
    send_notice("article.high_risk", "An article needs a review", text, to, {"article": str(article.pk)})


def _has_changed(sources: list[StandingSource]) -> bool:
    return any(source.has_changed for source in sources)


def _failed(article: Article, problem: str) -> None:
    Article.objects.filter(pk=article.pk).update(problem=problem[:PROBLEM_CHARS])
