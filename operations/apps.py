from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class OperationsConfig(AppConfig):
    name = "operations"
    verbose_name = "Operations"

    def ready(self) -> None:
        if not apps.is_installed("django.contrib.auth"):  # a process that only runs jobs has no groups and no admin
            return
        from operations.groups import groups_make  # after the models are loaded
        from operations.local_names import translate_names

        translate_names()
        # `migrate` makes each app's permissions in turn, so the groups get theirs after the last app with models.
        *_, last = (app for app in apps.get_app_configs() if app.models_module)
        post_migrate.connect(groups_make, sender=last)
