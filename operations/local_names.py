"""The names of apps, models and fields in the interface language, for the pages of admin.

Django makes most of them from the code, so they are translated where it keeps them.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import AppConfig, apps
from django.utils.translation import gettext_lazy

# What editors work with, by app, and what else their menu lists. The names of other models stay in English.
EDITED: dict[str, set[str]] = {
    "corpus": {
        "Collection", "Lecture", "Work", "Section", "Import", "Transcription", "AddressScheme", "GlossaryEntry",
    },
    "curation": {
        "PinnedQuestion", "MemoryNote", "PinPhrasing", "PinReference", "NoteReference", "Translation", "Fact",
        "Contradiction", "FactChange", "FactCheck", "FactScan", "SubjectReview",
    },
    "audit": {"GapCluster", "KnowledgeGap", "RegressionCase", "Feedback", "TurnAudit", "DeletedTurns"},
    "articles": {"Article", "ArticleVersion"},
    "api": set(),
}  # fmt: skip

LISTED = {
    "corpus": {"Chunk", "EmbeddingSpace", "IndexRun"},
    "api": {"Token", "ToolCall"},
}


def translate_names() -> None:
    """Let the names be read in the active language. Called once, when all models are known."""
    for app in _apps():
        app.verbose_name = gettext_lazy(str(app.verbose_name))
        for model in _models(app):
            model._meta.verbose_name = gettext_lazy(model._meta.verbose_name)
            model._meta.verbose_name_plural = gettext_lazy(model._meta.verbose_name_plural)
            for field in _fields(model):
                field.verbose_name = gettext_lazy(field.verbose_name)
                if _has_help(field):
                    field.help_text = gettext_lazy(field.help_text)
                if field.choices:
                    field.choices = [(value, gettext_lazy(label)) for value, label in field.flatchoices]


def names() -> Iterator[str]:
    """Every name in the active language."""
    for app in _apps():
        yield str(app.verbose_name)
        for model in _models(app):
            yield str(model._meta.verbose_name)
            yield str(model._meta.verbose_name_plural)
            for field in _fields(model):
                yield str(field.verbose_name)
                yield from [str(field.help_text)] if _has_help(field) else []
                yield from (str(label) for _, label in field.flatchoices or () if any(map(str.isalpha, str(label))))


def _apps() -> list[AppConfig]:
    return [apps.get_app_config(label) for label in EDITED]


def _models(app: AppConfig) -> list[Any]:
    return [app.get_model(name) for name in sorted(EDITED[app.label] | LISTED.get(app.label, set()))]


def _fields(model: Any) -> list[Any]:
    edited = model.__name__ in EDITED[model._meta.app_label]
    return [field for field in model._meta.fields if edited and not field.primary_key]


def _has_help(field: Any) -> bool:
    """Whether it says something to people; what begins with a bracket is the form of stored JSON."""
    return bool(field.help_text) and str(field.help_text)[0] not in "[{"
