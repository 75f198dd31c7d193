"""Asks the running application by its own document and with LangChain's client, and writes what came of it.

    python3 -m venv /tmp/langchain && /tmp/langchain/bin/pip install langchain-openai
    LECTORIUM_STATE=$(mktemp -d) LANGCHAIN_PYTHON=/tmp/langchain/bin/python .venv/bin/python -m tests.api

writes docs/results/api.md. What was found and mended is read from tests/api/found.txt.
"""

import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "api.md"
FOUND = Path(__file__).with_name("found.txt")
TESTS = ("test_schema_fuzz.py", "test_langchain.py")
RUNS = {
    "invented": "ids and cursors that schemathesis invents, valid and invalid requests",
    "present": "ids and cursors of what is there; valid requests must be taken",
}


class RecordedFigures:
    """What the tests recorded, and which failed."""

    def __init__(self):
        self.values, self.outcomes = {}, []

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.outcomes.append(report.outcome)
            self.values.update(report.user_properties)


def page(recorded, seconds):
    runs = [(RUNS[name], recorded.values[name]) for name in RUNS]
    examples = recorded.values["examples"]
    cases = sum(figures["cases"] for _, figures in runs)
    failed = sum(outcome == "failed" for outcome in recorded.outcomes)
    return "\n".join(
        [
            "## The REST interface, by its own document",
            "",
            f"schemathesis {version('schemathesis')} reads the OpenAPI document of the running application and sends "
            f"what it describes, and what it forbids: up to {examples} examples an operation, and every boundary that "
            "it derives. It fails on a status of 500 or more, on a status, content type, header or body that the "
            "document does not have, on an invalid request that is taken, and on a missing token that is let in. It "
            "comes as an editor's program with access draft, over a real port. Written by: `python -m tests.api`; "
            "`make test-slow` runs the same tests.",
            "",
            "| run | operations | cases |",
            "|---|---|---|",
            *(f"| {said} | {figures['operations']} | {figures['cases']:,} |" for said, figures in runs),
            f"| in all | | {cases:,} |",
            "",
            f"Tests passed: {recorded.outcomes.count('passed')}; failed: {failed}. Took {seconds:.0f} s.",
            "",
            "Found, and mended:",
            "",
            *(f"- {line}" for line in FOUND.read_text(encoding="utf-8").splitlines()),
            "",
            "## LangChain",
            "",
            "LangChain's `ChatOpenAI`, unchanged, from an environment of its own "
            "(`tests/drills/langchain_client.py`, run by the same command), asked the tests' small corpus:",
            "",
            *(f"    {line}" for line in recorded.values.get("transcript", "not run").splitlines()),
            "",
        ]
    )


def main():
    recorded, began = RecordedFigures(), time.monotonic()
    paths = [str(Path(__file__).with_name(name)) for name in TESTS]
    status = pytest.main(["-q", "-p", "no:cacheprovider", *paths], plugins=[recorded])
    PAGE.write_text(page(recorded, time.monotonic() - began), encoding="utf-8")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
