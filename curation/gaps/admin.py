"""Knowledge gaps for editors: what readers ask and do not find, from refusal to answer in three clicks."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from audit.models import GapCluster, KnowledgeGap, RegressionCase
from curation.entries import CurationRefused
from curation.gaps.asking_again import cluster_queue_asking
from curation.gaps.page import gap_page
from curation.gaps.pinning import cluster_pin
from curation.gaps.services import cluster_dismiss, cluster_reopen, clusters_join
from lectorium.record_admin import RecordAdmin
from lectorium.texts.local_text import local_text

LABEL_SHOWN = 100  # characters in the list
REFRESH_SECONDS = 2  # while questions are asked again
PIN = "curation.add_pinnedquestion"


class KindFilter(admin.SimpleListFilter):
    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return [(value, local_text(label)) for value, label in KnowledgeGap.Kind.choices]

    def queryset(self, request: HttpRequest, clusters: QuerySet[GapCluster]) -> QuerySet[GapCluster]:
        asked = KnowledgeGap.objects.filter(kind=self.value()).values("cluster")
        return clusters.filter(pk__in=asked) if self.value() else clusters


@admin.register(GapCluster)
class GapClusterAdmin(RecordAdmin):
    list_display = ("label_shown", "times_asked", "question_count", "state", "first_asked", "last_asked")
    list_filter = ("state", KindFilter)
    search_fields = ("gaps__question",)
    actions = ("merge",)
    change_form_template = "admin/audit/gapcluster/page.html"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[GapCluster]:
        return GapCluster.objects.described().select_related("pin", "decided_by")

    def get_ordering(self, request: HttpRequest) -> Any:
        return [F("times").desc(nulls_last=True), F("last_seen").desc(nulls_last=True)]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"title": _("Knowledge gaps"), **(extra_context or {})})

    def get_search_results(self, request: HttpRequest, clusters: Any, term: str) -> tuple[Any, bool]:
        if not term:
            return clusters, False
        asked = KnowledgeGap.objects.filter(question__icontains=term).values("cluster")  # no join: it would count
        return clusters.filter(pk__in=asked), False

    def get_urls(self) -> list[URLPattern]:
        steps = ("pin", "ask", "dismiss", "reopen")
        views = {step: self.admin_site.admin_view(getattr(self, f"{step}_view")) for step in steps}
        own = [path(f"<uuid:cluster_id>/{step}/", view, name=f"gap_{step}") for step, view in views.items()]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        cluster = self.get_object(request, object_id)
        if cluster is None:
            raise Http404("There is no such knowledge gap. Its questions may have been deleted.")
        if not self.has_view_permission(request, cluster):
            raise PermissionDenied
        may_change = self.has_change_permission(request, cluster)
        context = {
            **self.admin_site.each_context(request),
            **gap_page(cluster, request.user),
            "opts": self.opts,
            "title": cluster.label or _("Knowledge gap"),
            "cluster": cluster,
            "may_change": may_change,
            "may_pin": may_change and request.user.has_perm(PIN),
        }
        response = TemplateResponse(request, self.change_form_template, context)
        if cluster.is_asking:
            response["Refresh"] = str(REFRESH_SECONDS)
        return response

    @method_decorator(require_POST)
    def pin_view(self, request: HttpRequest, cluster_id: Any) -> HttpResponse:
        """Open the pin of a gap, filled in."""
        cluster = self._changing(request, cluster_id)
        if not request.user.has_perm(PIN):
            raise PermissionDenied
        try:
            pin = cluster_pin(cluster=cluster, by=request.user)
        except CurationRefused as refusal:
            return self._refused(request, cluster, refusal)
        return HttpResponseRedirect(reverse("admin:curation_pinnedquestion_change", args=[pin.pk]))

    @method_decorator(require_POST)
    def ask_view(self, request: HttpRequest, cluster_id: Any) -> HttpResponse:
        cluster = self._changing(request, cluster_id)
        cluster_queue_asking(cluster=cluster)
        return self._page(cluster)

    @method_decorator(require_POST)
    def dismiss_view(self, request: HttpRequest, cluster_id: Any) -> HttpResponse:
        cluster = self._changing(request, cluster_id)
        try:
            cluster_dismiss(cluster=cluster, because=request.POST.get("because", ""), by=request.user)
        except CurationRefused as refusal:
            return self._refused(request, cluster, refusal)
        self.message_user(
            request, _("Dismissed. Questions like it no longer show among the open gaps."), messages.SUCCESS
        )
        return self._page(cluster)

    @method_decorator(require_POST)
    def reopen_view(self, request: HttpRequest, cluster_id: Any) -> HttpResponse:
        cluster = self._changing(request, cluster_id)
        cluster_reopen(cluster=cluster, by=request.user)
        return self._page(cluster)

    @admin.action(description=_("Merge into one"), permissions=["change"])
    def merge(self, request: HttpRequest, chosen: QuerySet[GapCluster]) -> None:
        try:
            merged = clusters_join(clusters=list(GapCluster.objects.filter(pk__in=chosen.values("pk"))))
        except CurationRefused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return
        self.message_user(
            request, _("Merged; the gap now has %(n)s questions.") % {"n": merged.gaps.count()}, messages.SUCCESS
        )

    def _changing(self, request: HttpRequest, cluster_id: Any) -> GapCluster:
        cluster: GapCluster | None = self.get_object(request, str(cluster_id))
        if cluster is None:
            raise Http404("There is no such knowledge gap. Its questions may have been deleted.")
        if not self.has_change_permission(request, cluster):
            raise PermissionDenied
        return cluster

    def _refused(self, request: HttpRequest, cluster: GapCluster, refusal: CurationRefused) -> HttpResponse:
        self.message_user(request, str(refusal), messages.ERROR)
        return self._page(cluster)

    def _page(self, cluster: GapCluster) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:audit_gapcluster_change", args=[cluster.pk]))

    @admin.display(description=_("Asked about"))
    def label_shown(self, cluster: Any) -> str:
        return cluster.label[:LABEL_SHOWN] if cluster.label else "–"

    @admin.display(description=_("Asked"), ordering="times")
    def times_asked(self, cluster: Any) -> str:
        return ngettext("%(n)s time", "%(n)s times", cluster.times) % {"n": cluster.times}

    @admin.display(description=_("Questions"), ordering="questions")
    def question_count(self, cluster: Any) -> int:
        return int(cluster.questions)

    @admin.display(description=_("First asked"), ordering="first_seen")
    def first_asked(self, cluster: Any) -> Any:
        return cluster.first_seen

    @admin.display(description=_("Last asked"), ordering="last_seen")
    def last_asked(self, cluster: Any) -> Any:
        return cluster.last_seen


@admin.register(RegressionCase)
class RegressionCaseAdmin(RecordAdmin):
    """Questions that must stay answered. A case is retired by unticking it."""

    list_display = ("__str__", "active", "passed", "outcome", "checked_at", "created_at")
    list_filter = ("active", "passed")
    search_fields = ("question",)
    fields = ("question", "active", "wanted", "pin", "passed", "outcome", "checked_at", "created_at")
    readonly_fields = ("question", "wanted", "pin", "passed", "outcome", "checked_at", "created_at")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    @admin.display(description=_("Must cite one of"))
    def wanted(self, case: RegressionCase) -> str:
        return ", ".join(case.references) or "–"
