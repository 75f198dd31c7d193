from django.contrib import admin

from curation.facts.admin import ContradictionAdmin as ContradictionAdmin
from curation.facts.admin import FactAdmin as FactAdmin
from curation.forms import CuratedForm
from curation.models import MemoryNote, PinnedQuestion


class CuratedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = CuratedForm
    list_filter = ("state", "language")
    list_per_page = 50
    readonly_fields = ("created_at", "updated_at")


@admin.register(PinnedQuestion)
class PinnedQuestionAdmin(CuratedAdmin):
    list_display = ("question", "state", "language", "updated_at")
    search_fields = ("question", "references")
    fields = ("question", "references", "language", "state", "created_at", "updated_at")


@admin.register(MemoryNote)
class MemoryNoteAdmin(CuratedAdmin):
    list_display = ("title", "state", "language", "updated_at")
    search_fields = ("title", "body", "references")
    fields = ("title", "body", "triggers", "references", "language", "state", "created_at", "updated_at")
