from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "audit"
    verbose_name = "Audit"

    def ready(self) -> None:
        from audit.alerts.events import announce_import
        from corpus.import_events import import_ended

        import_ended.connect(announce_import, dispatch_uid="audit.announce_import")
