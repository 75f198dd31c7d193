"""The web server: Daphne, but for forms, which it would read whole into memory although Django reads them itself."""

from typing import Any

from daphne import http_protocol
from daphne.cli import CommandLineInterface


class Request(http_protocol.WebRequest):  # type: ignore[misc] # Daphne has no types
    """A request whose body is handed on as it came."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options, parsePOSTFormSubmission=False)


if __name__ == "__main__":
    http_protocol.WebRequest = Request
    CommandLineInterface.entrypoint()
