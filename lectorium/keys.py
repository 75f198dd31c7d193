"""The one kind of primary key: made in Python, so that rows can be spread over servers (docs/database.md)."""

import uuid

from django.db import models


class KeyedModel(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta:
        abstract = True
