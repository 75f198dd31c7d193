"""JSON in, JSON out, whatever the client says it accepts."""

from collections.abc import Iterable, Mapping
from typing import IO, Any

from django.utils.translation import gettext_noop as _
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class JsonOnly(JSONParser):
    """Reads JSON, and rejects anything else with one sentence."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except (ParseError, RecursionError) as error:
            raise ParseError(_("The body is not JSON.")) from error


class AlwaysJson(BaseContentNegotiation):
    """Answers in JSON whatever was asked for: a streaming client asks for events."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)
