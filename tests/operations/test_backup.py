import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from django.db import connection

from lectorium.postgres import EmbeddedPostgres, configuration
from operations.backup import BackupError, database_swap, programs, schema
from operations.backup.archive import MANIFEST, opened
from operations.backup.manifest import manifest_of

PROJECT = Path(__file__).resolve().parents[2]
QUESTION = "What does the lecture say of the wind and the lamp?"
ASK = ["ask", QUESTION, "--json"]
DATABASES = "SELECT count(*) FROM pg_database WHERE NOT datistemplate"
HELD = "SELECT (SELECT count(*) FROM corpus_lecture), (SELECT count(*) FROM chat_turn)"


# Runs commands one after another in a process of a site, and prints the output of each.
COMMANDS = """
import io, json, sys
import django
django.setup()
from django.core.management import CommandError, call_command
from lectorium.providers import registry
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
for role in ("reader", "verifier"):
    registry.replace_model(role, OverlapCrossEncoder())
for words in json.loads(sys.argv[1]):
    out, err, done = io.StringIO(), io.StringIO(), True
    try:
        call_command(*words, stdout=out, stderr=err)
    except CommandError as error:
        done = False
        err.write(str(error))
    print("\\n" + json.dumps({"done": done, "out": out.getvalue(), "err": err.getvalue()}))
"""


class Site:
    """An installation with its own state folder and database server, and a hashing embedder, which is fast."""

    def __init__(self, folder, **more):
        calibrations = folder / "calibrations"
        shutil.copytree(PROJECT / "tests" / "calibrations", calibrations, dirs_exist_ok=True)
        self.folder = folder
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "DJANGO_SETTINGS_MODULE": "lectorium.settings",
            "LECTORIUM_STATE": str(folder / "state"),
            "LECTORIUM_CALIBRATIONS": str(calibrations),
            "LECTORIUM_EMBEDDER": "hashing",
            "LECTORIUM_LOG_LEVEL": "ERROR",
            **more,
        }

    @property
    def server(self):
        return EmbeddedPostgres(self.folder / "state" / "postgres")

    def run(self, *commands):
        """Run commands in one process; return the success and output of each."""
        words = json.dumps([[str(word) for word in command] for command in commands])
        ran = subprocess.run([sys.executable, "-c", COMMANDS, words], cwd=PROJECT, env=self._environment,
                             capture_output=True, text=True, timeout=240, check=False)  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        said = [SimpleNamespace(**json.loads(line)) for line in ran.stdout.splitlines() if line.startswith('{"done"')]
        assert len(said) == len(commands), ran.stdout
        return said

    def query(self, sql):
        address = self.server.ensure_running()
        psql = [self.server.program("psql"), "-h", address.socket_dir, "-U", address.user, "-tAc", sql, "lectorium"]
        return subprocess.run(psql, capture_output=True, text=True, check=True).stdout.strip()


def answer(asked):
    response = json.loads(asked.out)
    return {name: response[name] for name in ("outcome", "answer", "citations", "confidence", "versions")}


@pytest.fixture(scope="module")
def folders():
    """Folders for sites, in memory if possible. Their servers are stopped at the end."""
    quick = configuration.SHARED_MEMORY if configuration.has_shared_memory() else None
    made = []

    def make():
        folder = Path(tempfile.mkdtemp(prefix="lectorium-", dir=quick))
        folder.chmod(0o755)
        made.append(folder)
        return folder

    yield make
    for folder in made:
        EmbeddedPostgres(folder / "state" / "postgres").stop()
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def filled(folders):
    """A site with the sample corpus, asked once and backed up."""
    site = Site(folders())
    path = site.folder / "site.backup"
    _, asked, _ = told = site.run(["prepare"], ASK, ["backup", path])
    assert all(outcome.done for outcome in told), told
    return SimpleNamespace(site=site, answer=answer(asked), path=path)


@pytest.fixture(scope="module")
def empty(folders):
    """A site with a running server and an empty database."""
    site = Site(folders())
    site.server.ensure_running()
    return site


