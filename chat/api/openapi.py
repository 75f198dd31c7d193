"""The API's OpenAPI document, and the 404 for addresses that it does not have."""

from functools import cache
from typing import Any

from django.http import Http404
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "chat.api.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token made by `manage.py api_token create`."}


class PublicView(APIView):
    """A view that needs no token: its content is the same for everyone."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()


@extend_schema(exclude=True)
class SchemaView(PublicView):
    def get(self, request: Request) -> Response:
        """This document."""
        return Response(document())


@extend_schema(exclude=True)
class NotFoundView(APIView):
    """Any method at an address that the API does not have."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Http404


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document, made once per process."""
    return dict(SchemaGenerator().get_schema(request=None, public=True))  # type: ignore[no-untyped-call]
