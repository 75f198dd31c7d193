"""The websocket of a reader's connection."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from chat.live.connection import ConnectedReader, ReaderConnection
from chat.live.messages import listen, session_group
from chat.live.visitors import address_of, languages_of, visitor_of
from lectorium.metrics import SOCKETS
from lectorium.threads import in_thread
from lectorium.web.interface_language import connection_language

SIGNED_OUT = 4401  # close codes from 4000 are an application's own
NOT_ALLOWED = 4403
READY = {"type": "ready", "turn": None, "seq": 0}  # some proxies accept a websocket and never deliver anything on it


class ChatConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    connection: ReaderConnection | None = None
    listening: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        visitor = await in_thread(visitor_of, self.scope["session"].session_key)
        if visitor is None:
            await self.close(code=NOT_ALLOWED)
            return
        reader = ConnectedReader(
            visitor,
            address_of(self.scope),
            languages_of(self.scope) if settings.LOCALES else (),
            connection_language(self.scope),
        )
        self.connection = ReaderConnection(reader, self._send_json, self._sign_out)
        group = session_group(visitor.session_key)
        self.listening = asyncio.create_task(listen(self.channel_layer, self.channel_name, group))
        await self.accept()
        SOCKETS.inc()
        await self._send_json(READY)

    async def disconnect(self, code: int) -> None:
        if self.listening:
            self.listening.cancel()
            SOCKETS.dec()
        if self.connection:
            self.connection.leave()

    async def session_ended(self, message: Mapping[str, str]) -> None:
        """Close the socket: the reader has signed out elsewhere."""
        if self.connection:
            await self.connection.end_session()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.connection:
            await self.connection.receive(text_data or "")

    async def _sign_out(self) -> None:
        await self.close(code=SIGNED_OUT)

    async def _send_json(self, values: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(values))
