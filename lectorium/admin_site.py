"""Django's admin under the product's name; the theme is a stylesheet of variables, so the CSP stays strict."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class LectoriumAdminSite(AdminSite):
    site_header = "Lectorium"
    site_title = "Lectorium"
    index_title = _("Knowledge and records")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Adds the auditor's report above the audit models for users who may read it."""
        apps: list[Any] = super().get_app_list(request, app_label)
        for app in apps:
            if app["app_label"] == "audit" and request.user.has_perm("audit.view_turnaudit"):
                report = {"name": _("Report"), "object_name": "Report", "admin_url": reverse("audit_report")}
                app["models"].insert(0, {**report, "view_only": True})
        return apps


class LectoriumAdmin(AdminConfig):
    default_site = "lectorium.admin_site.LectoriumAdminSite"
