"""The pages of published articles. They work without JavaScript."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from articles.pages import in_languages, reading_page
from articles.selectors import readable_articles
from corpus.catalogue.languages import by_language, languages_of

MOST_TYPED = 200  # characters of a search
ON_A_PAGE = 30


@require_safe
@never_cache
def articles(request: HttpRequest) -> HttpResponse:
    """The articles that the reader may read, filtered by the words of `q`."""
    asked = request.GET.get("q", "").strip()[:MOST_TYPED]
    found = readable_articles(request.user, asked)
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "articles/list.html", {"page": page, "asked": asked})


@require_safe
@never_cache
def article(request: HttpRequest, article_id: UUID) -> HttpResponse:
    """A published article. 404 where the reader may not open every source that it shows."""
    found = readable_articles(request.user).filter(pk=article_id).first()
    if found is None or found.published is None:
        raise Http404("There is no such article.")
    page = in_languages(reading_page(found.published), languages_of(request))
    sources = found.published.sources.filter(is_shown=True)
    context = {
        "article": found,
        "version": found.published,
        "sections": page.sections,
        "left_out": page.left_out,
        "sources": [(source, page.titles.get(source.title)) for source in sources],
    }
    return by_language(render(request, "articles/article.html", context))
