from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from audit.models import GapCluster
from curation.entry_admin.base import EntryAdmin
from curation.entry_admin.finding import find_passages
from curation.entry_admin.forms import NoteForm, PinForm
from curation.entry_admin.steps import PUBLISH, StepButton
from curation.entry_admin.suggesting import suggest_wordings
from curation.facts.admin import ContradictionAdmin as ContradictionAdmin
from curation.facts.admin import FactAdmin as FactAdmin
from curation.facts.records_admin import FactChangeAdmin as FactChangeAdmin
from curation.facts.records_admin import FactCheckAdmin as FactCheckAdmin
from curation.facts.records_admin import FactScanAdmin as FactScanAdmin
from curation.facts.records_admin import SubjectReviewAdmin as SubjectReviewAdmin
from curation.gaps.admin import GapClusterAdmin as GapClusterAdmin
from curation.gaps.admin import RegressionCaseAdmin as RegressionCaseAdmin
from curation.library.admin import ExchangeAdmin
from curation.library.tables import NoteResource, PinResource
from curation.matching.reach import wide_triggers
from curation.models import Curated, MemoryNote, NoteReference, PinnedQuestion, PinReference
from curation.translations.admin import TranslationAdmin as TranslationAdmin
from lectorium.texts.local_text import local_text


@admin.register(PinnedQuestion)
class PinnedQuestionAdmin(EntryAdmin, ExchangeAdmin):
    resource_classes = (PinResource,)
    form = PinForm
    reference_model, owner = PinReference, "pin"
    list_display = ("question", "state", "reference_count", "language", "updated_at", "editor")
    search_fields = ("question", "phrasings__text", "references__address")
    fields = ("question", "phrasings", "references", "framing", "language", "collection", "opened")
    readonly_fields = ("references_shown", "phrasings_shown")

    def get_urls(self) -> list[URLPattern]:
        found = path("passages/", self.admin_site.admin_view(find_passages), name="curation_passages")
        suggested = path("wordings/", self.admin_site.admin_view(suggest_wordings), name="curation_wordings")
        return [found, suggested, *super().get_urls()]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **more: Any) -> Any:
        form = super().get_form(request, obj, change, **more)
        if "phrasings" in form.base_fields:
            form.base_fields["phrasings"].widget.suggest = reverse("admin:curation_wordings")
        return form

    def _taken(self, request: HttpRequest, entry: Curated, step: StepButton) -> HttpResponse:
        """A pin that was published for a knowledge gap leads to what its questions are answered now."""
        response = super()._taken(request, entry, step)
        published = step is PUBLISH and entry.state == Curated.State.PUBLISHED
        gap = GapCluster.objects.filter(pin=entry.pk).order_by("created_at").first() if published else None
        return HttpResponseRedirect(reverse("admin:audit_gapcluster_change", args=[gap.pk])) if gap else response


@admin.register(MemoryNote)
class MemoryNoteAdmin(EntryAdmin, ExchangeAdmin):
    resource_classes = (NoteResource,)
    form = NoteForm
    reference_model, owner = NoteReference, "note"
    list_display = ("title", "state", "reference_count", "language", "updated_at", "editor")
    search_fields = ("title", "body", "references__address")
    fields = ("title", "body", "triggers", "references", "language", "opened")
    readonly_fields = ("references_shown",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        for reach in wide_triggers(obj.triggers, obj.language):
            self.message_user(request, local_text(reach.warning), messages.WARNING)
