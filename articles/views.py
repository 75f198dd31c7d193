"""The pages of published articles. They work without JavaScript."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from articles.pages import reading_page
from articles.selectors import readable_articles

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
    page = reading_page(found.published)
    context = {
        "article": found,
        "version": found.published,
        "sections": page.sections,
        "left_out": page.left_out,
        "sources": found.published.sources.filter(is_shown=True),
    }
    return render(request, "articles/article.html", context)
