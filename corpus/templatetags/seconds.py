"""Seconds of a recording, for people and for addresses."""

from django import template

register = template.Library()


@register.filter
def clock(value: float) -> str:
    """Return 12:34, or 1:02:03 from an hour on."""
    whole = max(0, int(value))
    hours, minutes, seconds = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@register.filter
def seconds(value: float) -> str:
    """Return 754.2: a plain number whatever the page's language."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
