"""The product's settings with the pseudo-locale, whose catalogue lies beside the site's database."""

from lectorium.settings import *  # noqa: F403 - these are settings too
from lectorium.settings import LANGUAGES, LOCALE_PATHS, STATE_DIR

LANGUAGES = [*LANGUAGES, ("ar-xb", "Pseudo-RTL")]
LOCALE_PATHS = [STATE_DIR / "locale", *LOCALE_PATHS]
WHITENOISE_MAX_AGE = 3600  # seconds; scripts and styles do not change while tests run
