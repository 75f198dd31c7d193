"""The tokens by which a reader's own programs are known."""

from django.conf import settings
from django.db import models

from lectorium.keys import KeyedModel


class Token(KeyedModel):
    """A secret that acts as its owner until it is revoked. Only its hash is stored."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80, help_text="What it is for, so that you know later which one to revoke.")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField("created", auto_now_add=True)
    last_used_at = models.DateTimeField("last used", null=True, editable=False, help_text="To the minute.")
    revoked_at = models.DateTimeField("revoked", null=True, editable=False)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name
