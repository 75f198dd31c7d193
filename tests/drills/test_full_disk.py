"""A disk that is full, on a small file system of its own, and one that became read-only."""

import contextlib
import os
import re
import shutil
import subprocess

import pytest

from tests.drills.conftest import new_folder
from tests.drills.site import DrillSite

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="Only root mounts file systems."),
]
TRIES = 50
ROOM = 40  # megabytes beside the site's data
UPLOAD = """
from django.core.files.base import ContentFile
from corpus.importers.refusal import ImportRefused
from corpus.models import Collection
from corpus.services.uploads import import_upload
files = [ContentFile(b"words " * 200_000, name=f"{n}.txt") for n in range(3)]
try:
    import_upload(files=files, collection=Collection.objects.first(), by=None)
    print("stored")
except ImportRefused as refusal:
    print(refusal)
"""
FILL_LOG = "SELECT pg_logical_emit_message(false, 'drill', repeat('x', 1000000)) FROM generate_series(1, 500)"
COUNTS = "SELECT (SELECT count(*) FROM corpus_lecture), (SELECT count(*) FROM corpus_chunk)"


class SmallDisk:
    def __init__(self, folder):
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self, left=0):
        """Leave this many kilobytes free. The site may take some room meanwhile; then it is measured again."""
        for _ in range(TRIES):
            with self._filler.open("wb") as file, contextlib.suppress(OSError):
                size = shutil.disk_usage(self.folder).free - left * 1024
                os.posix_fallocate(file.fileno(), 0, max(1, size))
                return
        raise AssertionError("the disk could not be filled")

    def free(self):
        self._filler.unlink()


def remount(folder, how):
    subprocess.run(["mount", "-o", f"remount,{how}", folder], check=True)


@pytest.fixture
def disk(filled_folder):
    """A small file system that holds a site's folder."""
    folder = new_folder()
    used = sum(path.stat().st_blocks * 512 for path in filled_folder.rglob("*") if path.is_file())
    size = f"size={used // 2**20 + ROOM}m,mode=755"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], check=False).returncode:
        pytest.skip("This system mounts no file systems.")
    subprocess.run(["cp", "-a", f"{filled_folder}/.", folder], check=True)
    yield SmallDisk(folder)
    subprocess.run(["umount", "-l", folder], check=True)
    folder.rmdir()


@pytest.fixture
def small(disk):
    site = DrillSite(disk.folder)
    site.log = lambda name: disk.folder.with_name(f"{disk.folder.name}-{name}.log")
    yield site
    site.close()
    for log in disk.folder.parent.glob(f"{disk.folder.name}-*.log"):
        log.unlink()


def large_lecture(folder, megabytes):
    sentence = "The gardener of the hill number {} counted the almond trees before the rain came. "
    text = "\n\n".join("".join(sentence.format(n * 7 + m) for m in range(7)) for n in range(round(megabytes * 1700)))
    (folder / "large.md").write_text(f"# The Large Garden\n\n{text}\n", encoding="utf-8")
    return folder / "large.md"


async def test_questions_on_a_full_disk_fail_in_a_sentence_and_are_answered_once_there_is_room(disk, small):
    web = small.start_web()
    reader = small.reader()
    assert (await reader.ask())[-1]["outcome"] == "grounded"
    disk.fill()
    outcomes = []
    for _ in range(40):
        last = (await reader.ask())[-1]
        outcomes.append(last.get("outcome") or last["code"])
    disk.free()
    assert "unavailable" in outcomes or "failed" in outcomes
    assert (await reader.ask())[-1]["outcome"] == "grounded"
    assert web.poll() is None


def test_an_import_on_a_full_disk_stores_nothing_and_succeeds_once_there_is_room(disk, small, tmp_path):
    before = small.query(COUNTS)
    file = large_lecture(tmp_path, 4)
    disk.fill(300)
    failed = small.manage("import_lectures", file, check=False)
    assert failed.returncode == 1
    assert re.search(r"^The database failed: .*No space left on device", failed.stderr, re.M)
    assert "Traceback" not in failed.stderr
    disk.free()
    assert small.query(COUNTS) == before
    small.manage("import_lectures", file)
    assert small.query(COUNTS) != before


@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_an_upload_that_cannot_be_stored_is_refused_in_a_sentence_and_leaves_nothing(disk, new_site, fault):
    site = new_site(LECTORIUM_MEDIA=str(disk.folder / "media"))
    if fault == "full":
        disk.fill()
    else:
        remount(disk.folder, "ro")
    refused = site.manage("shell", "-v", "0", "-c", UPLOAD)
    assert "The files could not be stored (" in refused.stdout
    assert {"full": "No space left on device", "read-only": "Read-only file system"}[fault] in refused.stdout
    assert site.query("SELECT count(*) FROM corpus_import WHERE state = 'uploaded'") == "0"
    if fault == "full":
        disk.free()
    else:
        remount(disk.folder, "rw")
    assert not [path for path in (disk.folder / "media").rglob("*") if path.is_file() and "imports" in path.parts]
    assert "stored" in site.manage("shell", "-v", "0", "-c", UPLOAD).stdout.splitlines()[-1]


async def test_a_database_whose_log_finds_no_room_ends_and_serves_again_once_there_is(site, tmp_path):
    """PostgreSQL ends itself when it cannot write its log, and cannot start before there is room."""
    web, reader = site.start_web(), site.reader()
    before, file = site.query(COUNTS), large_lecture(tmp_path, 1)
    site.server.stop()
    with log_on_a_small_disk(site) as log:
        with pytest.raises(subprocess.CalledProcessError):
            site.query(FILL_LOG)
        failed = site.manage("import_lectures", file, check=False)
        assert failed.returncode == 1
        assert "No space left on device" in failed.stderr
        assert "Traceback" not in failed.stderr
        assert site.status("readyz")[0] == 503
        remount(log, "size=600m")
        assert site.query(COUNTS) == before
        site.manage("import_lectures", file)
        assert (await reader.ask())[-1]["outcome"] == "grounded"
        assert web.poll() is None


@contextlib.contextmanager
def log_on_a_small_disk(site):
    """Move the database's log to a file system with half a segment to spare."""
    log = site.server.place.data / "pg_wal"
    moved = log.with_name("pg_wal.moved")
    log.rename(moved)
    log.mkdir()
    used = sum(path.stat().st_size for path in moved.rglob("*") if path.is_file()) // 2**20
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={used + 8}m", "tmpfs", log], check=True)
    try:
        subprocess.run(["cp", "-a", f"{moved}/.", log], check=True)
        shutil.copystat(moved, log)
        os.chown(log, moved.stat().st_uid, moved.stat().st_gid)
        yield log
    finally:
        site.server.stop()
        subprocess.run(["umount", "-l", log], check=True)


def test_a_read_only_state_folder_is_named_at_start_and_the_site_serves_again_afterwards(disk, small):
    remount(disk.folder, "ro")
    for command in ("migrate", "serve", "prepare", "qcluster"):
        refused = small.manage(command, check=False, LECTORIUM_PORT=str(small.port))
        assert refused.returncode == 1
        assert re.search(rf"Read-only file system: '{disk.folder}/state", refused.stderr)
        assert "Traceback" not in refused.stderr
    web = small.start_web(wait="healthz")
    status, says = small.status("readyz")
    print(status, says)
    assert "The database cannot be reached." in says
    remount(disk.folder, "rw")
    small.wait_for("readyz", web)
