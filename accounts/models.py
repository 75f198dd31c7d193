"""What an account has beside Django's user: its preferences, the identities it signs in with, and invitations."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models import Turn
from lectorium.keys import KeyedModel


class Profile(KeyedModel):
    """A reader's preferences. The page of questions reads `user.profile.mode` in its template."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="profile")
    language = models.CharField(max_length=12, blank=True, help_text="Empty: as the browser asks.")
    mode = models.CharField(
        max_length=10,
        choices=[
            (Turn.Mode.AUTO, _("Auto")),
            (Turn.Mode.INSTANT, _("Instant")),
            (Turn.Mode.THINKING, _("Thinking")),
        ],
        default=Turn.Mode.AUTO,
    )
    keep_days = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Empty: as the site keeps turns.")

    def __str__(self) -> str:
        return str(self.user)


class ProviderIdentity(KeyedModel):
    """The subject of an OpenID Connect provider that signs in to an account. Its mail address does not identify it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["issuer", "subject"], name="identity_of_one_account"),)

    def __str__(self) -> str:
        return f"{self.subject} at {self.issuer}"


class Invitation(KeyedModel):
    """Lets the holder of an address make one account. Its link is signed, so it is not stored."""

    email = models.EmailField("e-mail address")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField("made", auto_now_add=True)
    expires_at = models.DateTimeField("expires")
    used_at = models.DateTimeField("used", null=True, editable=False)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return self.email

    @property
    def is_open(self) -> bool:
        """Whether it can still be used."""
        return self.used_at is None and self.expires_at > timezone.now()
