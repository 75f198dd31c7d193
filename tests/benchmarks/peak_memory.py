"""The most memory that processes had together while something ran."""

import threading

import psutil
from django.conf import settings

from lectorium.postgres.postmaster import read_pid_file


class PeakMemory(threading.Thread):
    """Looks twice a second from the start of the `with` block to its end. peak: the most proportional set size, in
    bytes. processes: a function that returns the processes that count now."""

    def __init__(self, processes):
        super().__init__(daemon=True)
        self.peak, self._processes, self._over = 0, processes, threading.Event()

    def run(self):
        while True:
            self.peak = max(self.peak, sum(map(_memory, self._processes())))
            if self._over.wait(0.5):
                return

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *error):
        self._over.set()
        self.join()


def database_processes():
    """The database's server and all that it has started."""
    server = psutil.Process(read_pid_file(settings.EMBEDDED_POSTGRES.place).pid)
    return [server, *server.children()]


def _memory(process):
    try:
        return process.memory_full_info().pss
    except psutil.NoSuchProcess:
        return 0
