"""A plugin that prints what each folder's tests cost: `pytest -p tests.benchmarks.costs -m "not slow" tests/chat`.

CPU seconds of the test process, of the processes it started and of the tests' database server, with setup and teardown.
Unlike seconds on the clock they hardly change with the machine's load. Starting and collecting are not counted, nor is
the database server of the journeys' site.
"""

import os
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

TICKS = os.sysconf("SC_CLK_TCK")
MOST = 30  # of the most expensive tests
PARTS = ("tests", "their processes", "database")


class Costs:
    def __init__(self):
        self.folders, self.tests, self.count = {}, Counter(), Counter()

    def add(self, test, spent):
        folder = "/".join(test.partition("::")[0].split("/")[:2])
        self.folders.setdefault(folder, Counter()).update(spent)
        self.tests[test] += sum(spent.values())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        processes, before = processes_cpu(), own_cpu()  # in this order: looking through /proc is not counted
        try:
            return (yield)
        finally:
            own = own_cpu() - before
            after = processes_cpu()
            self.count["/".join(item.nodeid.partition("::")[0].split("/")[:2])] += 1
            self.add(item.nodeid, {"tests": own} | {part: after[part] - processes[part] for part in after})

    def pytest_terminal_summary(self, terminalreporter):
        write = terminalreporter.write_line
        write("CPU seconds: " + ", ".join(PARTS))
        for folder, spent in sorted(self.folders.items()):
            parts = ", ".join(f"{spent[part]:.1f}" for part in PARTS)
            write(f"{sum(spent.values()):7.1f}  {folder}, {self.count[folder]} tests: {parts}")
        for test, seconds in self.tests.most_common(MOST):
            write(f"{seconds:7.1f}  {test}")


def own_cpu():
    times = os.times()
    return times.user + times.system


def processes_cpu():
    """The CPU seconds so far of the test process's descendants and of the database server, ended processes included."""
    seconds, children = Counter(), {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        pid = int(path.parent.name)
        children.setdefault(int(fields[1]), []).append(pid)
        seconds[pid] = sum(map(int, fields[11:15])) / TICKS  # its own, and those of its children that ended

    def tree(pid):
        return seconds[pid] + sum(map(tree, children.get(pid, ())))

    return {"their processes": tree(os.getpid()) - own_cpu(), "database": tree(_postmaster())}


def _postmaster():
    try:
        return int((settings.STATE_DIR / "postgres" / "data" / "postmaster.pid").read_text().split()[0])
    except OSError:  # not started yet
        return None


def pytest_configure(config):
    config.pluginmanager.register(Costs())
