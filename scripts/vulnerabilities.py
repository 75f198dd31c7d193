"""Look up known vulnerabilities of every locked package at PyPI.

Exits 1 where one is known that ACCEPTED does not name. Where PyPI cannot be asked it says so in a line and exits 0: no
check may fail because of the network.
"""

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("dev", "s3", "speech")  # together every package
PROBED = "django"  # asked for first: where PyPI does not answer for it, nothing else is asked
ADDRESS = "https://pypi.org/pypi/{name}/{version}/json"
SERVICE = ("--vulnerability-service", "pypi")
SECONDS = 10
ACCEPTED: dict[str, str] = {}  # id of a vulnerability → why it does no harm here


@dataclass(frozen=True, slots=True)
class AuditReport:
    """looked_up: number of packages that PyPI knows. unknown: packages it does not. vulnerable: a line for each."""

    looked_up: int
    unknown: tuple[str, ...]
    vulnerable: tuple[str, ...]


def main() -> int:
    pinned = pins()
    if reason := unreachable(next(pin for pin in pinned if pin.startswith(f"{PROBED}=="))):
        return _skipped(reason)
    said, errors = pip_audit(pinned)
    try:
        report = report_of(said)
    except ValueError:
        return _skipped((errors.strip().splitlines() or ["pip-audit gave no report"])[-1])
    if not report.looked_up:
        return _skipped("PyPI knew none of the packages")
    without = f"; not at PyPI: {', '.join(report.unknown)}" if report.unknown else ""
    lines = (*(report.vulnerable or ("no known vulnerabilities",)), f"{report.looked_up} packages looked up{without}")
    sys.stdout.write("".join(f"vulnerabilities: {line}\n" for line in lines))
    return bool(report.vulnerable)


def unreachable(pin: str) -> str:
    """Why PyPI cannot be asked for the vulnerabilities of this NAME==VERSION; "" if it can."""
    name, _, version = pin.partition("==")
    try:
        answer = httpx.get(ADDRESS.format(name=name, version=version), timeout=SECONDS, follow_redirects=True)
        return "" if "vulnerabilities" in answer.raise_for_status().json() else "PyPI names no vulnerabilities"
    except (httpx.HTTPError, ValueError) as error:
        return str(error).partition("\n")[0]


def pins() -> list[str]:
    """NAME==VERSION of every package in the locks, and of torch, which is locked by its version alone."""
    texts = [(ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8") for name in LOCKS]
    locked = [pin for text in texts for pin in re.findall(r"^[\w.\[\]-]+==[\w.]+", text, re.M)]
    torch = re.findall(r"^torch==[\w.]+", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M)
    return sorted({*locked, *torch})


def pip_audit(pinned: list[str]) -> tuple[str, str]:
    """What pip-audit writes about these packages: its report, and its errors."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pinned.txt"
        path.write_text("\n".join(pinned), encoding="utf-8")
        command = [sys.executable, "-m", "pip_audit", "--requirement", str(path), "--no-deps", "--disable-pip"]
        options = ["--format", "json", "--progress-spinner", "off", "--timeout", str(SECONDS)]
        done = subprocess.run([*command, *SERVICE, *options], capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def report_of(said: str) -> AuditReport:
    """pip-audit's report, without accepted vulnerabilities. Raises ValueError where it gave none."""
    packages = json.loads(said)["dependencies"]
    unknown = tuple(package["name"] for package in packages if "skip_reason" in package)
    lines = (
        f"{package['name']} {package['version']}: {vulnerability['id']}, fixed in "
        f"{', '.join(vulnerability['fix_versions']) or 'no version yet'}"
        for package in packages
        for vulnerability in package.get("vulns", ())
        if vulnerability["id"] not in ACCEPTED
    )
    return AuditReport(len(packages) - len(unknown), unknown, tuple(lines))


def _skipped(reason: str) -> int:
    sys.stdout.write(f"vulnerabilities: skipped, known vulnerabilities could not be looked up ({reason})\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
