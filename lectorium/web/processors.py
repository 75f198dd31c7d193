"""How many processors this process may use."""

import os
from math import ceil
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of the control group, such as a container's: "200000 100000" is two


def processors(quota: Path = QUOTA) -> int:
    """The processors it may run on, or fewer where its container has a quota."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        share, period = quota.read_text(encoding="ascii").split()
        return min(allowed, max(1, ceil(int(share) / int(period))))
    except (OSError, ValueError):  # no control groups, or no quota: "max 100000"
        return allowed


def turns_at_once(allowed: int) -> int:
    """How many turns a web process runs at once on so many processors.

    A turn waits for the database and for chat models while others compute, so there are more turns than processors.
    More than 32 would wait for the threads and connections of the process.
    """
    return min(32, 4 * allowed)
