"""Admin of pins, notes and facts as tables, in and out, and of the whole library as a file."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from corpus.models import Collection
from curation.library.export import ExportRefused, library_export
from curation.tables import TableAdmin

# To see all that the file holds.
NEEDED = ("corpus.view_work", "curation.view_pinnedquestion", "curation.view_memorynote", "curation.view_fact")


class ExchangeAdmin(TableAdmin):
    """Tables of entries, and the library as one file."""

    change_list_template: Any = "admin/curation/tables/list.html"

    def get_urls(self) -> list[URLPattern]:
        name = f"curation_{self.opts.model_name}_library"
        return [path("library.db", self.admin_site.admin_view(self.library), name=name), *super().get_urls()]

    def library(self, request: HttpRequest) -> HttpResponse:
        """The works that this person may read, the pins, the notes and the facts, as one file."""
        if not request.user.has_perms(NEEDED):
            raise PermissionDenied
        visible = Collection.objects.visible_to(request.user)
        with TemporaryDirectory(prefix="lectorium-") as folder:
            file = Path(folder) / "library.db"
            try:
                library_export(file, visible)
            except ExportRefused as refusal:
                self.message_user(request, str(refusal), messages.ERROR)
                return HttpResponseRedirect(reverse(f"admin:curation_{self.opts.model_name}_changelist"))
            content = file.read_bytes()
        response = HttpResponse(content, content_type="application/vnd.sqlite3")
        response["Content-Disposition"] = 'attachment; filename="library.db"'
        return response

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        may_download = request.user.has_perms(NEEDED)
        address = reverse(f"admin:curation_{self.opts.model_name}_library") if may_download else ""
        return super().changelist_view(request, {"library": address, **(extra_context or {})})  # type: ignore[no-any-return]
