from django.apps import AppConfig

from corpus.curated_port import register_receiver


class CurationConfig(AppConfig):
    name = "curation"
    verbose_name = "Curation"

    def ready(self) -> None:
        from curation.services import store_imported  # after the models are loaded

        register_receiver(store_imported)
