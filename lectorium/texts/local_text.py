"""Texts of our own in the active language: constants, and sentences that are stored or raised in English."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module

from django.apps import apps
from django.conf import settings
from django.utils.formats import number_format
from django.utils.module_loading import module_has_submodule
from django.utils.translation import get_language, gettext, ngettext

from lectorium.texts.wordings import MessageWording, Rewording


def rewording(wordings: Sequence[MessageWording]) -> Rewording:
    """Puts sentences of these wordings into the language that is active when it is asked."""
    return Rewording(wordings, _translate, lambda number: number_format(number, force_grouping=True))


def local(text: str, known: Rewording) -> str:
    """A text of the catalogue or a sentence of known wordings in the active language; anything else unchanged."""
    if not text or get_language() in (None, settings.LANGUAGE_CODE):
        return text
    translated = gettext(text)
    return translated if translated != text else known.text(text)


def local_text(text: object) -> str:
    """What staff read of our own: see `local`. The wordings are those of every app."""
    return local(str(text), _staff_rewording())


@cache
def staff_wordings() -> tuple[MessageWording, ...]:
    """WORDINGS in the module `wordings` of each app that has one."""
    named = (config for config in apps.get_app_configs() if module_has_submodule(config.module, "wordings"))
    modules = (import_module(f"{config.name}.wordings") for config in named)
    return tuple(wording for module in modules for wording in getattr(module, "WORDINGS", ()))


@cache
def _staff_rewording() -> Rewording:
    return rewording(staff_wordings())


def _translate(text: str, plural: str, number: int) -> str:
    return ngettext(text, plural, number) if plural else gettext(text)
