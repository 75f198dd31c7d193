import json
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lectorium.providers import cancellation, registry
from lectorium.providers.deadlines import Deadlines
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.errors import Garbled, PermanentError, ProviderError, RateLimited, TooSlow, TransientError
from lectorium.providers.posted.rerank_endpoint import RerankEndpoint

pytestmark = pytest.mark.model  # a server of our own stands for the model
KEY = "sk-never-shown"
QUICK = Deadlines(connect=1.0, silence=2.0, whole=5.0, attempts=2, first_wait=0.0)
ONE = {"results": [{"index": 0, "relevance_score": 1}]}


class RerankService:
    """Gives its answers, (status, body) or (status, body, headers), in turn and repeats the last.

    `delay`: seconds before an answer. `drip`: seconds between the bytes of a body. `on_asked`: called at each request.
    """

    def __init__(self):
        self.answers, self.asked, self.url = [], [], ""
        self.delay = self.drip = 0.0
        self.on_asked = lambda: None
        self.over = threading.Event()

    def answer(self, handler):
        self.asked.append(json.loads(handler.rfile.read(int(handler.headers["Content-Length"]))))
        self.on_asked()
        status, body, *headers = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.over.wait(self.delay)
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(payload)), **dict(*headers)}.items():
            handler.send_header(name, value)
        handler.end_headers()
        for part in [payload[i : i + 1] for i in range(len(payload))] if self.drip else [payload]:
            handler.wfile.write(part)
            self.over.wait(self.drip)


@pytest.fixture
def service():
    service = RerankService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            try:
                service.answer(self)
            except ConnectionError:
                assert service.delay or service.drip, "who waits in vain hangs up"

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_port}"
    yield service
    service.over.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def made(service):
    """Return what makes a reranker of the service with some patience."""
    rerankers = []

    def make(patience=QUICK):
        rerankers.append(RerankEndpoint(Endpoint("reranker", service.url, KEY), "some-model", patience=patience))
        return rerankers[-1]

    yield make
    for reranker in rerankers:
        reranker.close()


@pytest.fixture
def reranker(made):
    return made()


def test_scores_come_back_in_the_order_of_the_passages(service, reranker):
    results = [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]
    service.answers = [(200, {"results": results})]
    assert reranker.rerank("why?", ["a", "b"]) == [0.2, 0.9]
    assert service.asked == [{"model": "some-model", "query": "why?", "documents": ["a", "b"]}]


def test_an_overloaded_service_is_asked_once_more(service, reranker):
    service.answers = [(503, {}), (200, ONE)]
    assert reranker.rerank("why?", ["a"]) == [1.0]
    assert len(service.asked) == 2


def test_a_service_that_stays_overloaded_is_a_transient_error(service, reranker):
    service.answers = [(503, {"error": "busy"})]
    with pytest.raises(TransientError, match="HTTP 503"):
        reranker.rerank("why?", ["a"])
    assert len(service.asked) == 2


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((401, {"error": "key"}), "HTTP 401"),
        ((302, {}, {"Location": "http://127.0.0.1:9/"}), "HTTP 302"),
        ((200, b"\x1f\x8b is no gzip", {"Content-Encoding": "gzip"}), "DecodingError"),
    ],
)
def test_a_refusal_is_a_permanent_error(service, reranker, answer, message):
    service.answers = [answer]
    with pytest.raises(PermanentError, match=message):
        reranker.rerank("why?", ["a"])
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    "said",
    [
        b"<html>", b"\xff\xfe\xfd", b"", b"null", b"7", b"[]", b"{}", b"[" * 200_000, b'{"results": []}',
        b'{"results": 7}', b'{"results": [7]}', b'{"results": [{"index": 0}]}',
        b'{"results": [{"index": 1, "relevance_score": 1}]}', b'{"results": [{"index": [], "relevance_score": 1}]}',
        b'{"results": [{"index": Infinity, "relevance_score": 1}]}',
        b'{"results": [{"index": 1e999, "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": NaN}]}',
        b'{"results": [{"index": 0, "relevance_score": -Infinity}]}',
        b'{"results": [{"index": 0, "relevance_score": "inf"}]}',
        b'{"results": [{"index": 0, "relevance_score": null}]}',
        b'{"results": [{"index": 0, "relevance_score": 1' + b"0" * 400 + b"}]}",
    ],
)  # fmt: skip
def test_what_does_not_score_every_passage_with_a_finite_number_is_garbled(service, reranker, said):
    service.answers = [(200, said)]
    with pytest.raises(Garbled, match="must score all 1 documents in JSON, by index; it said"):
        reranker.rerank("why?", ["a"])


