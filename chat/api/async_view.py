"""The base of asynchronous views, and how they read their body."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop as _
from rest_framework.request import Request
from rest_framework.views import APIView

from chat.answering.domain.query.checks import BadMessage
from lectorium.threads import in_thread


class AsyncView(APIView):
    """A view whose methods are coroutines, cancelled when the client disconnects."""

    async def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        self.args, self.kwargs = args, kwargs
        asked = self.request = self.initialize_request(request, *args, **kwargs)
        self.headers = self.default_response_headers
        try:
            await in_thread(self.initial, asked, *args, **kwargs)
            method = str(asked.method).lower()
            answer = getattr(self, method) if method in {"get", "post"} and hasattr(self, method) else None
            response = await answer(asked, *args, **kwargs) if answer else self.http_method_not_allowed(asked)
        except Exception as error:  # noqa: BLE001 - it raises again what it does not know
            response = self.handle_exception(error)
        self.response = self.finalize_response(asked, response, *args, **kwargs)
        return self.response


def body_of(request: Request) -> dict[str, Any]:
    """Return the request's JSON object. Raises BadMessage for other JSON, ParseError for none."""
    if not isinstance(request.data, dict):
        raise BadMessage(_("The body must be a JSON object."))
    return request.data
