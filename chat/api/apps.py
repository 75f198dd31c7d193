from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "chat.api"
    label = "api"
    verbose_name = "API"
