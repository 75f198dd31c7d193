from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.utils.module_loading import import_string


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Conversations"

    def ready(self) -> None:
        from chat.live.messages import close_sockets
        from lectorium import asking

        user_logged_out.connect(close_sockets)

        asking.fill(
            ask=_lazily("chat.answering.ask.ask"),
            replay=_lazily("chat.replay.replay"),
            answer_with=_lazily("chat.replay.answer_with"),
            plan=_lazily("chat.answering.ask.plan"),
            search=_lazily("chat.search.lookup.search"),
            explain=_lazily("chat.search.lookup.explain"),
            sift=_lazily("chat.search.lookup.sift"),
            examine=_lazily("chat.answering.examination.examine_draft"),
            check_claims=_lazily("chat.answering.examination.check_stored_claims"),
            asked_questions=_lazily("chat.conversations.selectors.asked_questions"),
        )


def _lazily(path: str) -> Callable[..., Any]:
    """Import the function on first use, so that `manage.py help` does not load the pipeline."""
    return lambda *args, **options: import_string(path)(*args, **options)
