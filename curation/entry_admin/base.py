"""What the admin of pins and of notes have in common: forms, steps, history, and a lock for saving."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from corpus.models import Chunk, Collection
from curation.entries import PUBLISH, CurationRefused, entry_store, phrasings_of, references_of, scope_of
from curation.entry_admin import steps
from curation.entry_admin.earlier_versions import bring_back
from curation.entry_admin.steps import StepButton
from curation.entry_admin.trying import try_entry
from curation.history import version_changes
from curation.models import Curated
from curation.places import reference_views

NOW = {
    Curated.State.DRAFT: _("“%(entry)s” is draft now."),
    Curated.State.IN_REVIEW: _("“%(entry)s” is in review now."),
    Curated.State.PUBLISHED: _("“%(entry)s” is published now."),
    Curated.State.WITHDRAWN: _("“%(entry)s” is withdrawn now."),
}


# Why a version was stored, as the history shows it.
REASONS = (
    gettext_noop("Changed"), gettext_noop("Drafted"), gettext_noop("Deleted"), gettext_noop("Submitted for review"),
    gettext_noop("Phrasing added"), gettext_noop("Trigger added"),
)  # fmt: skip


class GoneFilter(admin.SimpleListFilter):
    title = _("references")
    parameter_name = "references"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[Any]:
        return [("gone", _("A reference leads nowhere"))]

    def queryset(self, request: HttpRequest, entries: QuerySet[Any]) -> QuerySet[Any]:
        return entries.filter(has_gone=True) if self.value() == "gone" else entries


class EntryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_filter = ("state", "language", GoneFilter)
    list_per_page = 50
    change_form_template = "admin/curation/entry/change_form.html"
    actions: Any = ("submit_chosen", "publish_chosen", "withdraw_chosen", "undo_chosen")
    reference_model: Any
    owner: str  # the field of reference_model that names the entry

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        there = Chunk.objects.filter(retrievable=True, address_keys__contains=[OuterRef("address_key")])
        gone = self.reference_model.objects.filter(~Exists(there), **{self.owner: OuterRef("pk")})
        last = self.model.history.filter(id=OuterRef("pk")).order_by("-history_date")
        noted = {"has_gone": Exists(gone), "changed_by": Subquery(last.values("history_user__username")[:1])}
        return super().get_queryset(request).prefetch_related("references").annotate(**noted)  # type: ignore[no-any-return]

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Locks the entry while a change is saved, so that the form compares with what is stored."""
        found = super().get_object(request, object_id, from_field)
        if found and request.method == "POST" and self._saves(request):
            self.model._default_manager.select_for_update().get(pk=found.pk)
            found = super().get_object(request, object_id, from_field)
        if found:
            found.scope = scope_of(request.user)
        return found

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only reviewers change what readers see."""
        return super().has_change_permission(request, obj) and self._may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and self._may_touch(request, obj)

    def has_publish_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(PUBLISH))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **more: Any) -> Any:
        form = super().get_form(request, obj, change, **more)
        if "collection" in form.base_fields:
            form.base_fields["collection"].widget = form.base_fields["collection"].widget.widget
        if "references" in form.base_fields:
            form.base_fields["references"].widget.scope = scope_of(request.user)
        return form

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **more: Any) -> Any:
        """An entry's collection is one that its editor may read."""
        if db_field.name == "collection":
            more |= {"queryset": Collection.objects.visible_to(request.user), "empty_label": _("Every collection")}
        return super().formfield_for_foreignkey(db_field, request, **more)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        names: Any = self.fields or ()
        if obj and not self.has_change_permission(request, obj):
            shown = {"references": "references_shown", "phrasings": "phrasings_shown"}
            return [shown.get(name, name) for name in names if name != "opened"]
        return [name for name in names if obj or name not in self.readonly_fields]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A link may fill in lists too, with commas between the items: see the admin of gaps."""
        given: dict[str, Any] = super().get_changeform_initial_data(request)
        lists = {"references", "phrasings", "triggers"} & given.keys()
        return given | {name: [item.strip() for item in given[name].split(",")] for name in lists}

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if form.has_changed() or not change:
            entry_store(obj, form.lists(), by=request.user, reason="Changed" if change else "Drafted")

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        obj._history_user, obj._change_reason = request.user, "Deleted"
        obj.delete()

    def delete_queryset(self, request: HttpRequest, entries: QuerySet[Any]) -> None:
        for entry in entries:
            self.delete_model(request, entry)

    @method_decorator(transaction.atomic)
    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        entry = self.get_object(request, object_id) if object_id else None
        for step in steps.STEPS:
            if entry and not step.saves and step.name in request.POST:
                return self._taken(request, entry, step)
        context = {"steps": steps.buttons_for(entry, request.user), **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        return self._step_after_saving(request, obj) or super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        return self._step_after_saving(request, obj) or super().response_change(request, obj)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        entry = self.get_object(request, object_id)
        if entry is None:
            raise Http404("There is no such entry.")
        if not self.has_view_permission(request, entry):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": _("History of “%(entry)s”") % {"entry": entry},
            "opts": self.opts,
            "object": entry,
            "versions": list(version_changes(entry)),
            "may_restore": self.has_change_permission(request, entry),
        }
        return TemplateResponse(request, "admin/curation/entry/history.html", context)

    def restore_view(self, request: HttpRequest, object_id: str, version_id: UUID) -> HttpResponse:
        entry = self.get_object(request, object_id)
        if not entry:
            raise Http404("There is no such entry.")
        if not self.has_change_permission(request, entry):
            raise PermissionDenied
        return bring_back(self, request, entry, version_id)

    def try_view(self, request: HttpRequest, object_id: str | None = None) -> HttpResponse:
        entry = self.get_object(request, object_id) if object_id else None
        if not self.has_view_permission(request, entry):
            raise PermissionDenied
        return try_entry(self, request, entry)

    def get_urls(self) -> list[URLPattern]:
        name = f"curation_{self.opts.model_name}"
        view = self.admin_site.admin_view
        own = [
            path("add/try/", view(self.try_view), name=f"{name}_try_new"),
            path("<path:object_id>/history/<uuid:version_id>/", view(self.restore_view), name=f"{name}_restore"),
            path("<path:object_id>/try/", view(self.try_view), name=f"{name}_try"),
        ]
        return [*own, *super().get_urls()]

    @admin.display(description=_("References"))
    def reference_count(self, entry: Any) -> str:
        return gettext("A reference leads nowhere") if entry.has_gone else str(len(entry.references.all()))

    @admin.display(description=_("References"))
    def references_shown(self, entry: Any) -> str:
        views = reference_views(references_of(entry), entry.scope)
        return render_to_string("admin/curation/entry/view.html", {"references": views})

    @admin.display(description=_("Other wordings"))
    def phrasings_shown(self, entry: Any) -> str:
        return "\n".join(phrasings_of(entry)) or "–"

    @admin.display(description=_("Changed by"), ordering="changed_by")
    def editor(self, entry: Any) -> str:
        return entry.changed_by or "–"

    @admin.action(description=_("Submit for review"), permissions=["change"])
    def submit_chosen(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._take_all(request, steps.SUBMIT, chosen)

    @admin.action(description=_("Publish"), permissions=["publish"])
    def publish_chosen(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._take_all(request, steps.PUBLISH, chosen)

    @admin.action(description=_("Withdraw"), permissions=["change"])
    def withdraw_chosen(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._take_all(request, steps.WITHDRAW, chosen)

    @admin.action(description=_("Undo the last change of state"), permissions=["change"])
    def undo_chosen(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._take_all(request, steps.UNDO, chosen)

    def _take_all(self, request: HttpRequest, step: StepButton, chosen: Iterable[Any]) -> None:
        taken, refused = steps.take_all(step, chosen, request.user)
        if taken:
            self.message_user(request, str(step.done).format(number=taken), messages.SUCCESS)
        if refused:
            self.message_user(request, steps.refusals_in_words(refused), messages.WARNING)

    def _taken(self, request: HttpRequest, entry: Curated, step: StepButton) -> HttpResponse:
        """Take a step that does not save the form, and show the entry again."""
        if not super().has_change_permission(request, entry):
            raise PermissionDenied
        try:
            step.take(entry=entry, by=request.user)
            self.message_user(request, NOW[Curated.State(entry.state)] % {"entry": entry}, messages.SUCCESS)
        except CurationRefused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
        return HttpResponseRedirect(reverse(f"admin:curation_{self.opts.model_name}_change", args=[entry.pk]))

    def _step_after_saving(self, request: HttpRequest, entry: Curated) -> HttpResponse | None:
        step = next((step for step in steps.STEPS if step.saves and step.name in request.POST), None)
        return self._taken(request, entry, step) if step else None

    def _saves(self, request: HttpRequest) -> bool:
        return request.resolver_match is not None and str(request.resolver_match.url_name).endswith("_change")

    def _may_touch(self, request: HttpRequest, obj: Any) -> bool:
        return obj is None or obj.state != Curated.State.PUBLISHED or self.has_publish_permission(request)
