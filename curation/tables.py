"""Rows as tables (CSV, JSON) in admin: exported, changed elsewhere, and imported after a look at the differences."""

import re
from collections.abc import Iterable
from typing import Any

import tablib
from diff_match_patch import diff_match_patch
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from import_export.admin import ImportExportModelAdmin
from import_export.formats.base_formats import CSV, JSON
from import_export.forms import ExportForm
from import_export.resources import Diff, ModelResource

_FORMULA = re.compile(r"'*[=+\-@\t\r]")  # a spreadsheet computes such a cell
_QUOTED = re.compile(r"'+[=+\-@\t\r]")
_TAGS = {-1: "<del>{}</del>", 0: "{}", 1: "<ins>{}</ins>"}


def no_column(name: str, known: Iterable[str]) -> str:
    """What is wrong with a file that has an unknown column."""
    return gettext("There is no column “{name}”; there are {known}.").format(name=name, known=", ".join(known))


class SafeCSV(CSV):  # type: ignore[misc]
    """CSV whose cells no spreadsheet takes for formulas; the mark that prevents it is removed again when it is read."""

    def get_title(self) -> str:
        return "csv"

    def export_data(self, dataset: Any, **more: Any) -> Any:
        return super().export_data(_mapped(dataset, _quoted), **more)

    def create_dataset(self, in_stream: Any, **more: Any) -> Any:
        return _mapped(super().create_dataset(in_stream, **more), _unquoted)


def _mapped(dataset: Any, change: Any) -> Any:
    changed = tablib.Dataset(headers=dataset.headers)
    for row in dataset:
        changed.append([change(cell) if isinstance(cell, str) else cell for cell in row])
    return changed


def _quoted(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _unquoted(cell: str) -> str:
    return cell[1:] if _QUOTED.match(cell) else cell


FORMATS = (SafeCSV, JSON)


class PlainDiff(Diff):  # type: ignore[misc]
    """The differences marked by tags alone, because the page allows no inline styles."""

    def as_html(self) -> list[SafeString]:
        compare, cells = diff_match_patch(), []
        for before, after in zip(self.left, self.right, strict=False):
            pieces = compare.diff_main("" if self.new else str(before or ""), str(after or ""))
            compare.diff_cleanupSemantic(pieces)
            marked = ((format_html(_TAGS[sign], text),) for sign, text in pieces)
            cells.append(format_html_join("", "{}", marked))
        return cells


class TableResource(ModelResource):  # type: ignore[misc]
    """What every table keeps to: unchanged rows are told of and left, and a file is taken whole or not at all."""

    class Meta:
        skip_unchanged = True
        report_skipped = True
        use_transactions = True
        store_instance = True
        clean_model_instances = True

    @classmethod
    def get_diff_class(cls) -> type[Diff]:
        return PlainDiff


class TableAdmin(ImportExportModelAdmin):  # type: ignore[misc]
    """CSV and JSON of these rows. Nothing is imported before it was shown what would change."""

    formats = list(FORMATS)
    export_form_class = ExportForm
    export_template_name = "admin/curation/tables/export.html"
    import_template_name = "admin/curation/tables/import.html"
    show_full_result_count = False

    def has_import_permission(self, request: HttpRequest) -> bool:
        return bool(self.has_add_permission(request) and self.has_change_permission(request))

    def has_export_permission(self, request: HttpRequest) -> bool:
        return bool(self.has_view_permission(request))
