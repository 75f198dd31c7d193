"""Django's own admin under our name; the theme is a stylesheet of variables, so the CSP stays strict."""

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig


class LectoriumAdminSite(AdminSite):
    site_header = "Lectorium"
    site_title = "Lectorium"
    index_title = "Knowledge and records"


class LectoriumAdmin(AdminConfig):
    default_site = "lectorium.admin_site.LectoriumAdminSite"
