"""This machine's latest backup, as recorded in the state folder."""

import json
from datetime import datetime

from django.conf import settings
from django.utils import timezone


def record_newest(name: str) -> None:
    """Record a backup made now."""
    path = settings.STATE_DIR / "backup.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"made_at": timezone.now().isoformat(), "name": name}), encoding="utf-8")


def newest() -> tuple[datetime, str] | None:
    """(time, file name) of the latest backup; None if unknown."""
    try:
        said = json.loads((settings.STATE_DIR / "backup.json").read_text(encoding="utf-8"))
        return datetime.fromisoformat(said["made_at"]), str(said["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
