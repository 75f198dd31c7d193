"""Importing, indexing, answering and serving need no network but the configured database."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

ALONE = ["unshare", "--map-root-user", "--net"] if os.getuid() else ["unshare", "--net"]


@pytest.mark.slow
@pytest.mark.model
def test_the_site_imports_indexes_and_answers_without_a_network(tmp_path):
    if subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lends no network namespace")
    done = subprocess.run(
        [*ALONE, sys.executable, "-m", "tests.drills.without_network"],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "LECTORIUM_STATE": str(tmp_path), "LECTORIUM_READER": "small"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["reached"] == []
    assert found["outcome"] == "grounded"
    assert set(found["pages"].values()) == {200}