def altered(source, target, change):
    """Copy an archive, with each member changed by change(name, content) -> (name, content), or None to drop it."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if kept := change(name, old.read(name)):
                new.writestr(*kept)
    return target


def manifest_with(change):
    def alter(name, content):
        if name != MANIFEST:
            return name, content
        values = json.loads(content)
        change(values)
        return name, json.dumps(values)

    return alter


def climbing(values):
    values["members"]["media/../../climbed.mp3"] = {"sha256": "0", "bytes": 0}


def newer(values):
    values["migrations"].append(["chat", "9999_from_tomorrow"])


def another_format(values):
    values["format"] = 2


def of_a_later_server(values):
    values["server"] = 99


def miscounted(values):
    values["counts"]["corpus_lecture"] += 1


def dump_changed(name, content):
    return name, content[:-9] + b"!" * 9 if name.endswith("dump") else content


def without(start):
    return lambda name, content: None if name.startswith(start) else (name, content)


REFUSED = {
    "a changed dump": (dump_changed, "damaged"),
    "a missing recording": (without("media"), "its manifest names"),
    "a path that climbs out": (manifest_with(climbing), "outside its folders"),
    "a newer release": (manifest_with(newer), "9999_from_tomorrow"),
    "another format": (manifest_with(another_format), "format"),
    "a later server": (manifest_with(of_a_later_server), "PostgreSQL 99"),
    "rows that did not come back": (manifest_with(miscounted), "corpus_lecture was backed up"),
    "no manifest": (without(MANIFEST), "not a Lectorium backup"),
}


@pytest.mark.slow
class TestARestoredSite:
    def test_refuses_a_damaged_archive_and_stays_unchanged(self, filled, empty, tmp_path):
        whole = filled.path.read_bytes()
        (tmp_path / "short").write_bytes(whole[: len(whole) // 2])
        paths = [altered(filled.path, tmp_path / f"{n}", change) for n, (change, _) in enumerate(REFUSED.values())]
        *refused, short = empty.run(*(["restore", path] for path in [*paths, tmp_path / "short"]))
        for outcome, (why, (_, said)) in zip(refused, REFUSED.items(), strict=True):
            assert not outcome.done, why
            assert said in outcome.err, why
        assert "truncated" in short.err
        assert empty.query("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace") == "0"
        assert empty.query(DATABASES) == "2"
        assert not list((empty.folder / "state").rglob("*.mp3"))

    def test_gives_the_same_answer_with_the_same_citations(self, filled, empty):
        assert filled.answer["citations"]
        assert filled.path.stat().st_mode & 0o077 == 0
        restored, asked = empty.run(["restore", filled.path], ASK)
        assert "answers come from hashing" in restored.out
        assert answer(asked) == filled.answer
        recordings = [sorted(p.name for p in (s.folder / "state").rglob("*.mp3")) for s in (filled.site, empty)]
        assert recordings[0] == recordings[1] != []

    def test_is_only_replaced_on_request_and_never_while_in_use(self, filled, empty):
        address = empty.server.address
        psql = [empty.server.program("psql"), "-h", address.socket_dir, "-U", address.user, "lectorium"]
        with subprocess.Popen(psql, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
            reader.stdin.write(b"SELECT 1;\n")
            reader.stdin.flush()
            reader.stdout.readline()
            not_told, in_use = empty.run(["restore", filled.path], ["restore", filled.path, "--replace"])
            reader.stdin.close()
        assert "--replace" in not_told.err
        assert "stop every web" in in_use.err
        empty.query("DELETE FROM chat_turn")
        assert empty.run(["restore", filled.path, "--replace"])[0].done
        assert empty.query(HELD) == filled.site.query(HELD)
        assert empty.query(DATABASES) == "2"

    def test_works_on_an_external_server_without_revealing_its_password(self, filled, empty, folders):
        empty.query("CREATE ROLE keeper LOGIN PASSWORD 'S3cretpw'")
        empty.query("CREATE DATABASE kept OWNER keeper")
        socket = empty.server.address.socket_dir
        site = Site(folders(), DATABASE_URL=f"postgres://keeper:S3cretpw@/kept?host={socket}")
        [may_not] = site.run(["restore", filled.path])
        assert "ALTER ROLE keeper CREATEDB" in may_not.err
        empty.query("ALTER ROLE keeper CREATEDB")
        [no_extension] = site.run(["restore", filled.path])
        assert "pg_restore failed" in no_extension.err
        assert "extension" in no_extension.err
        empty.query("ALTER ROLE keeper SUPERUSER")
        again, older = site.folder / "again", site.folder / "older"
        restored, asked, backed_up, *told = site.run(
            ["restore", filled.path], ASK, ["backup", again],
            ["migrate", "corpus", "0010"], ["backup", older], ["restore", older, "--replace"], ["migrate", "--check"],
        )  # fmt: skip
        assert all(outcome.done for outcome in told), told  # a backup of an older release is migrated
        assert "S3cretpw" not in f"{may_not} {no_extension} {restored} {backed_up} {told}"
        assert answer(asked) == filled.answer
        with opened(again, print) as later, opened(filled.path, print) as first:
            before = first.manifest.counts
            assert later.manifest.counts["corpus_chunk"] == before["corpus_chunk"] > 0
            assert later.manifest.counts["chat_turn"] == before["chat_turn"] + 1


PLACELESS = [
    "", "x", "/etc/passwd", "other/x", "media", "media/../x", "media\\x", "media//x", "media/a\nb",
    "calibrations/x", "calibrations/a/b.json", "./database.dump",
]  # fmt: skip


@pytest.mark.parametrize("name", PLACELESS)
def test_a_member_outside_the_backups_folders_is_refused(name):
    values = {"format": 1, "made_at": "", "server": 18, "program": 18, "space": "", "migrations": [], "counts": {},
              "members": {name: {"sha256": "", "bytes": 0}}}  # fmt: skip
    with pytest.raises(BackupError, match="outside its folders"):
        manifest_of(json.dumps(values).encode())


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"format": 1}', b"\xff", b'{"format": 1, "members": 3}'])
def test_an_invalid_manifest_is_refused_in_one_sentence(text):
    with pytest.raises(BackupError):
        manifest_of(text)


def test_the_program_matches_the_server_version_or_is_newer(monkeypatch):
    versions = {Path("of/package"): 18, Path("of/path"): 16}
    monkeypatch.setattr(programs, "_paths", lambda name: versions)
    monkeypatch.setattr(programs, "_major", versions.get)
    assert [programs.program_for("pg_dump", major).path.name for major in (15, 16, 17, 18)] == [
        "path", "path", "package", "package",
    ]  # fmt: skip
    with pytest.raises(BackupError, match="PostgreSQL 19 needs pg_dump of version 19 or later"):
        programs.program_for("pg_dump", 19)


@pytest.mark.django_db
def test_the_password_appears_neither_on_the_command_line_nor_in_errors(monkeypatch, tmp_path):
    teller = tmp_path / "teller"
    teller.write_text('#!/bin/sh\necho "$@ / $PGPASSWORD" >&2\nexit 3\n')
    teller.chmod(0o755)
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "S3cretpw")
    with (
        pytest.raises(BackupError, match=r"teller failed: .*-d kept / …") as refusal,
        programs.running(programs.Program(teller, 18), [], "kept"),
    ):
        pass
    assert "S3cretpw" not in str(refusal.value)


def test_failing_to_drop_the_old_database_does_not_undo_a_restore(monkeypatch):
    class Server:
        """A server that can rename, and drop only once."""

        def __init__(self):
            self.asked = []

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def transaction(self):
            return self

        def execute(self, query):
            self.asked.append(query.as_string().split()[0])
            if self.asked.count("DROP") == 2:
                raise psycopg.OperationalError("the server closed the connection")

    server = Server()
    monkeypatch.setattr(database_swap, "_elsewhere", lambda: server)
    monkeypatch.setattr(database_swap, "leave", lambda: None)
    database_swap.swap_in("lectorium_restoring_x")
    assert server.asked == ["DROP", "ALTER", "ALTER", "DROP"]


@pytest.mark.django_db
def test_a_freshly_migrated_database_counts_as_empty():
    assert schema.filled() == {}
