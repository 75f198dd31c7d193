"""A small HTTP server on this machine that streams what a test tells it to, and notes who hung up on it."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class ServerRequest:
    path: str
    headers: dict
    body: dict
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class ServerAnswer:
    """What one request gets; `parts` are sent `pause` seconds apart, and `cut` drops the connection after them."""

    parts: list
    status: int = 200
    headers: dict = field(default_factory=lambda: {"Content-Type": "text/event-stream"})
    pause: float = 0.0
    wait: float = 0.0
    cut: bool = False


def event(value) -> bytes:
    return f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n".encode()


def said(text=None, finish=None, arguments=None) -> bytes:
    delta = {"role": "assistant"}
    if text is not None:
        delta["content"] = text
    if arguments is not None:
        delta["tool_calls"] = [{"index": 0, "id": "c", "type": "function", "function": {"arguments": arguments}}]
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return event({"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]})


def usage(read=7, written=3) -> bytes:
    counts = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return event(
        {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": []} | {"usage": counts}
    )


DONE = event("[DONE]")


def whole(*texts, finish="stop", **how) -> ServerAnswer:
    return ServerAnswer([*map(said, texts), said(finish=finish), usage(), DONE], **how)


def fault(status, words="", **headers) -> ServerAnswer:
    body = json.dumps({"error": {"message": words, "type": "x", "code": None}}).encode()
    return ServerAnswer([body], status, {"Content-Type": "application/json", **headers})


class OpenAIService:
    """Gives its answers in turn and repeats the last."""

    def __init__(self):
        self.answers, self.asked, self.url = [], [], ""
        self.was_asked = asyncio.Event()

    async def serve(self, reader, writer):
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _one(self, reader, writer) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        asked = ServerRequest(first.split()[1], headers, json.loads(body or b"{}"))
        self.asked.append(asked)
        self.was_asked.set()
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        watching = asyncio.create_task(self._watch(reader, asked))
        try:
            return await self._send(writer, answer)
        except ConnectionError:
            asked.hung_up.set()
            raise
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    @staticmethod
    async def _watch(reader, asked):
        while not (reader.at_eof() or reader.exception()):  # noqa: ASYNC110 - reading would take a byte of the next request
            await asyncio.sleep(0.005)
        asked.hung_up.set()

    @staticmethod
    async def _send(writer, answer) -> bool:
        await asyncio.sleep(answer.wait)
        fields = {**answer.headers, "Transfer-Encoding": "chunked"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        writer.write(f"HTTP/1.1 {answer.status} X\r\n{lines}\r\n".encode())
        for part in answer.parts:
            writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            await writer.drain()
            await asyncio.sleep(answer.pause)
        if answer.cut:
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


@asynccontextmanager
async def running_service():
    service = OpenAIService()
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield service
    finally:
        server.close()
