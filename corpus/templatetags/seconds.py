from datetime import date

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext

from corpus.domain.clock import clock

register = template.Library()
register.filter(clock)


@register.filter
def seconds(value: float) -> str:
    """754.2, independent of the page's locale."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


@register.filter
def day(text: str) -> str:
    """A source's date as the page's language writes it; as it is where it is no whole date."""
    try:
        return date_format(date.fromisoformat(text), gettext("j F Y"))
    except ValueError:
        return text
