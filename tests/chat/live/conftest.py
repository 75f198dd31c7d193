import pytest

from chat.live import follow, running


@pytest.fixture
def short_waits(monkeypatch):
    """Wait tenths of a second for a process that is gone, instead of eight seconds in all."""
    monkeypatch.setattr(running, "SECONDS", 0.1)
    monkeypatch.setattr(follow, "STOPPED_IN", 0.1)
