"""LangChain's ChatOpenAI against the real application, where `python -m tests.api` names a Python that has it."""

import os
import subprocess

import pytest

from tests.api.conftest import QUESTION
from tests.live_server import LiveServer

PYTHON = os.environ.get("LANGCHAIN_PYTHON", "")
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON, reason="python -m tests.api runs it: langchain-openai has its own environment"),
]


def test_langchains_client_asks_unchanged(alice, record_property):
    command = [PYTHON, "tests/drills/langchain_client.py"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with LiveServer() as server:
        drill = subprocess.run(
            [*command, server.url, alice.secret, QUESTION], capture_output=True, text=True, check=False, env=environment
        )
    assert drill.returncode == 0, drill.stderr[-2000:]
    record_property("transcript", drill.stdout)
