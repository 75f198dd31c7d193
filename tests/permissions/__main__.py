"""Runs the permission matrix and writes its size and result.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.permissions

writes docs/results/permissions.md. What was found and mended is read from tests/permissions/found.txt.
"""

import resource
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "permissions.md"
FOUND = Path(__file__).with_name("found.txt")
NAMES = {
    "pages": "addresses of the table, each with its objects",
    "models": "pages that admin has for every model",
    "actions": "actions of admin, offered or forged",
    "events": "events of the socket",
    "tools": "tools for assistants",
}


class Collected:
    """What the tests counted, and which failed."""

    def __init__(self):
        self.cells, self.outcomes, self.addresses = Counter(), Counter(), 0

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.outcomes[report.outcome] += 1
            for name, value in report.user_properties:
                if name == "cells":
                    self.cells.update(value)
                if name == "addresses":
                    self.addresses = value


def cpu_seconds():
    return sum(getattr(resource.getrusage(resource.RUSAGE_SELF), name) for name in ("ru_utime", "ru_stime"))


def page(collected, seconds):
    lines = [
        "## Permission matrix",
        "",
        f"Every one of the site's {collected.addresses} addresses, admin included, and every action of admin, event of "
        "the socket and tool for assistants, as anonymous, reader, other reader, editor, reviewer, auditor and "
        "superuser, on objects that are their own, another's, unpublished, deleted, of another collection, and absent. "
        "What each gets stands in [one table](../../tests/permissions/expected.txt); what is missing there, or only "
        "there, fails the tests. A word that stands in one hidden object alone is looked for in every answer. "
        "Read by: `python -m tests.permissions`.",
        "",
        "| cells | of |",
        "|---|---|",
        *(f"| {collected.cells[name]:,} | {said} |" for name, said in NAMES.items()),
        f"| {sum(collected.cells.values()):,} | in all |",
        "",
        f"Tests passed: {collected.outcomes['passed']}; failed: {collected.outcomes['failed']}. "
        f"Took {seconds:.0f} s of CPU, the start and the filling of the site included.",
        "",
        "Found by it, and mended:",
        "",
        *(f"- {line}" for line in FOUND.read_text(encoding="utf-8").splitlines()),
        "",
    ]
    return "\n".join(lines)


def main():
    collected = Collected()
    status = pytest.main(["-q", "-p", "no:cacheprovider", str(Path(__file__).parent)], plugins=[collected])
    PAGE.write_text(page(collected, cpu_seconds()), encoding="utf-8")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
