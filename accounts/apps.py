from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from accounts.fresh_sign_in import sign_in_note

        user_logged_in.connect(sign_in_note)
