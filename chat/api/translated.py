"""Answers in the caller's language: our own sentences, and the titles of lectures beside the original."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from chat.conversations.local_titles import with_translated_titles
from chat.conversations.local_words import with_local_messages
from corpus.catalogue.languages import by_language, languages_of


def translated_response(request: Request, values: Any) -> Response:
    """The values in the language of the request's Accept-Language, as far as there are translations."""
    return by_language(Response(with_local_messages(with_translated_titles(values, languages_of(request)))))
