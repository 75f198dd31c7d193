"""Read-only admin for records."""

import json
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

JSON_SHOWN_CHARS = 200_000


class ReadOnly:
    """Forbids adding, changing and deleting; viewing depends on permissions."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class RecordAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_per_page = 50
    show_full_result_count = False
    actions: Any = None


class RecordInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    extra = 0
    can_delete = False


def pretty_json(value: object) -> SafeString:
    """Indented, escaped JSON, cut where it is too long for a page."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if len(text) > JSON_SHOWN_CHARS:
        text = f"{text[:JSON_SHOWN_CHARS]}\n… {len(text) - JSON_SHOWN_CHARS:,} more characters"
    return format_html('<pre class="record-json" dir="ltr" tabindex="0">{}</pre>', text)
