"""Demo accounts for one machine: a reader, an editor and an auditor."""

import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, Permission

PERMISSIONS = {"reader": (), "editor": ("corpus", "curation"), "auditor": ("audit", "chat")}
VIEW_ONLY = {"auditor"}
ALSO = {
    "editor": ("view_knowledgegap", "change_knowledgegap", "view_feedback", "change_feedback"),
    "auditor": ("change_feedback",),
}


def demo_accounts_make(users: Any) -> dict[str, str]:
    """Create missing demo accounts and return passwords by user name. Only for the embedded database.

    Passwords are generated once and stored in the state folder, readable by its owner only.
    """
    passwords = {}
    for name, apps in PERMISSIONS.items():
        passwords[name] = _password(settings.STATE_DIR / "demo" / f"{name}.txt")
        user, _ = users.objects.get_or_create(username=name, defaults={"is_staff": bool(apps)})
        if not user.check_password(passwords[name]):
            user.set_password(passwords[name])
            user.save()
        user.groups.set([_group(name, apps)])
    return passwords


def _group(name: str, apps: tuple[str, ...]) -> Group:
    group, _ = Group.objects.get_or_create(name=name)
    allowed = Permission.objects.filter(content_type__app_label__in=apps)
    allowed = allowed.filter(codename__startswith="view_") if name in VIEW_ONLY else allowed
    group.permissions.set([*allowed, *Permission.objects.filter(codename__in=ALSO.get(name, ()))])
    return group


def _password(path: Path) -> str:
    if path.is_file():
        return path.read_text(encoding="ascii").strip()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)
    password = secrets.token_urlsafe(9)
    path.write_text(password + "\n", encoding="ascii")
    return password
