"""The web server as `manage.py serve` starts it."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from django.conf import settings

from tests.ports import free_port


@pytest.fixture
def server(tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "lectorium.web.server", "-v", "0", "-p", str(port), "lectorium.asgi:application"]
    environment = {**os.environ, "LECTORIUM_STATE": str(tmp_path)}
    process = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/healthz", timeout=2).close()
                break
            except OSError:
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def test_a_form_is_left_to_the_application_and_too_large_a_one_is_refused_in_a_sentence(server):
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    request = urllib.request.Request(f"{server}/login/", data=b"a" * 3_000_000, headers=form)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    with refused.value as answer:
        assert answer.code == 413
        assert answer.read() == b"The request exceeds this page's limit of 2.5 MB."
