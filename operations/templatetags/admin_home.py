"""The panels of the admin home, for its template."""

from collections.abc import Callable
from typing import Any

from django import template

from operations.home import queues, state
from operations.home.panels import HomePanel

register = template.Library()

# In the order of the page, each with the permission of those who see it.
PANELS: tuple[tuple[str, Callable[[Any], HomePanel | None]], ...] = (
    ("audit.view_gapcluster", queues.gaps),
    ("curation.view_pinnedquestion", queues.reviews),
    ("articles.view_article", queues.articles),
    ("curation.view_fact", queues.facts),
    ("audit.view_feedback", queues.feedback),
    ("corpus.view_import", state.imports),
    ("audit.view_regressioncase", queues.regressions),
    ("corpus.view_lecture", state.corpus),
    ("corpus.view_indexrun", state.index),
    ("curation.view_pinnedquestion", state.translations),
)


@register.simple_tag
def home_panels(user: Any) -> list[HomePanel]:
    return [made for permission, make in PANELS if user.has_perm(permission) and (made := make(user))]
