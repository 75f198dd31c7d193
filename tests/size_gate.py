"""Fails where a module is longer than 250 lines or a function than 50; exceptions are listed with a reason."""

import ast
import subprocess
import sys
from pathlib import Path

MAX_MODULE = 250
MAX_FUNCTION = 50
# path or path::function → why it may be longer
EXCEPTIONS: dict[str, str] = {
    "lectorium/settings.py": "one file holds every setting, so that an operator reads one page",
}


def main() -> int:
    faults = [fault for path in tracked_modules() for fault in faults_of(path)]
    print("\n".join(faults) or "size gate: every module and function is within its limit")
    return bool(faults)


def tracked_modules() -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return [Path(name) for name in names if "/migrations/" not in name and Path(name).is_file()]


def faults_of(path: Path) -> list[str]:
    source = path.read_text(encoding="utf-8")
    faults = []
    lines = source.count("\n")
    if lines > MAX_MODULE and str(path) not in EXCEPTIONS and not str(path).startswith("tests/"):
        faults.append(f"{path}: {lines} lines, at most {MAX_MODULE}")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION and f"{path}::{node.name}" not in EXCEPTIONS:
                faults.append(f"{path}:{node.lineno}: {node.name} has {length} lines, at most {MAX_FUNCTION}")
    return faults


if __name__ == "__main__":
    sys.exit(main())
