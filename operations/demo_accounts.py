"""Demo accounts for one machine: one for each group of the product."""

import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group

from operations.groups import GROUPS, groups_make


def demo_accounts_make(users: Any) -> dict[str, str]:
    """Create missing demo accounts and return passwords by user name. Only for the embedded database.

    Passwords are generated once and stored in the state folder, readable by its owner only.
    """
    passwords = {}
    groups_make()
    for name, rights in GROUPS.items():
        passwords[name] = _password(settings.STATE_DIR / "demo" / f"{name}.txt")
        user, _ = users.objects.get_or_create(username=name, defaults={"is_staff": bool(rights.apps)})
        if not user.check_password(passwords[name]):
            user.set_password(passwords[name])
            user.save()
        user.groups.set([Group.objects.get(name=name)])
    return passwords


def _password(path: Path) -> str:
    if path.is_file():
        return path.read_text(encoding="ascii").strip()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)
    password = secrets.token_urlsafe(9)
    path.write_text(password + "\n", encoding="ascii")
    return password
