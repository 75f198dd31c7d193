import os

import pytest

from lectorium.web.processors import processors, turns_at_once

ALL = len(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    ("quota", "allowed"),
    [("100000 100000", 1), ("50000 100000", 1), ("100000000 100000", ALL), ("max 100000", ALL), ("", ALL)],
)
def test_a_container_with_a_quota_uses_no_more_processors_than_that(tmp_path, quota, allowed):
    (tmp_path / "cpu.max").write_text(quota)
    assert processors(tmp_path / "cpu.max") == allowed


def test_without_control_groups_every_processor_it_may_run_on_counts(tmp_path):
    assert processors(tmp_path / "missing") == ALL


def test_more_processors_run_more_turns_at_once_up_to_the_threads_of_a_process():
    assert [turns_at_once(allowed) for allowed in (1, 2, 4, 8, 64)] == [4, 8, 16, 32, 32]
