"""The language of the interface: the reader's choice in a cookie, else the browser's Accept-Language, else English."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import JavaScriptCatalog, set_language

WORDS_SECONDS = 600

# Without a token against forgery, so that public pages set no cookie and stay the same for everybody: another site can
# at most show a reader a language that they did not choose.
choose_language = csrf_exempt(set_language)
# The page asks for it by language, so that a browser keeps one copy of each.
words = cache_control(private=True, max_age=WORDS_SECONDS)(JavaScriptCatalog.as_view(packages=["lectorium"]))


def connection_language(scope: Mapping[str, Any]) -> str:
    """The interface language of a websocket's reader, chosen as for a page."""
    request = HttpRequest()
    request.COOKIES = dict(scope.get("cookies", {}))
    request.META["HTTP_ACCEPT_LANGUAGE"] = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    return translation.get_language_from_request(request)
