"""The import page in admin: upload files, preview the result, confirm or discard; and the history of imports."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from corpus.importers.discovery import ENDINGS
from corpus.importers.limits import MEGABYTE, UPLOAD_LIMIT
from corpus.importers.refusal import ImportRefused
from corpus.models import Collection, Import
from corpus.services.collections import DEFAULT_COLLECTION, collection_ensure
from corpus.services.queueing import job_queue
from corpus.services.uploads import UNFINISHED, import_confirm, import_discard, import_upload
from lectorium.record_admin import RecordAdmin
from lectorium.texts.local_text import local_text

SOURCE_FIGURES = {"imported": _("New"), "changed": _("Changed"), "unchanged": _("Unchanged"), "refused": _("Refused")}
OUTCOMES = (
    gettext_noop("imported"),
    gettext_noop("changed"),
    gettext_noop("unchanged"),
)  # of a source, as they are stored
CHUNK_FIGURES = {"chunks": _("Chunks"), "duplicates": _("Near-duplicates")}
REFRESH_SECONDS = 2  # while a worker is busy with the import


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        return [super(FilesField, self).clean(file, initial) for file in data or [None]]


class ImportForm(forms.Form):
    collection = forms.ModelChoiceField(
        Collection.objects.all(), label=_("collection"), help_text=_("Readers of this collection will see it.")
    )
    handed_in = FilesField(
        label=_("Files"),
        widget=FilesInput(attrs={"accept": ",".join(ENDINGS)}),
        help_text=format_lazy(
            _("Several at once. {endings}; a recording joins the transcript of its name, or waits."),
            endings=" ".join(ENDINGS),
        ),
    )

    def clean_handed_in(self) -> list[Any]:
        files: list[Any] = self.cleaned_data["handed_in"]
        names = [file.name for file in files]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise forms.ValidationError(
                _("Two files are called %(name)s. Rename one; a file's name is its key.") % {"name": twice}
            )
        if sum(file.size for file in files) > UPLOAD_LIMIT:
            raise forms.ValidationError(
                _("More than %(most)s MB at once. Upload the files in several parts.")
                % {"most": UPLOAD_LIMIT // MEGABYTE}
            )
        return files


@admin.register(Import)
class ImportAdmin(RecordAdmin):
    list_display = ("created_at", "__str__", "collection", "by", "state", "taken", "refused")
    list_filter = ("state", "collection")
    list_select_related = ("collection", "by")
    change_list_template = "admin/corpus/import/list.html"
    date_hierarchy = "created_at"

    @admin.display(description=_("Imported"))
    def taken(self, row: Import) -> int:
        return int(row.count("imported") + row.count("changed"))

    @admin.display(description=_("Refused"))
    def refused(self, row: Import) -> int:
        return int(row.count("refused"))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("corpus.add_import"))

    def get_urls(self) -> list[URLPattern]:
        own = [
            path("index-now/", self.admin_site.admin_view(self.index_now), name="corpus_index_now"),
            path("<uuid:import_id>/confirm/", self.admin_site.admin_view(self.confirm), name="corpus_import_confirm"),
            path("<uuid:import_id>/discard/", self.admin_site.admin_view(self.discard), name="corpus_import_discard"),
        ]
        return [*own, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"title": _("Imports"), **(extra_context or {})})

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        self._require_add(request)
        if not Collection.objects.exists():
            collection_ensure(key=DEFAULT_COLLECTION)
        data, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
        form = ImportForm(data, files, initial={"collection": Collection.objects.first()})
        if form.is_valid():
            chosen = form.cleaned_data
            try:
                row = import_upload(files=chosen["handed_in"], collection=chosen["collection"], by=request.user)
                return self._shown(row.pk)
            except ImportRefused as refusal:
                form.add_error("handed_in", local_text(refusal))
        context = {**self._context(request), "title": _("Import"), "form": form}
        return TemplateResponse(request, "admin/corpus/import/add.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404("There is no such import.")
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        context = {
            **self._context(request),
            "title": _("Import of %(name)s") % {"name": row},
            "import": row,
            "refused": [outcome for outcome in row.outcomes if outcome[1] == "refused"],
            "taken": [outcome for outcome in row.outcomes if outcome[1] != "refused"],
            "figures": _figures(row),
            "hidden": sum(map(row.count, SOURCE_FIGURES)) - len(row.outcomes),
            "may_discard": row.state in UNFINISHED,
            "may_decide": self.has_add_permission(request),
        }
        response = TemplateResponse(request, "admin/corpus/import/detail.html", context)
        if row.is_at_work:
            response["Refresh"] = str(REFRESH_SECONDS)
        return response

    def confirm(self, request: HttpRequest, import_id: Any) -> HttpResponse:
        return self._decided(
            request, import_id, import_confirm, _("This import is no longer waiting for confirmation.")
        )

    def discard(self, request: HttpRequest, import_id: Any) -> HttpResponse:
        return self._decided(request, import_id, import_discard, _("This import can no longer be discarded."))

    def index_now(self, request: HttpRequest) -> HttpResponse:
        self._require_add(request)
        return _index_now(request)

    def _decided(self, request: HttpRequest, import_id: Any, decide: Any, too_late: Any) -> HttpResponse:
        self._require_add(request)
        if request.method != "POST":
            return self._shown(import_id)
        if not decide(import_id=import_id):
            messages.warning(request, too_late)
        return self._shown(import_id)

    def _require_add(self, request: HttpRequest) -> None:
        if not self.has_add_permission(request):
            raise PermissionDenied

    def _context(self, request: HttpRequest) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "opts": self.opts}

    def _shown(self, import_id: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(reverse("admin:corpus_import_change", args=[import_id]))


def _figures(row: Import) -> list[tuple[Any, Any]]:
    """Labelled counts. Near-duplicates only in a preview; afterwards the index run reports them."""
    figures = SOURCE_FIGURES | CHUNK_FIGURES
    shown = figures if row.state == Import.State.PREVIEWED else figures.keys() - {"duplicates"}
    return [(said, row.count(name)) for name, said in figures.items() if name in shown]


@require_POST
def _index_now(request: HttpRequest) -> HttpResponse:
    job_queue("index_corpus")
    messages.success(request, _("Indexing is queued: a worker embeds everything new or changed."))
    return HttpResponseRedirect(reverse("admin:corpus_import_changelist"))
