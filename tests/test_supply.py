"""What the product is built from: packages locked by their sha256 and licensed acceptably, and every foreign file."""

import hashlib
import json
import re
import subprocess
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scripts import licences, vulnerabilities

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("run", "dev", "langfuse", "s3", "speech")
VENDORED = {entry["path"]: entry for entry in tomllib.loads((ROOT / "locks/vendored.toml").read_text())["file"]}
MADE = re.compile(r"^(samples/(lectures|works)/|lectorium/providers/.*(\.safetensors|tokenizer\.json)$)")
FOREIGN = re.compile(r"copyright|licen[cs]ed under|@license|sourceMappingURL", re.IGNORECASE)
MINIFIED = 2000  # characters of a line of script or style


def lock(name):
    return (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8")


def pinned(text):
    """Version by package name, as files of requirements and locks write it."""
    found = re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==([\w.+]+)", text, re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in found}


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_a_sha256(name):
    for requirement in lock(name).replace("\\\n", " ").splitlines():
        assert re.fullmatch(r"[\w.\[\],-]+==\S+( *;.*?)?( +--hash=sha256:[0-9a-f]{64})+ *", requirement), requirement


@pytest.mark.parametrize(
    ("requirements", "name"),
    [
        ("", "run"),
        ("", "dev"),
        ("-dev", "dev"),
        ("-langfuse", "dev"),
        ("-langfuse", "langfuse"),
        ("-s3", "s3"),
        ("-speech", "speech"),
    ],
)
def test_what_is_required_is_locked_in_the_same_version(requirements, name):
    wanted = pinned((ROOT / f"requirements{requirements}.txt").read_text(encoding="utf-8"))
    wanted.pop("torch", None)  # locked by its version alone: locks/overrides.txt
    assert wanted.items() <= pinned(lock(name)).items()


def test_no_two_locks_disagree_about_a_version():
    versions = {}
    for name in LOCKS:
        for package, version in pinned(lock(name)).items():
            assert versions.setdefault(package, version) == version, package


@pytest.mark.parametrize("name", ["Makefile", "Dockerfile"])
def test_packages_are_installed_by_their_sha256_and_torch_alone_by_its_version(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    installs = [
        line for line in text.splitlines() if re.search(r"pip install|\$\(PIP\)", line) and "PIP :=" not in line
    ]
    assert any("--no-deps --require-hashes -r locks/" in line for line in installs)
    assert [line for line in installs if "--require-hashes" not in line and "'^torch=='" not in line] == []
    assert "pip check" in text


@pytest.mark.parametrize("path", VENDORED)
def test_a_vendored_file_is_the_one_that_was_listed(path):
    entry = VENDORED[path]
    assert hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == entry["sha256"]
    assert all(entry[field] for field in ("origin", "version", "licence"))


def test_every_file_that_others_made_or_a_program_wrote_is_listed():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert [path for path in tracked.splitlines() if MADE.match(path) and path not in VENDORED] == []
    for path in (ROOT / "static").rglob("*.*"):
        name, text = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        longest = max(map(len, text.splitlines()), default=0)
        assert name in VENDORED or not (FOREIGN.search(text) or (path.suffix != ".svg" and longest > MINIFIED)), name


@pytest.mark.parametrize(
    ("expression", "accepted"),
    [
        ("MIT", True),
        ("Apache-2.0 AND Apache-2.0 WITH LLVM-exception AND MIT", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only AND MIT", False),
        ("AGPL-3.0-or-later", False),
        ("unknown", False),
    ],
)
def test_a_licence_is_accepted_if_each_of_its_parts_or_one_of_its_alternatives_is(expression, accepted):
    assert licences.is_accepted(expression) is accepted


def test_the_page_of_licences_names_every_locked_package_and_what_was_written_is_read_again():
    stated = licences.stated_in((ROOT / "docs/licences.md").read_text(encoding="utf-8"))
    assert set(stated) == licences.locked(*licences.LOCKS) | {"torch"}
    assert licences.stated_in(licences.text_of(stated)) == stated
    assert [name for name, said in stated.items() if not licences.is_accepted(said)] == []


def test_a_report_names_vulnerabilities_and_what_could_not_be_looked_up():
    known = {"id": "PYSEC-1", "fix_versions": ["2.1"]}
    report = vulnerabilities.report_of(
        '{"dependencies": [{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "not found"},'
        ' {"name": "c", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}]}]}'
    )
    assert report == vulnerabilities.AuditReport(2, ("b",), (f"c 2: {known['id']}, fixed in 2.1",))


def test_without_a_network_the_look_up_is_skipped_in_a_line(monkeypatch, capsys):
    monkeypatch.setattr(vulnerabilities, "ADDRESS", "http://127.0.0.1:9/{name}/{version}/json")
    assert vulnerabilities.main() == 0
    said = capsys.readouterr().out
    assert said.startswith("vulnerabilities: skipped")
    assert said.count("\n") == 1


def test_a_report_on_no_package_is_not_a_clean_one(monkeypatch, capsys):
    monkeypatch.setattr(vulnerabilities, "unreachable", lambda pin: "")
    skipped = '{"dependencies": [{"name": "django", "skip_reason": "Dependency not found on PyPI"}]}'
    monkeypatch.setattr(vulnerabilities, "pip_audit", lambda pinned: (skipped, ""))
    assert vulnerabilities.main() == 0
    assert "no known vulnerabilities" not in capsys.readouterr().out


class FakeIndex(BaseHTTPRequestHandler):
    """An index of packages in which every version of the package `vulnerable` has a known vulnerability."""

    vulnerable = ""

    def do_GET(self):
        self._answer({"vulnerabilities": []})

    def do_POST(self):
        package = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["package"]
        events = [{"introduced": "0"}, {"fixed": "99.0"}]
        affected = [{"package": package, "ranges": [{"type": "ECOSYSTEM", "events": events}]}]
        is_known = package["name"] == self.vulnerable
        self._answer({"vulns": [{"id": "PYSEC-2026-1", "summary": "Bad.", "affected": affected}]} if is_known else {})

    def _answer(self, values):
        body = json.dumps(values).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def index(monkeypatch):
    """A local index, which the check asks about two packages."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), FakeIndex)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(vulnerabilities, "ADDRESS", address + "/{name}/{version}/json")
    monkeypatch.setattr(vulnerabilities, "SERVICE", ("--vulnerability-service", "osv", "--osv-url", address))
    monkeypatch.setattr(vulnerabilities, "pins", lambda: ["django==5.2", "psycopg==3.2"])
    yield
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("vulnerable", "said"),
    [
        ("", "vulnerabilities: no known vulnerabilities"),
        ("psycopg", "vulnerabilities: psycopg 3.2: PYSEC-2026-1, fixed in 99.0"),
    ],
)
def test_the_check_fails_where_the_index_knows_a_vulnerability_and_only_there(
    vulnerable, said, index, monkeypatch, capsys
):
    monkeypatch.setattr(FakeIndex, "vulnerable", vulnerable)
    assert vulnerabilities.main() == bool(vulnerable)
    assert capsys.readouterr().out.splitlines() == [said, "vulnerabilities: 2 packages looked up"]


def test_an_accepted_vulnerability_does_not_fail_the_check(index, monkeypatch, capsys):
    monkeypatch.setattr(FakeIndex, "vulnerable", "psycopg")
    monkeypatch.setitem(vulnerabilities.ACCEPTED, "PYSEC-2026-1", "Its function is not called.")
    assert vulnerabilities.main() == 0
    assert "no known vulnerabilities" in capsys.readouterr().out
