import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lectorium.providers.errors import PermanentError, TransientError
from lectorium.providers.rerank_endpoint import RerankEndpoint

pytestmark = pytest.mark.model  # a server of our own stands for the model


@pytest.fixture
def service():
    """Serve scripted answers, (status, body) each; the last one repeats. Yields (answers, requests seen, url)."""
    answers, seen = [], []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            seen.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            status, body = answers.pop(0) if len(answers) > 1 else answers[0]
            payload = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield answers, seen, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def reranker(service):
    endpoint = RerankEndpoint(service[2], "some-model", timeout=2)
    yield endpoint
    endpoint.close()


def test_scores_come_back_in_the_order_of_the_passages(service, reranker):
    answers, seen, _ = service
    results = [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]
    answers.append((200, {"results": results}))
    assert reranker.rerank("why?", ["a", "b"]) == [0.2, 0.9]
    assert seen == [{"model": "some-model", "query": "why?", "documents": ["a", "b"]}]


def test_an_overloaded_service_is_asked_once_more(service, reranker):
    answers, seen, _ = service
    answers.extend([(503, {}), (200, {"results": [{"index": 0, "relevance_score": 1}]})])
    assert reranker.rerank("why?", ["a"]) == [1.0]
    assert len(seen) == 2


def test_a_service_that_stays_overloaded_is_a_transient_error(service, reranker):
    service[0].append((503, {"error": "busy"}))
    with pytest.raises(TransientError, match="HTTP 503"):
        reranker.rerank("why?", ["a"])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((401, {"error": "key"}), "HTTP 401"),
        ((200, {"results": []}), "must score all 1 documents"),
        ((200, b"<html>"), "not JSON"),
    ],
)
def test_a_wrong_answer_is_a_permanent_error(service, reranker, answer, message):
    service[0].append(answer)
    with pytest.raises(PermanentError, match=message):
        reranker.rerank("why?", ["a"])


def test_a_dead_service_is_a_transient_error():
    endpoint = RerankEndpoint("http://127.0.0.1:9", "some-model", timeout=1)
    with pytest.raises(TransientError, match="ConnectError"):
        endpoint.rerank("why?", ["a"])
    endpoint.close()


def test_no_passages_need_no_request(service, reranker):
    assert reranker.rerank("why?", []) == []
    assert service[1] == []
