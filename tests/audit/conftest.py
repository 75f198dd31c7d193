from datetime import timedelta

import pytest

from audit.guards import metric_record
from tests.audit.weeks import NOON
from tests.chat.conftest import corpus

__all__ = ["corpus"]


@pytest.fixture
def rising():
    """Four weeks in which more facts are blocked each week."""
    for week, blocked in enumerate((20, 30, 40, 50)):
        metric_record(metric="guard1_block_rate", hits=blocked, total=1000, at=NOON + timedelta(weeks=week))
