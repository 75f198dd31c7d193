import os
import subprocess
import sys

import pytest

from lectorium.providers.memory_release import ARENAS, EVERY, MemoryRelease


def freeing():
    freed, now = [], [0.0]
    return MemoryRelease(lambda: freed.append(now[0]), clock=lambda: now[0]), freed, now


def test_memory_is_given_back_now_and_then_however_often_it_is_asked_for():
    one, freed, now = freeing()
    for second in range(int(3.5 * EVERY)):
        now[0] = float(second)
        one.release_periodically()
    assert freed == [EVERY, 2 * EVERY, 3 * EVERY]


def test_memory_is_given_back_at_once_where_that_is_asked_for():
    one, freed, _ = freeing()
    one.release()
    assert freed == [0.0]


def test_who_asks_while_it_is_done_does_not_wait():
    one, freed, now = freeing()
    now[0] = EVERY
    with one._lock:
        one.release_periodically()
    assert freed == []


def test_a_failure_leaves_it_to_the_next_time():
    one, freed, now = freeing()
    now[0], one._free = EVERY, lambda: 1 / 0
    with pytest.raises(ZeroDivisionError):
        one.release_periodically()
    one._free = lambda: freed.append("again")
    one.release_periodically()
    assert freed == ["again"]


THREADS = """
import ctypes, os, threading
import django
django.setup()
every = threading.Barrier(31)

def work():
    kept = [bytearray(1000) for _ in range(100)]
    every.wait()
    every.wait()

for _ in range(30):
    threading.Thread(target=work, daemon=True).start()
every.wait()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
to_read, to_write = os.pipe()
file = ctypes.c_void_p(libc.fdopen(to_write, b"w"))
libc.malloc_info(0, file)
libc.fflush(file)
print(os.read(to_read, 2**16).decode().count("<heap nr="))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks glibc")
def test_threads_of_a_process_share_a_few_arenas():
    settings = os.environ | {"DJANGO_SETTINGS_MODULE": "lectorium.settings"}
    found = subprocess.run([sys.executable, "-c", THREADS], env=settings, capture_output=True, text=True, check=True)
    assert int(found.stdout) == ARENAS
