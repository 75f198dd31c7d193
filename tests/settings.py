"""The product's settings on a state folder, and so a database server, that belongs to the tests alone.

Their server gives up durability (see `database.py`), which nobody's own data may suffer. Processes that tests start
inherit the folder by the environment.
"""

import os
from pathlib import Path

if "LECTORIUM_TEST_STATE" not in os.environ:  # the workers of pytest-xdist inherit it
    parent = Path(os.environ.get("LECTORIUM_STATE") or Path(__file__).resolve().parents[1] / "var")
    os.environ["LECTORIUM_TEST_STATE"] = os.environ["LECTORIUM_STATE"] = str(parent / "tests")

from lectorium.settings import *  # noqa: F403
from lectorium.settings import DATABASES

# Opening a connection costs more than most tests ask of the database, and a turn uses several.
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {"min_size": 1, "max_size": 40, "timeout": 10}
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

# Each client of a test makes the middleware anew, which otherwise reads all folders of static files in advance.
WHITENOISE_AUTOREFRESH = True
