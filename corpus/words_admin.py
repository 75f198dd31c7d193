from django.contrib import admin

from corpus.models import AddressScheme, GlossaryEntry


@admin.register(AddressScheme)
class AddressSchemeAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("title", "__str__", "levels", "position")
    search_fields = ("title", "label", "aliases")
    fields = ("label", "title", "aliases", "levels", "separator", "position", "changed_at")
    readonly_fields = ("changed_at",)


@admin.register(GlossaryEntry)
class GlossaryEntryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("term", "synonyms", "language")
    list_filter = ("language",)
    search_fields = ("term", "synonyms")
    fields = ("term", "synonyms", "language", "changed_at")
    readonly_fields = ("changed_at",)
