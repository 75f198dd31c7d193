from django.apps import AppConfig

from corpus.curated_port import receive_with


class CurationConfig(AppConfig):
    name = "curation"
    verbose_name = "Curation"

    def ready(self) -> None:
        from curation.services import imported_keep  # its models are not loaded before

        receive_with(imported_keep)
