"""Admin of the corpus. Collections are editable; everything else is written by imports and read-only here."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from corpus.domain.cues import clock
from corpus.import_admin import ImportAdmin as ImportAdmin
from corpus.index_admin import EmbeddingSpaceAdmin as EmbeddingSpaceAdmin
from corpus.index_admin import IndexRunAdmin as IndexRunAdmin
from corpus.index_admin import listed, shown_count
from corpus.models import Chunk, Collection, Lecture, Section, Work
from corpus.publishing_admin import PublishingAdmin
from corpus.services.corrections import CORRECTABLE, lecture_correct
from corpus.transcription_admin import TranscriptionAdmin as TranscriptionAdmin
from corpus.words_admin import AddressSchemeAdmin as AddressSchemeAdmin
from lectorium.record_admin import RecordAdmin, pretty_json

TEXT_SHOWN_CHARS = 20_000
CUES_SHOWN = 200


@admin.register(Collection)
class CollectionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("title", "key", "visibility", "changed_at")
    list_filter = ("visibility",)
    search_fields = ("title", "key")
    fields = ("key", "title", "visibility", "groups", "changed_at", "sources")
    readonly_fields = ("changed_at", "sources")
    autocomplete_fields = ("groups",)

    @admin.display(description=_("Contents"))
    def sources(self, collection: Collection) -> SafeString:
        lectures = listed(Lecture, collection__id__exact=collection.pk)
        works = listed(Work, collection__id__exact=collection.pk)
        return format_html("{} · {}", lectures, works)


class SourceAdmin(PublishingAdmin, RecordAdmin):
    list_filter = ("state", "language", "collection")
    list_select_related = ("collection",)
    readonly_fields: ClassVar[tuple[str, ...]] = ("parts",)

    @admin.display(description=_("Contents"))
    def parts(self, source: Lecture | Work) -> SafeString:
        lookup = {f"{source._meta.model_name}__id__exact": source.pk}
        return format_html("{} · {}", listed(Section, **lookup), listed(Chunk, **lookup))


@admin.register(Lecture)
class LectureAdmin(SourceAdmin):
    list_display = ("title", "speaker", "date", "language", "collection", "updated_at")
    search_fields = ("title", "key", "speaker", "series", "place")
    date_hierarchy = "date"
    fields = (
        "title", "speaker", "date", "series", "corrected", "key", "collection", "state", "withdrawn_because",
        "replaced_by", "place", "summary", "language", "media", "media_seconds", "found_at", "imported_at",
        "updated_at", "parts", "player", "sound_lines", "spoken", "transcript",
    )  # fmt: skip
    readonly_fields = tuple(name for name in fields if name not in CORRECTABLE)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: Lecture, form: Any, change: bool) -> None:
        lecture_correct(lecture=obj, values={name: form.cleaned_data[name] for name in form.changed_data})

    @admin.display(description=_("Corrected"))
    def corrected(self, lecture: Lecture) -> str:
        said = gettext("{field}: “{value}” when imported")
        before = (
            said.format(field=_field_name(name), value=imported or "–")
            for name, (imported, __) in lecture.corrections.items()
        )
        return "; ".join(before) or gettext(
            "No. Title, speaker, date and series can be corrected; later imports keep it."
        )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Lecture]:
        lectures: QuerySet[Lecture] = super().get_queryset(request)
        return lectures if _is_one(request) else lectures.defer("text", "cues", "sounds")

    @admin.display(description=_("Recording"))
    def player(self, lecture: Lecture) -> SafeString | str:
        if not lecture.has_recording:
            return gettext("missing from the media folder") if lecture.media else gettext("none")
        page, media = reverse("lecture", args=[lecture.pk]), reverse("lecture_media", args=[lecture.pk])
        waiting = gettext("No transcript yet.") if lecture.waits_for_transcript else ""
        return format_html(
            '<audio controls preload="metadata" src="{}"></audio> <a href="{}">{}</a> {}',
            media,
            page,
            gettext("Open the page for readers"),
            waiting,
        )

    @admin.display(description=_("Sounds"))
    def sound_lines(self, lecture: Lecture) -> str:
        return " · ".join(f"{clock(start)} {label}" for start, __, label in lecture.sounds[:CUES_SHOWN]) or gettext(
            "none"
        )

    @admin.display(description=_("Cues"))
    def spoken(self, lecture: Lecture) -> SafeString | str:
        if not lecture.cues:
            return gettext("none: this lecture has no times")
        rows = ((clock(cue[2]), lecture.text[cue[0] : cue[1]]) for cue in lecture.cues[:CUES_SHOWN])
        lines = "\n".join(f"{start}  {words}" for start, words in rows)
        more = len(lecture.cues) - CUES_SHOWN
        rest = gettext("… and %(n)s more.") % {"n": shown_count(more)} if more > 0 else ""
        return format_html('<pre class="record-json" tabindex="0">{}\n{}</pre>', lines, rest)

    @admin.display(description=_("Text"))
    def transcript(self, lecture: Lecture) -> str:
        more = len(lecture.text) - TEXT_SHOWN_CHARS
        if more <= 0:
            return lecture.text
        rest = gettext("{number} more characters").format(number=shown_count(more))
        return f"{lecture.text[:TEXT_SHOWN_CHARS]}… ({rest})"


@admin.register(Work)
class WorkAdmin(SourceAdmin):
    list_display = ("title", "abbreviation", "translator", "language", "collection", "updated_at")
    search_fields = ("title", "key", "abbreviation", "translator")
    fields = (
        "title", "key", "collection", "state", "withdrawn_because", "abbreviation", "translator", "language",
        "found_at", "imported_at", "updated_at", "parts", "verses_by_chapter",
    )  # fmt: skip
    readonly_fields = ("parts", "verses_by_chapter")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Work]:
        works: QuerySet[Work] = super().get_queryset(request)
        return works if _is_one(request) else works.defer("books")

    @admin.display(description=_("Verses by chapter"))
    def verses_by_chapter(self, work: Work) -> SafeString:
        return pretty_json(work.books)


@admin.register(Section)
class SectionAdmin(RecordAdmin):
    list_display = ("address", "source", "speaker", "start", "beginning")
    list_select_related = ("lecture", "work")
    search_fields = ("address_key", "=address")
    fields = ("address", "lecture", "work", "heading", "speaker", "text", "original", "start", "end", "source_text")
    ordering = ("lecture_id", "work_id", "ordinal")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Section]:
        sections: QuerySet[Section] = super().get_queryset(request)
        return sections.defer("lecture__text", "lecture__cues", "work__books")

    @admin.display(description=_("Source"))
    def source(self, section: Section) -> str:
        return str(section.lecture or section.work)

    @admin.display(description=_("Begins"))
    def beginning(self, section: Section) -> str:
        return section.text[:80]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return _names_source(lookup) or super().lookup_allowed(lookup, value, request)


@admin.register(Chunk)
class ChunkAdmin(RecordAdmin):
    list_display = ("address", "heading", "kind", "language", "tokens", "likeness", "beginning")
    list_filter = ("kind", "language", "collection", "retrievable", ("duplicate_of", admin.EmptyFieldListFilter))
    search_fields = ("address", "heading")
    fields = (
        "address", "heading", "kind", "language", "collection", "lecture", "work", "speaker", "text", "context",
        "situation", "situated_by",
        "start", "end", "tokens", "address_keys", "content_hash", "retrievable", "why_not_found",
    )  # fmt: skip
    readonly_fields = ("why_not_found",)
    ordering = ("lecture_id", "work_id", "ordinal")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        chunks: QuerySet[Chunk] = super().get_queryset(request)
        return chunks.defer(
            "folded_text", "folded_heading", "folded_address", "folded_context", "search_vector", "paragraphs", "cues"
        )

    @admin.display(description=_("Begins"))
    def beginning(self, chunk: Chunk) -> str:
        return chunk.text[:80]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return _names_source(lookup) or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("Duplicate"))
    def why_not_found(self, chunk: Chunk) -> SafeString | str:
        serves = chunk.duplicate_of
        if serves is None:
            return gettext("No")
        url = reverse("admin:corpus_chunk_change", args=[serves.pk])
        share = f"{chunk.likeness or 0:.0%}"
        words = gettext("Yes: {share} of its wording matches {passage}, which search shows instead.")
        return format_html(words, share=share, passage=format_html('<a href="{}">{}</a>', url, serves))


def _field_name(name: str) -> str:
    return str(Lecture._meta.get_field(name).verbose_name)  # type: ignore[union-attr]


def _names_source(lookup: str) -> bool:
    return lookup in ("lecture__id__exact", "work__id__exact")


def _is_one(request: HttpRequest) -> bool:
    return bool(request.resolver_match and "object_id" in request.resolver_match.kwargs)
