"""The web server: Daphne, without reading forms into memory, which Django does itself."""

from typing import Any

from daphne import http_protocol
from daphne.cli import CommandLineInterface


class Request(http_protocol.WebRequest):  # type: ignore[misc] # Daphne has no types
    """Passes the body on unparsed."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options, parsePOSTFormSubmission=False)


if __name__ == "__main__":
    http_protocol.WebRequest = Request
    CommandLineInterface.entrypoint()
