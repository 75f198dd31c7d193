"""Facts, and contradictions between them, which an editor settles with both sides in view."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminTextareaWidget
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet, TextField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from corpus.catalogue.links import clip_url, place_url
from corpus.domain.passage import Passage
from corpus.domain.scope import Scope
from corpus.models import Collection
from curation.facts.reading import due_chunks
from curation.facts.selectors import fact_progress, where_it_stands
from curation.facts.tables import FactResource
from curation.facts.tasks import compare_soon
from curation.forms import FactForm
from curation.models import Contradiction, Fact, FactScan
from curation.services import CannotSupersede, contradiction_resolve, fact_supersede
from curation.tables import TableAdmin

Decision = Contradiction.Decision
# An editor's decisions by button name.
DECISIONS = {"keep_first": Decision.FIRST, "keep_second": Decision.SECOND, "both_stand": Decision.IN_CONTEXT}


@dataclass(frozen=True, slots=True)
class Side:
    """One fact of a contradiction. passage is None where its evidence is gone; place and clip are URLs or "".

    standing: what was decided of it, or "".
    """

    said: str
    standing: str
    fact: Fact
    passage: Passage | None
    place: str = ""
    clip: str = ""


def _side(said: str, standing: str, fact: Fact, scope: Scope) -> Side:
    """The fact with its URLs, if its source is within the editor's scope."""
    passage = where_it_stands(fact, scope)
    if not passage:
        return Side(said, standing, fact, where_it_stands(fact))
    start = passage.text.index(fact.evidence)
    span = (start, start + len(fact.evidence))
    return Side(said, standing, fact, passage, place_url(passage, span), clip_url(passage, span) or "")


def _standing(linked: Contradiction, fact: Fact, decided: str) -> str:
    if fact.superseded_by_id:
        return gettext("superseded")
    if linked.decision == Decision.IN_CONTEXT:
        return gettext("holds in context")
    return gettext("authoritative") if linked.decision == decided else ""


class StateFilter(admin.EmptyFieldListFilter):
    """Filters by an empty or filled field, with labels of its own."""

    names: ClassVar[tuple[Any, Any, Any]]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = _("state")

    def choices(self, changelist: Any) -> Iterator[Any]:
        for name, choice in zip(self.names, super().choices(changelist), strict=True):
            yield {**choice, "display": name}


class CountingFilter(StateFilter):
    names = (_("All"), _("In force"), _("Superseded"))


class OpenFilter(StateFilter):
    names = (_("All"), _("Open"), _("Settled"))


