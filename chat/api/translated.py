"""Answers in which the titles of lectures stand in the caller's language too."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from chat.conversations.local_titles import with_translated_titles
from corpus.catalogue.languages import by_language, languages_of


def translated_response(request: Request, values: Any) -> Response:
    """The values, with the `translated_title` of each place, where the request's Accept-Language has one."""
    return by_language(Response(with_translated_titles(values, languages_of(request))))
