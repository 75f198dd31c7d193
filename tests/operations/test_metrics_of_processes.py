"""Web and worker processes of a machine count together."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families as families

from operations import metrics_page

ROOT = Path(__file__).resolve().parents[2]
WEB = """
from lectorium.metrics import SOCKETS, turn_counted
turn_counted(outcome="grounded", mode="auto", reason="", timings_ms={"total": 1200})
SOCKETS.inc()
"""
WORKER = """
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
import django
django.setup()
from django_q.signals import post_execute
from lectorium.management.commands.qcluster import count_jobs
from lectorium.metrics import SOCKETS, turn_counted
count_jobs()
turn_counted(outcome="grounded", mode="auto", reason="", timings_ms={"total": 300})
for succeeded in (True, True, False):
    post_execute.send(sender="django_q", func=None, task={"func": "corpus.tasks.index_corpus", "success": succeeded})
"""
WAIT = "\nprint('counted', flush=True)\ninput()\n"


@contextmanager
def process(code, folder):
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)}
    command = [sys.executable, "-c", code + WAIT]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as running:
        assert running.stdout.readline() == "counted\n"
        yield running
        running.kill()


def scraped(client):
    metrics_page.shared.forget()
    text = client.get("/metrics").content.decode()
    samples = [sample for family in families(text) for sample in family.samples]
    return {(sample.name, *sorted(sample.labels.values())): sample.value for sample in samples}


@pytest.mark.django_db
def test_turns_and_jobs_of_two_processes_are_in_one_scrape_and_outlive_them(client, tmp_path, monkeypatch):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    with process(WEB, tmp_path), process(WORKER, tmp_path):
        found = scraped(client)
        assert found["lectorium_sockets",] == 1
    after = scraped(client)
    for seen in (found, after):
        assert seen["lectorium_turns_total", "auto", "grounded"] == 2
        assert seen["lectorium_turn_stage_seconds_count", "total"] == 2
        assert seen["lectorium_jobs_total", "corpus.tasks.index_corpus", "succeeded"] == 2
        assert seen["lectorium_jobs_total", "corpus.tasks.index_corpus", "failed"] == 1
    assert after.get(("lectorium_sockets",), 0) == 0, "a killed process has no open connections"


@pytest.mark.django_db
def test_without_a_folder_each_process_counts_alone(client, monkeypatch, tmp_path):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path / "gone"))
    assert ("lectorium_sockets",) in scraped(client)
