"""How long readers keep their own turns: as long as the site, or shorter by their choice."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from accounts.models import Profile
from chat.conversations.retention import conversations_forget
from chat.models import Turn

CHOICES = (7, 30, 90, 365)  # days


def offered_days() -> tuple[int, ...]:
    """The choices that are shorter than what the site keeps."""
    most = settings.RETENTION_DAYS
    return tuple(days for days in CHOICES if not most or days < most)


def own_turns_expire() -> int:
    """Delete the turns older than their reader keeps them; return how many."""
    deleted = 0
    for user_id, days in Profile.objects.filter(keep_days__gt=0).values_list("user_id", "keep_days"):
        before = timezone.now() - timedelta(days=days or 0)
        old = Turn.objects.filter(conversation__owner_id=user_id, started_at__lt=before).order_by()
        keys = list(old.values_list("conversation_id", flat=True).distinct())
        deleted += conversations_forget(conversation_ids=keys, before=before)
    return deleted
