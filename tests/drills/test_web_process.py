"""A web process that is killed or told to stop, at the worst moments."""

import pytest

pytestmark = pytest.mark.slow


async def test_quick(site):
    site.start_web()
    events = await site.reader().ask()
    assert events[-1]["outcome"] == "grounded", events
