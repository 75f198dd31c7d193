"""The common primary key: a UUID made in Python, so that tables can be sharded (docs/database.md)."""

import uuid

from django.db import models


class KeyedModel(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta:
        abstract = True
