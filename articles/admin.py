"""The admin of articles: the compile with its claims marked, its review, and what changed since the last one."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from articles import services
from articles.domain.changes import sentence_changes
from articles.models import PERMISSION, Article
from articles.pages import review_page
from articles.selectors import editable_articles, private_collections
from articles.services import ArticleRefused
from corpus.models import Collection
from lectorium.texts.local_text import local_text

State = Article.State
HISTORY_SHOWN = 20


class ArticleForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Article
        fields = ("topic", "title", "collection")

    def clean_topic(self) -> str:
        topic = " ".join(self.cleaned_data["topic"].split())
        if objection := services.objection_to_topic(topic):
            raise forms.ValidationError(objection)
        return topic


class RiskFilter(admin.SimpleListFilter):
    title = _("risk")
    parameter_name = "risk"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("waits", _("High, not reviewed")), ("high", _("High")), ("medium", _("Medium")), ("low", _("Low"))]

    def queryset(self, request: HttpRequest, articles: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "waits":
            return articles.filter(latest__risk="high", latest__reviewed_at=None)
        return articles.filter(latest__risk=self.value()) if self.value() else articles


@admin.register(Article)
class ArticleAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = ArticleForm
    list_display = ("__str__", "state", "risk", "flagged", "compiled", "updated_at")
    list_filter = ("state", RiskFilter)
    list_select_related = ("latest",)
    list_per_page = 50
    search_fields = ("topic", "title")
    change_form_template = "admin/articles/article/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Article]:
        return editable_articles(request.user).select_related("latest", "published")

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **more: Any) -> Any:
        if db_field.name == "collection":
            more |= {"queryset": Collection.objects.visible_to(request.user), "empty_label": _("Every collection")}
        return super().formfield_for_foreignkey(db_field, request, **more)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **more: Any) -> Any:
        form = super().get_form(request, obj, change, **more)
        if "collection" in form.base_fields:  # without the buttons that add and change collections
            form.base_fields["collection"].widget = form.base_fields["collection"].widget.widget
        return form

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return self.changes_view(request, object_id)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only reviewers change what readers see."""
        return super().has_change_permission(request, obj) and self._may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and self._may_touch(request, obj)

    def get_urls(self) -> list[URLPattern]:
        changes = self.admin_site.admin_view(self.changes_view)
        return [path("<uuid:pk>/changes/", changes, name="articles_article_changes"), *super().get_urls()]

    def save_model(self, request: HttpRequest, obj: Article, form: Any, change: bool) -> None:
        if not change:
            services.article_store(obj, by=request.user)  # type: ignore[arg-type]
            self.message_user(request, _("The worker compiles it now. Reload this page in a minute."), messages.INFO)
        elif form.has_changed():
            services.article_change(article=obj, by=request.user)  # type: ignore[arg-type]

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:articles_article_change", args=[obj.pk]))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        article = self.get_object(request, object_id)
        if article is None:
            return super().change_view(request, object_id, form_url, extra_context)
        steps = self._steps(request, article)
        for name in steps.keys() & request.POST.keys() if request.method == "POST" else ():
            return self._take_step(request, article, steps[name][1])
        context = {**self._shown(article), **(extra_context or {})}
        context["steps"] = [(name, label) for name, (label, __) in steps.items() if name != "_review"]
        context["may_review"] = "_review" in steps
        return super().change_view(request, object_id, form_url, context)

    def changes_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """The latest compile beside the one before it, sentence by sentence, and who did what."""
        article = self.get_object(request, str(pk))
        if article is None:
            raise Http404("There is no such article.")
        if not self.has_view_permission(request, article):
            raise PermissionDenied
        newest, *earlier = [*article.versions.all()[:2]] or [None]
        before = earlier[0] if earlier else None
        context = {
            **self.admin_site.each_context(request),
            "title": _("What changed since the last compile"),
            "opts": self.opts,
            "article": article,
            "newest": newest,
            "before": before,
            "changes": sentence_changes(before.body, newest.body) if before and newest else (),
            "history": article.history.select_related("history_user")[:HISTORY_SHOWN],
        }
        return TemplateResponse(request, "admin/articles/article/changes.html", context)

    @admin.display(description=_("Risk"), ordering="latest__risk")
    def risk(self, article: Article) -> str:
        if article.problem:
            return gettext("not compiled")
        if article.latest is None or not article.latest.risk:
            return gettext("not checked yet")
        risk = local_text(article.latest.risk)
        return gettext("{risk}, reviewed").format(risk=risk) if article.latest.reviewed_at else risk

    @admin.display(description=_("Flagged"))
    def flagged(self, article: Article) -> str:
        counts = article.latest.counts if article.latest else None
        if not counts or not counts.sentences:
            return "–"
        return gettext("{done} of {total}").format(done=counts.flagged, total=counts.sentences)

    @admin.display(description=_("Compiled by"))
    def compiled(self, article: Article) -> str:
        return local_text(article.latest.compiler.partition(" ")[0]) if article.latest else "–"

    def _shown(self, article: Article) -> dict[str, Any]:
        version = article.latest
        return {
            "version": version,
            "page": review_page(version) if version else None,
            "is_shown": article.published_id == article.latest_id and article.state == State.PUBLISHED,
            "private": private_collections(version) if version else [],
        }

    def _steps(
        self, request: HttpRequest, article: Article
    ) -> dict[str, tuple[str, Callable[[HttpRequest, Article], str]]]:
        """The buttons that this editor can press now: {name: (label, what it does)}."""
        if not super().has_change_permission(request, article):
            return {}
        version, may_publish = article.latest, request.user.has_perm(PERMISSION)
        found: dict[str, tuple[str, Callable[[HttpRequest, Article], str]]] = {
            "_compile": (gettext("Compile again"), _compile)
        }
        if version and version.checked_at and may_publish:
            found["_review"] = (gettext("Save the review"), _review)
        if version and may_publish and (article.state != State.PUBLISHED or article.published_id != version.pk):
            found["_publish"] = (gettext("Publish this compile"), _publish)
        if article.state in (State.DRAFT, State.WITHDRAWN):
            found["_submit"] = (gettext("Submit for review"), _submit)
        if article.state == State.IN_REVIEW or (article.state == State.PUBLISHED and may_publish):
            found["_withdraw"] = (gettext("Withdraw"), _withdraw)
        return found

    def _take_step(
        self, request: HttpRequest, article: Article, step: Callable[[HttpRequest, Article], str]
    ) -> HttpResponse:
        try:
            self.message_user(request, step(request, article), messages.SUCCESS)
        except ArticleRefused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
        return HttpResponseRedirect(request.path)

    def _may_touch(self, request: HttpRequest, obj: Any) -> bool:
        return obj is None or obj.state != State.PUBLISHED or request.user.has_perm(PERMISSION)


