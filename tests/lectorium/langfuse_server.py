"""A small server on this machine that takes turns as Langfuse does, and keeps what it was sent."""

import base64
import gzip
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from urllib.parse import urlsplit

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from lectorium import langfuse_tracing
from lectorium.env import LangfuseKeys

_numbers = count()  # the client is kept by its public key


class LangfuseService:
    """status: what it answers. spans: {name: attributes} of what it was told, with trace, parent and milliseconds."""

    def __init__(self, host):
        self.keys = LangfuseKeys(host, f"public-{next(_numbers)}", "secret")
        self.status, self.bodies = 200, []

    @property
    def header(self):
        secret = f"{self.keys.public_key}:{self.keys.secret_key}".encode()
        return f"Basic {base64.b64encode(secret).decode()}"

    @property
    def spans(self):
        """Wait for all that was told, and return it."""
        langfuse_tracing._sender.submit(int).result()
        from lectorium.langfuse_client import connect

        connect(self.keys)[0].flush()
        return {span.name: self._plain(span) for body in self.bodies for span in self._spans(body)}

    @staticmethod
    def _spans(body):
        told = ExportTraceServiceRequest.FromString(body)
        return [span for spans in told.resource_spans for scope in spans.scope_spans for span in scope.spans]

    @staticmethod
    def _plain(span):
        attributes = {
            attribute.key.removeprefix("langfuse."): getattr(attribute.value, attribute.value.WhichOneof("value"))
            for attribute in span.attributes
        }
        ms = round((span.end_time_unix_nano - span.start_time_unix_nano) / 1_000_000)
        return attributes | {"id": span.span_id, "trace": span.trace_id.hex(), "parent": span.parent_span_id, "ms": ms}


@contextmanager
def running_langfuse():
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            known = self.headers["Authorization"] == service.header and urlsplit(self.path).path.endswith("/projects")
            self._answer(service.status if known else 401)

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            zipped = self.headers.get("Content-Encoding") == "gzip"
            if self.headers["Authorization"] == service.header and self.path == "/api/public/otel/v1/traces":
                service.bodies.append(gzip.decompress(body) if zipped else body)
            self._answer(service.status)

        def _answer(self, status):
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = LangfuseService(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