@admin.register(Fact)
class FactAdmin(TableAdmin):
    form = FactForm
    resource_classes: ClassVar[list[Any]] = [FactResource]
    change_list_template: Any = "admin/curation/fact/list.html"
    list_display = ("content", "subject", "address", "confidence", "counts", "by_whom", "updated_at")
    list_filter = (("superseded_by", CountingFilter), "kind", "grounding")
    list_per_page = 50
    search_fields = ("subject", "predicate", "object", "content", "address", "evidence")
    autocomplete_fields = ("superseded_by",)
    fields = (*FactForm.Meta.fields, "stands", "created_at", "updated_at")
    readonly_fields = ("stands", "created_at", "updated_at")

    def get_urls(self) -> list[URLPattern]:
        compare = path("compare/", require_POST(self.admin_site.admin_view(self.compare)), name="facts_compare")
        return [compare, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        context = {
            "progress": fact_progress(due_chunks()),
            "scan": FactScan.objects.first(),
            "may_compare": self.has_change_permission(request),
        }
        return super().changelist_view(request, {**context, **(extra_context or {})})  # type: ignore[no-any-return]

    def compare(self, request: HttpRequest) -> HttpResponse:
        """Queue a consistency scan."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        compare_soon()
        self.message_user(
            request, _("The facts are compared in the background. What is done about them is listed here.")
        )
        return HttpResponseRedirect(reverse("admin:curation_factchange_changelist"))

    @admin.display(description=_("Read by"), ordering="author")
    def by_whom(self, fact: Fact) -> str:
        return fact.author or gettext("an editor")

    def save_model(self, request: HttpRequest, obj: Fact, form: Any, change: bool) -> None:
        if form.changed_data:
            obj.compared_at = None  # the next scan compares it again
        if not obj.superseded_by:
            obj.superseded_because = Fact.Because.NOTHING
        super().save_model(request, obj, form, change)
        if obj.superseded_by and "superseded_by" in form.changed_data:
            fact_supersede(fact=obj, by=obj.superseded_by)

    @admin.display(description=_("In force"), boolean=True, ordering="superseded_by")
    def counts(self, fact: Fact) -> bool:
        return fact.superseded_by_id is None

    @admin.display(description=_("Status"))
    def stands(self, fact: Fact) -> str:
        if fact._state.adding:
            return "–"
        if fact.superseded_by and fact.superseded_because == Fact.Because.EQUIVALENT:
            same = _("Says the same as “%(fact)s”, which is used in answers with the words of both sources.")
            return same % {"fact": fact.superseded_by}
        if fact.grounding == Fact.Grounding.QUEUED:
            return gettext("Waits for a verifier: not used in answers.")
        if fact.superseded_by:
            return gettext("Superseded by another fact: not used in answers.")
        if where_it_stands(fact):
            return gettext("Its evidence is found at its address: used in answers.")
        return gettext("Its evidence is no longer found at its address: not used in answers.")


@admin.register(Contradiction)
class ContradictionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("first", "second", "note", "decision", "resolved_at", "created_at")
    list_filter = (("resolved_at", OpenFilter), "decision")
    list_select_related = ("one", "other")
    list_per_page = 50
    search_fields = ("one__subject", "one__content", "other__content", "note")
    autocomplete_fields = ("one", "other")
    formfield_overrides: ClassVar[dict[Any, Any]] = {TextField: {"widget": AdminTextareaWidget(attrs={"rows": 3})}}
    change_form_template = "admin/curation/contradiction/change_form.html"
    actions: Any = tuple(DECISIONS)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("note", "context", "settled", "created_at") if obj else ("one", "other", "note")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("settled", "created_at") if obj else ()

    @admin.display(description=_("State"))
    def settled(self, contradiction: Contradiction) -> str:
        if not contradiction.resolved_at:
            return gettext("Open: an answer that shows one side shows the other too.")
        when = date_format(timezone.localtime(contradiction.resolved_at), gettext("j F Y, H:i"))
        by = gettext("Settled by {who}") if contradiction.resolved_by else gettext("Settled")
        decided = contradiction.decision and contradiction.get_decision_display()
        how = decided or gettext("One side was superseded")
        return f"{by.format(who=contradiction.resolved_by)}, {when}. {how}."

    @admin.display(description=_("The first"), ordering="one__content")
    def first(self, contradiction: Contradiction) -> str:
        return f"{contradiction.one} ({contradiction.one.address})"

    @admin.display(description=_("The second"), ordering="other__content")
    def second(self, contradiction: Contradiction) -> str:
        return f"{contradiction.other} ({contradiction.other.address})"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        decisions = {name: decision.label for name, decision in DECISIONS.items()}
        context = {"decisions": decisions, "sides": self._sides(request, object_id), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def _sides(self, request: HttpRequest, object_id: str) -> list[Side]:
        linked = self.get_object(request, object_id)
        if not linked or not self.has_view_permission(request, linked):
            return []
        open_to = Collection.objects.keys_visible_to(request.user)
        both = (
            (gettext("The first"), linked.one, Decision.FIRST),
            (gettext("The second"), linked.other, Decision.SECOND),
        )
        return [_side(said, _standing(linked, fact, decided), fact, Scope(open_to)) for said, fact, decided in both]

    def response_change(self, request: HttpRequest, obj: Contradiction) -> HttpResponse:
        for name in DECISIONS.keys() & request.POST.keys():
            self._decide(request, [obj], name)
            return HttpResponseRedirect(request.path)
        return super().response_change(request, obj)

    @admin.action(description=_("The first is authoritative: the second is superseded"), permissions=["change"])
    def keep_first(self, request: HttpRequest, chosen: QuerySet[Contradiction]) -> None:
        self._decide(request, chosen, "keep_first")

    @admin.action(description=_("The second is authoritative: the first is superseded"), permissions=["change"])
    def keep_second(self, request: HttpRequest, chosen: QuerySet[Contradiction]) -> None:
        self._decide(request, chosen, "keep_second")

    @admin.action(description=_("Both hold, in context"), permissions=["change"])
    def both_stand(self, request: HttpRequest, chosen: QuerySet[Contradiction]) -> None:
        self._decide(request, chosen, "both_stand")

    def _decide(self, request: HttpRequest, chosen: Any, decision: str) -> None:
        settled = 0
        for contradiction in chosen:
            try:
                settled += contradiction_resolve(
                    contradiction=contradiction, decision=DECISIONS[decision], by=request.user
                )
            except CannotSupersede as error:
                self.message_user(request, _("Left open: %(why)s") % {"why": error}, messages.ERROR)
        self.message_user(
            request, _("%(n)s settled.") % {"n": settled}, messages.SUCCESS if settled else messages.WARNING
        )
