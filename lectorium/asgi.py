"""The web application: HTTP through Django, websockets through Channels, each for pages of its own host."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
django_application = get_asgi_application()  # before any consumer import: it fills the app registry

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import path  # noqa: E402

from chat.consumers import ChatConsumer  # noqa: E402
from lectorium import warming  # noqa: E402
from lectorium.origins import SameOriginValidator  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": SameOriginValidator(AuthMiddlewareStack(URLRouter([path("ws/chat/", ChatConsumer.as_asgi())]))),
    }
)

if settings.WARM_MODELS:
    warming.begin()
