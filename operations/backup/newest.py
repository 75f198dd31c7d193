"""When this machine last made a backup, as its state folder says."""

import json
from datetime import datetime

from django.conf import settings
from django.utils import timezone


def newest_note(name: str) -> None:
    """Note that a backup of this file name was made now."""
    path = settings.STATE_DIR / "backup.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"made_at": timezone.now().isoformat(), "name": name}), encoding="utf-8")


def newest() -> tuple[datetime, str] | None:
    """Return when the newest backup was made, and its file's name; None where none is known."""
    try:
        said = json.loads((settings.STATE_DIR / "backup.json").read_text(encoding="utf-8"))
        return datetime.fromisoformat(said["made_at"]), str(said["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
