"""The groups of the product and what they may do. `migrate` makes them; groups of your own are left alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Group, Permission


@dataclass(frozen=True, slots=True)
class GroupRights:
    """apps: every permission of these apps, or with `view_only` those to view. also, without: by codename."""

    apps: tuple[str, ...] = ()
    view_only: bool = False
    also: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


_GAPS_AND_FEEDBACK = (
    "view_gapcluster", "change_gapcluster", "view_knowledgegap", "view_regressioncase", "change_regressioncase",
    "view_feedback", "change_feedback",
)  # fmt: skip
_EDITED = ("corpus", "curation", "articles")
GROUPS: Mapping[str, GroupRights] = {
    "reader": GroupRights(),
    "editor": GroupRights(_EDITED, also=_GAPS_AND_FEEDBACK, without=("publish_entries", "publish_articles")),
    "reviewer": GroupRights(_EDITED, also=(*_GAPS_AND_FEEDBACK, "view_toolcall")),
    "auditor": GroupRights(
        ("audit", "chat"),
        view_only=True,
        also=("change_feedback", "view_toolcall", "add_replay", "add_turnreview", "add_alertmute"),
    ),
}


def groups_make(**sent: Any) -> None:
    """Make the four groups and give them what they may do. Runs after every `migrate`, for models are added."""
    for name, rights in GROUPS.items():
        group, _ = Group.objects.get_or_create(name=name)
        allowed = Permission.objects.filter(content_type__app_label__in=rights.apps)
        allowed = allowed.filter(codename__startswith="view_") if rights.view_only else allowed
        also = Permission.objects.filter(codename__in=rights.also)
        group.permissions.set([*allowed.exclude(codename__in=rights.without), *also])
