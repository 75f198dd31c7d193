import pytest

from lectorium.providers import stopping


@pytest.fixture
def stop_signal():
    """The stop signal of this test's model calls; set it, and their caller has stopped waiting."""
    signal = stopping.Signal()
    token = stopping.listen(signal)
    yield signal
    token.var.reset(token)
