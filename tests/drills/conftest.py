"""Sites for drills: a filled one is made once, and each drill gets its own copy."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from lectorium.postgres import configuration
from tests.drills.site import DrillSite

# In memory where there is enough: database servers wait for the disk when they start and stop.
QUICK = configuration.SHARED_MEMORY if configuration.has_shared_memory() else None


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/drills" in str(item.path):
            item.add_marker(pytest.mark.network)


def new_folder():
    """A short folder that every user may enter, as pytest's own is not."""
    folder = Path(tempfile.mkdtemp(prefix="lectorium-drill-", dir=QUICK))
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def filled_folder():
    """The folder of a site with the samples, whose server is stopped."""
    site = DrillSite(new_folder())
    site.fill()
    site.close()
    yield site.folder
    shutil.rmtree(site.folder)


@pytest.fixture
def new_site(filled_folder):
    """Makes sites with the samples; their processes end with the drill."""
    made = []

    def make(**environment):
        folder = new_folder()
        subprocess.run(["cp", "-a", f"{filled_folder}/.", folder], check=True)
        made.append(DrillSite(folder, **environment))
        return made[-1]

    yield make
    for site in made:
        site.close()
        shutil.rmtree(site.folder)


@pytest.fixture
def site(new_site):
    return new_site()
