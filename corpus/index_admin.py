"""Admin of embedding spaces and index runs, and the links to the lists of the corpus."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from corpus.models import EmbeddingSpace, IndexRun
from corpus.selectors import space_progress
from lectorium.record_admin import RecordAdmin, pretty_json


def listed(model: type[Model], **lookup: object) -> SafeString:
    """Link to the changelist of a model filtered by `lookup`. Paged, unlike an inline of thousands of rows."""
    url = reverse(f"admin:corpus_{model._meta.model_name}_changelist")
    query = "&".join(f"{name}={value}" for name, value in lookup.items())
    return format_html('<a href="{}?{}">{}</a>', url, query, capfirst(str(model._meta.verbose_name_plural)))


def shown_count(number: int) -> str:
    return number_format(number, force_grouping=True)


@admin.register(EmbeddingSpace)
class EmbeddingSpaceAdmin(RecordAdmin):
    list_display = ("model", "width", "dtype", "state", "created_at", "indexed_at")
    fields = (
        "model", "width", "dtype", "state", "progress", "created_at", "indexed_at", "runs", "calibrated", "tuned",
    )  # fmt: skip

    @admin.display(description=_("Progress"))
    def progress(self, space: EmbeddingSpace) -> str:
        done, total = space_progress(space)
        return gettext("{done} of {total}").format(done=shown_count(done), total=shown_count(total))

    @admin.display(description=_("Index runs"))
    def runs(self, space: EmbeddingSpace) -> SafeString:
        return listed(IndexRun, space__id__exact=space.pk)

    @admin.display(description=_("Calibration"))
    def calibrated(self, space: Any) -> SafeString:
        return pretty_json(space.calibration)


@admin.register(IndexRun)
class IndexRunAdmin(RecordAdmin):
    list_display = ("started_at", "space", "worker", "embedded", "total", "seen_at", "ended", "remark", "error")
    list_select_related = ("space",)
    list_filter = ("space",)
    fields = (
        "space", "worker", "started_at", "seen_at", "finished_at", "embedded", "total", "situated", "ended", "remark",
        "error",
    )  # fmt: skip

    @admin.display(description=_("Outcome"))
    def ended(self, run: IndexRun) -> str:
        return run.outcome