def _compile(request: HttpRequest, article: Article) -> str:
    services.compile_request(article=article, by=request.user)  # type: ignore[arg-type]
    return gettext("The worker compiles it now. Reload this page in a minute.")


def _review(request: HttpRequest, article: Article) -> str:
    if article.latest is None or str(article.latest.pk) != request.POST.get("version"):
        raise ArticleRefused(gettext("It was compiled again while you looked. Look at the new compile."))
    keep = [int(place) for place in request.POST.getlist("keep") if place.isdecimal()]
    checked = request.POST.get("checked", "")
    services.version_review(version=article.latest, checked=checked, keep=keep, by=request.user)  # type: ignore[arg-type]
    return gettext("Reviewed. Readers see the sentences that passed and those that you keep.")


def _publish(request: HttpRequest, article: Article) -> str:
    services.article_publish(article=article, by=request.user)  # type: ignore[arg-type]
    return gettext("Readers see “{article}” now.").format(article=article)


def _submit(request: HttpRequest, article: Article) -> str:
    services.article_submit(article=article, by=request.user)  # type: ignore[arg-type]
    return gettext("“{article}” is in review now.").format(article=article)


def _withdraw(request: HttpRequest, article: Article) -> str:
    services.article_withdraw(article=article, by=request.user)  # type: ignore[arg-type]
    return gettext("Readers no longer see “{article}”.").format(article=article)
