"""Workers that are killed, and tasks that are delivered twice."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from tests.drills.site import PROJECT
from tests.drills.test_full_disk import COUNTS, large_lecture

pytestmark = pytest.mark.slow
CLUSTER = 4  # processes below the first: guard, worker, pusher, monitor
CONFIRM = """
from pathlib import Path
from django.core.files.base import ContentFile
from corpus.models import Collection
from corpus.services import uploads
file = ContentFile(Path({file!r}).read_bytes(), name="large.md")
row = uploads.import_upload(files=[file], collection=Collection.objects.first(), by=None)
uploads.import_preview(import_id=row.pk)
uploads.import_confirm(import_id=row.pk)
"""
TWICE = """
from django_q.tasks import async_task
for _ in range(2):
    async_task("corpus.tasks.commit_import", str(row.pk))
    async_task("corpus.tasks.index_corpus")
"""
WAITING = "SELECT count(*) FROM django_q_ormq"
STATE = "SELECT string_agg(state, ',') FROM corpus_import WHERE files::text LIKE '%large.md%'"
VECTORS = """SELECT (SELECT count(*) FROM corpus_chunk) = (SELECT count(*) FROM corpus_chunkvector),
(SELECT count(*) FROM corpus_lecture WHERE title = 'The Large Garden')"""
LATER = "UPDATE django_q_ormq SET lock = now() - interval '1 second'"
FAILED = "SELECT count(*) FROM django_q_task WHERE NOT success"


def until(site, query, wanted, seconds=90):
    end = time.monotonic() + seconds
    while (found := site.query(query)) != wanted:
        assert time.monotonic() < end, f"{query} is {found}, not {wanted}:\n{site.log('worker').read_text()[-3000:]}"
        time.sleep(0.2)


def test_tasks_that_are_delivered_twice_to_two_clusters_are_done_once(site, tmp_path):
    site.manage("shell", "-c", CONFIRM.format(file=str(large_lecture(tmp_path, 0.2))) + TWICE)
    workers = [site.start_worker(LECTORIUM_WORKERS="2") for _ in range(2)]
    until(site, WAITING, "0")
    assert site.query(STATE) == "done"
    site.manage("index")
    assert site.query(VECTORS) == "t|1"
    assert site.query(FAILED) == "0"
    assert [worker.poll() for worker in workers] == [None, None]


def test_an_import_whose_worker_was_killed_stores_nothing_and_is_done_by_the_next_attempt(site, tmp_path):
    before = site.query(COUNTS)
    site.manage("shell", "-c", CONFIRM.format(file=str(large_lecture(tmp_path, 4))))
    worker = site.start_worker()
    writing = "SELECT count(*) > 0 FROM pg_stat_activity WHERE state <> 'idle' AND query LIKE 'COPY corpus_%'"
    until(site, writing, "t")
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    assert site.query(COUNTS) == before
    assert site.query(STATE) == "confirmed"
    site.query(LATER)  # the 65 minutes until the next attempt
    site.start_worker()
    until(site, STATE, "done")
    until(site, VECTORS, "t|1")


def test_no_process_of_a_cluster_outlives_its_parent_for_long(site):
    worker = site.start_worker()
    family, end = psutil.Process(worker.pid), time.monotonic() + 60
    while len(children := family.children(recursive=True)) < CLUSTER:
        assert time.monotonic() < end, children
        time.sleep(0.5)
    worker.kill()
    worker.wait()
    _, alive = psutil.wait_procs(children, timeout=20)
    assert not alive, [child.cmdline() for child in alive]


def test_an_index_run_whose_workers_are_killed_equals_an_undisturbed_one(site):
    site.server.stop()
    program = [sys.executable, "-m", "tests.drills.kill_index", "check"]
    environment = site.environment | {"LECTORIUM_STATE": str(site.folder / "index")}
    done = subprocess.run(program, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=240)
    subprocess.run([sys.executable, "manage.py", "stop"], cwd=PROJECT, env=environment, check=True, capture_output=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
