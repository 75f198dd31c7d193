import logging

import pytest
from django.core.cache import cache

from tests.permissions.site import FRAMING, MEMBERS, RECORDING, people_of_the_site, write_site


@pytest.fixture(autouse=True)
def refusals_are_not_logged():
    """Thousands of refused requests, each with its traceback, cost more than the requests."""
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def site(transactional_db, settings, tmp_path, filled_once):
    """The people of a filled site, by role."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.MEDIA_ROOT.mkdir()
    (settings.MEDIA_ROOT / RECORDING).write_bytes(b"sound")
    settings.CALIBRATIONS_DIR = settings.BASE_DIR / "tests" / "calibrations"
    settings.API_PER_MINUTE = 1_000_000
    settings.EMBED_ORIGINS = [FRAMING]
    settings.LOCALES = ["de"]
    settings.SIGN_UP, settings.MAIL_CONFIGURED = "open", True
    MEMBERS.save(force_insert=True)
    filled_once("permissions", write_site)
    cache.clear()
    return people_of_the_site()
