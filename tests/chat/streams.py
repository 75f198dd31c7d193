"""A reader whose events come as an HTTP stream."""

import json

from django.test import AsyncClient


def client_of(session, **options):
    client = AsyncClient(**options)
    client.cookies["sessionid"] = session.session_key
    return client


async def opened(client, message, **headers):
    """The events of a message, as they come."""
    text = message if isinstance(message, str) else json.dumps(message)
    response = await client.post("/stream/", text, content_type="application/json", headers=headers)
    assert (response.status_code, response["Content-Type"]) == (200, "text/event-stream")
    return events_in(response.streaming_content)


async def events_in(lines):
    async for line in lines:
        if line.startswith(b"data: "):
            yield json.loads(line.removeprefix(b"data: "))
