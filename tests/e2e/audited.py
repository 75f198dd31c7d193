"""Asks one question of the sample corpus and prints the path of its audit page; run by `manage.py shell`."""

import asyncio

from django.urls import reverse

from audit.models import TurnAudit
from lectorium import asking

asyncio.run(asking.ask("What does dharma mean?", mode="instant", record=True))
print(reverse("audit_turn", args=[TurnAudit.objects.latest("created_at").pk]))
