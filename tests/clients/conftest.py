import pytest

from tests.api.conftest import alice, bob, nothing_is_counted_yet  # noqa: F401 - fixtures
from tests.chat.conftest import corpus, people  # noqa: F401 - fixtures
from tests.live_server import LiveServer


@pytest.fixture
def site(transactional_db):
    with LiveServer() as server:
        yield server
