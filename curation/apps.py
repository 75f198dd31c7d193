from django.apps import AppConfig

from corpus.curated_port import register_receiver


class CurationConfig(AppConfig):
    name = "curation"
    verbose_name = "Curation"

    def ready(self) -> None:
        from curation.services import imported_keep  # its models are not loaded before

        register_receiver(imported_keep)
