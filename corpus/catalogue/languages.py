"""The languages that a reader has chosen, or that a browser or program asks for."""

from typing import Protocol, TypeVar

from django.conf import settings
from django.http import HttpResponse
from django.http.request import HttpHeaders
from django.utils.cache import patch_vary_headers

from corpus.domain.local_text import wanted_languages

HEADER = "Accept-Language"
Answer = TypeVar("Answer", bound=HttpResponse)


class WithHeaders(Protocol):
    """A request of Django's or of the REST framework's."""

    @property
    def headers(self) -> HttpHeaders: ...


def languages_of(request: WithHeaders) -> tuple[str, ...]:
    """The languages that a request asks for, the most wanted first: the reader's choice comes before the header."""
    chosen = getattr(request, "COOKIES", {}).get(settings.LANGUAGE_COOKIE_NAME, "")
    return wanted_languages(chosen if chosen in dict(settings.LANGUAGES) else "", request.headers.get(HEADER, ""))


def by_language(response: Answer) -> Answer:
    """Keep caches from giving one reader's language to another."""
    patch_vary_headers(response, (HEADER,))
    return response
