import pytest

from lectorium.providers import cancellation


@pytest.fixture
def stop_signal():
    """The stop signal of this test's model calls; set it, and their caller has stopped waiting."""
    signal = cancellation.Signal()
    token = cancellation.listen(signal)
    yield signal
    token.var.reset(token)
