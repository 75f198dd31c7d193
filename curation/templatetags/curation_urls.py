from typing import Any

from django import template
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from curation.models import Curated
from lectorium.texts.local_text import local_text

register = template.Library()
OUTCOMES = {"grounded": "answered", "partially_grounded": "partly answered", "out_of_corpus": "from general knowledge"}
MODELS = {"pin": "pinnedquestion", "note": "memorynote"}


@register.filter
def entry_url(match: Any) -> str:
    """The form of a matched entry."""
    return reverse(f"admin:curation_{MODELS[match.kind]}_change", args=[match.entry])


@register.filter
def state_label(state: str) -> str:
    return local_text(Curated.State(state).label)


@register.filter
def in_words(outcome: str) -> str:
    return local_text(OUTCOMES.get(outcome, outcome.replace("_", " ")))


@register.filter
def is_own_url(url: str | None) -> bool:
    return bool(url) and url_has_allowed_host_and_scheme(url, allowed_hosts=None)
