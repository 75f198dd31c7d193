"""The ASGI application: HTTP through Django, websockets through Channels, both with limits and origin checks."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
django_application = get_asgi_application()  # before any consumer import, because it fills the app registry

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import path, reverse  # noqa: E402

from chat.live.consumer import ChatConsumer  # noqa: E402
from chat.mcp.http import McpEndpoint  # noqa: E402
from corpus.importers.limits import UPLOAD_LIMIT  # noqa: E402
from lectorium.web.body_limit import BodyLimit, LargePage  # noqa: E402
from lectorium.web.origins import SameOriginValidator  # noqa: E402
from lectorium.web.request_log import RequestLog  # noqa: E402
from operations import warming  # noqa: E402

import_page = LargePage(
    reverse("admin:corpus_import_add"), UPLOAD_LIMIT + settings.DATA_UPLOAD_MAX_MEMORY_SIZE, "corpus.add_import"
)
application = ProtocolTypeRouter(
    {
        "http": RequestLog(
            BodyLimit(McpEndpoint(django_application), most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE, page=import_page)
        ),
        "websocket": SameOriginValidator(AuthMiddlewareStack(URLRouter([path("ws/chat/", ChatConsumer.as_asgi())]))),
    }
)

if settings.WARM_MODELS:
    warming.begin()
