import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
_QUOTED = re.compile(r"`([^`]+)`")


@register.filter
def code(text: str) -> SafeString:
    """The text as HTML, with what stands between backticks as code."""
    return mark_safe(_QUOTED.sub(r"<code>\1</code>", escape(text)))  # noqa: S308 - the text is escaped
