from django import template

from corpus.domain.clock import clock

register = template.Library()
register.filter(clock)


@register.filter
def seconds(value: float) -> str:
    """754.2, independent of the page's locale."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
