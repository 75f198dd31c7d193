"""Seconds of a recording, for people and for addresses."""

from django import template

from corpus.domain.clock import clock

register = template.Library()
register.filter(clock)


@register.filter
def seconds(value: float) -> str:
    """Return 754.2: a plain number whatever the page's language."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
