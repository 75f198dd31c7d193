from django.apps import AppConfig
from django.utils.module_loading import import_string


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Conversations"

    def ready(self) -> None:
        from lectorium import asking

        # Looked up when first asked, so that `manage.py help` does not load the pipeline.
        asking.fill(lambda *args, **options: import_string("chat.asking.ask")(*args, **options))
