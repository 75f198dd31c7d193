"""The history of imports. A reference table."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import ngettext

from lectorium.keys import KeyedModel

from .sources import Collection


class Import(KeyedModel):
    """Files uploaded together, read for a preview and stored once confirmed."""

    class State(models.TextChoices):
        UPLOADED = "uploaded", "Being read"
        PREVIEWED = "previewed", "Waiting for confirmation"
        CONFIRMED = "confirmed", "Importing"
        DONE = "done", "Done"
        DISCARDED = "discarded", "Discarded"
        FAILED = "failed", "Failed"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="imports")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, help_text="Empty: a command."
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.UPLOADED)
    files = models.JSONField(default=list, help_text="[[name, bytes], …] of the uploaded files.")
    outcomes = models.JSONField(
        default=list,
        help_text="[[source, state, chunks, said, title, beginning, sample?, dropped?], …], refusals first.",
    )
    counts = models.JSONField(default=dict, help_text='{"imported": 1, "chunks": 7, …}')
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(default=timezone.now, help_text="When its state or progress last changed.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        verbose_name = "import"
        verbose_name_plural = "imports"

    def __str__(self) -> str:
        names = [name for name, _ in self.files]
        return (
            names[0]
            if len(names) == 1
            else ngettext("{number} file", "{number} files", len(names)).format(number=len(names))
        )

    @property
    def is_at_work(self) -> bool:
        return self.state in (self.State.UPLOADED, self.State.CONFIRMED)

    def count(self, name: str) -> Any:
        return self.counts.get(name, 0)
