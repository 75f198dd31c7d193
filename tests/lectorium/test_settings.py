"""Every setting is in the operator's table."""

import os
import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_every_variable_that_is_read_has_its_row():
    source = (PROJECT / "lectorium" / "settings.py").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \|", (PROJECT / "docs" / "operators.md").read_text(encoding="utf-8"), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`([A-Z_<>]+)`", row)}
    read = set(re.findall(r'env\.(?!langfuse)\w+\(\s*"([A-Z_]+)"', source))
    assert len(read) > 40
    assert read - listed == set()


def test_a_pool_keeps_the_options_of_the_addresses_and_a_replica_is_waited_for_as_its_address_says():
    script = "from django.conf import settings; print([base['OPTIONS'] for base in settings.DATABASES.values()])"
    told = {"DATABASE_URL": "postgres://a@b/c?sslmode=require", "REPLICA_URL": "postgres://a@d/c?connect_timeout=7",
            "LECTORIUM_DB_POOL": "4"}  # fmt: skip
    environment = {**os.environ, **told, "DJANGO_SETTINGS_MODULE": "lectorium.settings"}
    done = subprocess.run([sys.executable, "-c", script], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert "'sslmode': 'require'" in done.stdout, done.stderr
    assert done.stdout.count("'max_size': 4") == 2
    assert "'connect_timeout': 7" in done.stdout
    assert "'keepalives_idle': 5" in done.stdout
