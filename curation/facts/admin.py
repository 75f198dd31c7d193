"""Facts, and contradictions between them, which an editor settles with both sides in view."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from corpus.catalogue.links import clip_url, place_url
from corpus.domain.passage import Passage
from corpus.domain.scope import Scope
from corpus.models import Collection
from curation.facts.selectors import where_it_stands
from curation.forms import FactForm
from curation.models import Contradiction, Fact
from curation.services import CannotSupersede, contradiction_resolve, fact_supersede

Chosen = Callable[[Contradiction], Fact | None]
# An editor's decisions by button name; None keeps both sides.
DECISIONS: dict[str, tuple[str, Chosen]] = {
    "keep_first": ("Keep the first", lambda contradiction: contradiction.one),
    "keep_second": ("Keep the second", lambda contradiction: contradiction.other),
    "both_stand": ("Keep both", lambda contradiction: None),
}


@dataclass(frozen=True, slots=True)
class Side:
    """One fact of a contradiction. passage is None where its evidence is gone; place and clip are URLs or ""."""

    said: str
    fact: Fact
    passage: Passage | None
    place: str = ""
    clip: str = ""


def _side(said: str, fact: Fact, scope: Scope) -> Side:
    """The fact with its URLs, if its source is within the editor's scope."""
    passage = where_it_stands(fact, scope)
    if not passage:
        return Side(said, fact, where_it_stands(fact))
    start = passage.text.index(fact.evidence)
    span = (start, start + len(fact.evidence))
    return Side(said, fact, passage, place_url(passage, span), clip_url(passage, span) or "")


class StateFilter(admin.EmptyFieldListFilter):
    """Filters by an empty or filled field, with labels of its own."""

    names: ClassVar[tuple[str, str, str]]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = "state"

    def choices(self, changelist: Any) -> Iterator[Any]:
        for name, choice in zip(self.names, super().choices(changelist), strict=True):
            yield {**choice, "display": name}


class CountingFilter(StateFilter):
    names = ("All", "In force", "Superseded")


class OpenFilter(StateFilter):
    names = ("All", "Open", "Settled")


@admin.register(Fact)
class FactAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = FactForm
    list_display = ("content", "subject", "address", "confidence", "counts", "updated_at")
    list_filter = (("superseded_by", CountingFilter),)
    list_per_page = 50
    search_fields = ("subject", "predicate", "object", "content", "address", "evidence")
    autocomplete_fields = ("superseded_by",)
    fields = (*FactForm.Meta.fields, "stands", "created_at", "updated_at")
    readonly_fields = ("stands", "created_at", "updated_at")

    def save_model(self, request: HttpRequest, obj: Fact, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if obj.superseded_by and "superseded_by" in form.changed_data:
            fact_supersede(fact=obj, by=obj.superseded_by)

    @admin.display(description="In force", boolean=True, ordering="superseded_by")
    def counts(self, fact: Fact) -> bool:
        return fact.superseded_by_id is None

    @admin.display(description="Status")
    def stands(self, fact: Fact) -> str:
        if fact._state.adding:
            return "–"
        if fact.superseded_by:
            return "Superseded by another fact: not used in answers."
        if where_it_stands(fact):
            return "Its evidence is found at its address: used in answers."
        return "Its evidence is no longer found at its address: not used in answers."


@admin.register(Contradiction)
class ContradictionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("first", "second", "note", "resolved_at", "created_at")
    list_filter = (("resolved_at", OpenFilter),)
    list_select_related = ("one", "other")
    list_per_page = 50
    search_fields = ("one__subject", "one__content", "other__content", "note")
    autocomplete_fields = ("one", "other")
    change_form_template = "admin/curation/contradiction/change_form.html"
    actions: Any = tuple(DECISIONS)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("note", "created_at", "resolved_at") if obj else ("one", "other", "note")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("created_at", "resolved_at") if obj else ()

    @admin.display(description="The first", ordering="one__content")
    def first(self, contradiction: Contradiction) -> str:
        return f"{contradiction.one} ({contradiction.one.address})"

    @admin.display(description="The second", ordering="other__content")
    def second(self, contradiction: Contradiction) -> str:
        return f"{contradiction.other} ({contradiction.other.address})"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        decisions = {name: said for name, (said, _) in DECISIONS.items()}
        context = {"decisions": decisions, "sides": self._sides(request, object_id), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def _sides(self, request: HttpRequest, object_id: str) -> list[Side]:
        linked = self.get_object(request, object_id)
        if not linked or not self.has_view_permission(request, linked):
            return []
        open_to = tuple(Collection.objects.visible_to(request.user).values_list("pk", flat=True))
        both = (("The first", linked.one), ("The second", linked.other))
        return [_side(said, fact, Scope(open_to)) for said, fact in both]

    def response_change(self, request: HttpRequest, obj: Contradiction) -> HttpResponse:
        for name in DECISIONS.keys() & request.POST.keys():
            self._decide(request, [obj], name)
            return HttpResponseRedirect(request.path)
        return super().response_change(request, obj)

    @admin.action(description="Keep the first: the second is superseded", permissions=["change"])
    def keep_first(self, request: HttpRequest, chosen: QuerySet[Contradiction]) -> None:
        self._decide(request, chosen, "keep_first")

    @admin.action(description="Keep the second: the first is superseded", permissions=["change"])
    def keep_second(self, request: HttpRequest, chosen: QuerySet[Contradiction]) -> None:
        self._decide(request, chosen, "keep_second")

    @admin.action(description="Keep both: no conflict", permissions=["change"])
    def both_stand(self, request: HttpRequest, chosen: QuerySet[Contradiction]) -> None:
        self._decide(request, chosen, "both_stand")

    def _decide(self, request: HttpRequest, chosen: Any, decision: str) -> None:
        settled = 0
        for contradiction in chosen:
            try:
                settled += contradiction_resolve(
                    contradiction=contradiction, authoritative=DECISIONS[decision][1](contradiction)
                )
            except CannotSupersede as error:
                self.message_user(request, f"Left open: {error}", messages.ERROR)
        self.message_user(request, f"{settled} settled.", messages.SUCCESS if settled else messages.WARNING)