@pytest.mark.parametrize("status", [200, 400, 401, 429, 500])
def test_the_key_stands_in_no_error(service, reranker, status):
    service.answers = [(status, f"what is this {KEY}?".encode())]
    with pytest.raises(ProviderError, match="what is this •••") as raised:
        reranker.rerank("why?", ["a"])
    assert KEY not in "".join(traceback.format_exception(raised.value)) + repr(vars(reranker))


def test_an_address_with_a_password_is_refused_without_repeating_it(settings):
    settings.RERANKER = "http://me:password@127.0.0.1:9"
    with pytest.raises(ValueError, match="the address of reranker contains a secret") as refused:
        registry.reranker()
    assert "password" not in str(refused.value)


def test_a_dead_service_is_a_transient_error():
    endpoint = RerankEndpoint(Endpoint("reranker", "http://127.0.0.1:9"), "some-model", patience=QUICK)
    with pytest.raises(TransientError, match=r"reranker some-model at http://127\.0\.0\.1:9: ConnectError"):
        endpoint.rerank("why?", ["a"])
    endpoint.close()


def test_a_silent_service_is_too_slow_and_not_waited_for_again(service, made):
    service.answers, service.delay = [(200, ONE)], 30
    with pytest.raises(TooSlow, match=r"sent nothing for 0\.2 s"):
        made(Deadlines(silence=0.2, attempts=2)).rerank("why?", ["a"])
    assert len(service.asked) == 1


def test_a_service_that_drips_is_given_up_at_the_end_of_the_whole_time(service, made):
    service.answers, service.drip = [(200, ONE)], 0.1
    begun = time.monotonic()
    with pytest.raises(TooSlow, match=r"not finish in 0\.5 s"):
        made(Deadlines(silence=5, whole=0.5, attempts=2)).rerank("why?", ["a"])
    assert time.monotonic() - begun < 3


def test_the_wait_that_a_service_asks_for_is_kept(service, made):
    service.answers = [(429, {}, {"Retry-After": "0.3"}), (200, ONE)]
    begun = time.monotonic()
    assert made(Deadlines(attempts=2, first_wait=0.0)).rerank("why?", ["a"]) == [1.0]
    assert time.monotonic() - begun >= 0.3


@pytest.mark.parametrize(("asked", "whole"), [("60", 180.0), ("2", 1.0)])
def test_a_service_that_asks_for_longer_than_there_is_time_is_given_up_at_once(service, made, asked, whole):
    service.answers = [(429, {}, {"Retry-After": asked})]
    begun = time.monotonic()
    with pytest.raises(RateLimited):
        made(Deadlines(attempts=2, whole=whole)).rerank("why?", ["a"])
    assert len(service.asked) == 1
    assert time.monotonic() - begun < 1


def test_who_stopped_waiting_is_not_asked_for_again(service, made, stop_signal):
    service.answers, service.on_asked = [(429, {}, {"Retry-After": "3"}), (200, ONE)], stop_signal.set
    begun = time.monotonic()
    with pytest.raises(cancellation.StoppedError):
        made(Deadlines(attempts=2)).rerank("why?", ["a"])
    assert len(service.asked) == 1
    assert time.monotonic() - begun < 2


def test_no_passages_need_no_request(service, reranker):
    assert reranker.rerank("why?", []) == []
    assert service.asked == []
