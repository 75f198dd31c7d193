"""The files that put the product on a server: what they name exists, and their commands run outside a container too."""

import json
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from fnmatch import fnmatch

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from tests.ports import free_port

ROOT = settings.BASE_DIR
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
UNITS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "deploy").glob("*.service")}
WEB = json.loads(DOCKERFILE.rsplit("CMD ", 1)[1])


def command_of(unit):
    return re.search(r"^ExecStart=\S+/python (.+)$", UNITS[unit], re.M)[1].split()


def test_every_setting_that_a_file_names_is_in_the_operators_reference():
    files = [
        DOCKERFILE,
        *UNITS.values(),
        *((ROOT / name).read_text() for name in ("compose.yaml", "deploy/lectorium.env")),
    ]
    named = {name for text in files for name in re.findall(r"\b(?:LECTORIUM_[A-Z_]+|DATABASE_URL|REDIS_URL)\b", text)}
    explained = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs/operators.md").read_text(encoding="utf-8")))
    assert named - explained == set()


def test_container_and_unit_start_the_web_process_alike():
    here, there = WEB[1:], command_of("lectorium-web@.service")
    assert there == [{"0.0.0.0": "127.0.0.1", "8000": "%i"}.get(word, word) for word in here]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_no_fault_in_a_unit(name, tmp_path):
    unit = tmp_path / name.replace("@.", "@8000.")
    unit.write_text(UNITS[name].replace("/opt/lectorium/.venv/bin/python", sys.executable))
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)
    assert [line for line in verified.stderr.splitlines() if unit.name in line] == []


def test_every_management_command_that_a_file_runs_exists():
    run = [service["command"][2] for service in SERVICES.values() if service.get("command", [""])[0] == "python"]
    run += [command[1] for unit in UNITS if (command := command_of(unit))[0] == "manage.py"]
    assert set(run) == {"migrate", "qcluster", "serve_models"}
    assert set(run) <= set(get_commands())


def test_no_process_of_the_site_starts_before_the_database_is_migrated():
    for name in ("web", "worker"):
        assert SERVICES[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_web_process_and_worker_start_after_the_process_of_the_models_and_without_it_too():
    for unit in ("lectorium-web@.service", "lectorium-worker.service"):
        naming = [line for line in UNITS[unit].splitlines() if "lectorium-models.service" in line]
        assert [line.partition("=")[0] for line in naming] == ["After"]
    assert SERVICES["models"]["profiles"] == ["models"]
    assert not [name for name, service in SERVICES.items() if "models" in service.get("depends_on", {})]


def test_the_socket_of_the_models_lies_where_their_process_may_make_it():
    folder = re.search(r"^RuntimeDirectory=(.+)$", UNITS["lectorium-models.service"], re.M)[1]
    assert f"\n# LECTORIUM_INFERENCE=/run/{folder}/models.sock\n" in (ROOT / "deploy/lectorium.env").read_text()
    assert {tuple(SERVICES[name]["volumes"]) for name in ("models", "web", "worker")} == {("state:/data",)}
    assert "LECTORIUM_INFERENCE=/data/models.sock" in (ROOT / "docs/deployment.md").read_text()


def test_no_service_but_the_web_process_can_be_reached_and_that_only_from_this_machine():
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert ports == {"web": ["127.0.0.1:8000:8000"]}


@pytest.fixture
def image(tmp_path):
    """The folder that the image holds: what git knows without what .dockerignore names."""
    ignored = [line for line in (ROOT / ".dockerignore").read_text().split() if line and not line.startswith("#")]
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if not any(fnmatch(name, pattern) or name.startswith(f"{pattern}/") for pattern in ignored):
            target = tmp_path / "image" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    return tmp_path / "image"


@pytest.mark.slow
def test_what_the_image_holds_migrates_serves_and_works(image, tmp_path):
    port = str(free_port())
    environment = {
        "PATH": "/usr/bin:/bin",
        "LECTORIUM_STATE": str(tmp_path / "state"),
        "LECTORIUM_READER": "small",
        "LECTORIUM_HTTPS": "0",
    }

    def started(words):
        return subprocess.Popen([sys.executable, *words], cwd=image, env=environment, stderr=subprocess.DEVNULL)

    assert started(SERVICES["migrate"]["command"][1:]).wait(timeout=300) == 0
    running = [
        started([{"0.0.0.0": "127.0.0.1", "8000": port}.get(word, word) for word in WEB[1:]]),
        started(SERVICES["worker"]["command"][1:]),
    ]
    try:
        assert "Lectorium" in _first_page(f"http://127.0.0.1:{port}/")
        assert all(process.poll() is None for process in running)
    finally:
        for process in running:
            process.terminate()
        ended = [process.wait(timeout=60) for process in running]
        started(["manage.py", "stop"]).wait(timeout=60)
    assert ended[0] in (0, -15)


def _first_page(address):
    for _ in range(240):
        try:
            with urllib.request.urlopen(address, timeout=5) as page:
                return page.read().decode()
        except OSError:
            time.sleep(0.5)
    raise AssertionError(f"{address} does not answer")
