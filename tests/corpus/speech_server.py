"""A speech service on this machine that answers what a test tells it to."""

import json
import re
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-never-shown"


def heard(*segments, words=(), language="english"):
    """A `verbose_json` answer with these (start, end, text)."""
    return {
        "text": " ".join(text for _, _, text in segments),
        "language": language,
        "segments": [{"start": start, "end": end, "text": f" {text}"} for start, end, text in segments],
        "words": [{"start": start, "end": end, "word": word} for start, end, word in words],
    }


class SpeechService:
    """Gives its answers, (status, body) or a body, in turn and repeats the last; `asked` has the requests.

    delay: seconds before an answer.
    """

    def __init__(self):
        self.answers, self.asked, self.url, self.delay = [], [], "", 0.0
        self.over = threading.Event()

    def answer(self, handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"] or 0))
        self.asked.append(SpeechRequest(handler.path, dict(handler.headers), body))
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        status, said = said if isinstance(said, tuple) else (200, said)
        payload = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.over.wait(self.delay)
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(payload)))
        handler.end_headers()
        handler.wfile.write(payload)


class SpeechRequest:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body

    def values(self, name):
        """The values of a field of the form."""
        parts = re.findall(
            rb'name="([^"]+)"(?:; filename="[^"]*")?\r\n(?:[^\r\n]+\r\n)*\r\n(.*?)\r\n--', self.body, re.S
        )
        return [value for field, value in parts if field.decode() == name]


@contextmanager
def speech_service():
    service = SpeechService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            with suppress(ConnectionError):  # who waits in vain hangs up
                service.answer(self)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield service
    finally:
        service.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
