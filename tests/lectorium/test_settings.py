"""Every setting is in the operator's table."""

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_every_variable_that_is_read_has_its_row():
    source = (PROJECT / "lectorium" / "settings.py").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \|", (PROJECT / "docs" / "operators.md").read_text(encoding="utf-8"), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`([A-Z_<>]+)`", row)}
    read = set(re.findall(r'env\.(?!langfuse)\w+\(\s*"([A-Z_]+)"', source))
    assert len(read) > 40
    assert read - listed == set()
