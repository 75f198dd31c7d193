"""A client of Lectorium's REST interface in one file: copy it beside your program. It needs Python 3.11 and httpx2.

    with Lectorium("https://lectorium.example.org", token) as lectorium:
        answer = lectorium.ask("What is said about the banyan tree?")
        print(answer.answer if answer.is_answer else answer.message)

A question is sent with an Idempotency-Key, so that it is asked once, however often the connection breaks.
"""

import json
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self, TypeVar

import httpx2

ANSWERS = frozenset({"grounded", "partially_grounded"})
TRIES, LONGEST_WAIT = 4, 60.0  # seconds
T = TypeVar("T")


class LectoriumError(Exception):
    """What the site refused. code: stable. where: the field, parameter or header that is wrong, or None."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status, self.code = status, str(problem.get("code", "failed"))
        self.detail, self.where = str(problem.get("detail", f"status {status}")), problem.get("where")
        self.retry_after = retry_after
        super().__init__(f"{self.code}: {self.detail}" + (f" ({self.where})" if self.where else ""))

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed later; one of a turn that was stopped needs a new key."""
        return self.status in {429, 502, 503, 504} and self.code != "interrupted"


@dataclass(frozen=True)
class QuotedSource:
    n: int
    quote: str
    address: str
    title: str
    url: str
    verdict: str
    start: float | None
    end: float | None


@dataclass(frozen=True)
class Sentence:
    text: str
    verdict: str
    proof: str
    citations: tuple[int, ...]


@dataclass(frozen=True)
class Answer:
    """raw: the whole response; docs/integrators.md says what it has."""

    id: str
    conversation: str
    outcome: str
    reason: str | None
    message: str
    answer: str
    sentences: tuple[Sentence, ...]
    citations: tuple[QuotedSource, ...]
    raw: Mapping[str, Any]

    @property
    def is_answer(self) -> bool:
        return self.outcome in ANSWERS


@dataclass(frozen=True)
class StreamEvent:
    """An event of a turn, numbered from 1. type: status, sources, sentence, refusal, done and others."""

    id: int
    type: str
    data: Mapping[str, Any]


class Lectorium:
    """timeout: seconds without a byte; the site sends a comment every 15 while an answer is written."""

    def __init__(self, url: str, token: str, *, timeout: float = 120.0, wait: float = 1.0) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx2.Client(base_url=url, headers=headers, timeout=timeout)
        self._wait = wait

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._http.close()

    def ask(self, question: str, *, key: str = "", **options: Any) -> Answer:
        """Ask, and wait for the answer. options: mode, scope, conversation, history, locale, as_typed."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return _answer(self._call("POST", "/api/v1/ask", json={"question": question, **options}, headers=headers))

    def stream(self, question: str, *, key: str = "", **options: Any) -> Iterator[StreamEvent]:
        """Ask, and yield the events as they come; a broken connection is taken up again where it broke."""
        key, seen, is_done = key or str(uuid.uuid4()), 0, False
        for left in reversed(range(TRIES)):
            try:
                for event in self._events({"question": question, "stream": True, **options}, key):
                    if event.id > seen or not event.id:
                        seen, is_done = max(seen, event.id), is_done or event.type == "done"
                        yield event
                return
            except (httpx2.TransportError, LectoriumError) as error:
                if is_done:
                    return
                self._pause(error, left)

    def turn(self, turn: str) -> dict[str, Any]:
        """A turn of yours with its response, feedback and next questions."""
        return dict(self._call("GET", f"/api/v1/turns/{turn}"))

    def search(self, text: str, *, limit: int = 10, **options: Any) -> list[dict[str, Any]]:
        return list(self._call("GET", "/api/v1/search", params={"q": text, "limit": limit, **options})["results"])

    def rows(self, name: str, path: str = "", **params: Any) -> Iterator[dict[str, Any]]:
        """All rows of a list: lectures, works, conversations, gaps; or sections, with the path lectures/ID/sections."""
        page = self._call("GET", f"/api/v1/{path or name}", params=params)
        yield from page[name]
        while page["next"]:
            page = self._call("GET", page["next"])
            yield from page[name]

    def give_feedback(self, turn: str, kind: str, *, citation: int = 0, claim: str = "", note: str = "") -> None:
        body = {"kind": kind, "citation": citation, "claim": claim, "note": note}
        self._call("PUT", f"/api/v1/turns/{turn}/feedback", json=body)

    def take_back_feedback(self, turn: str, *, citation: int = 0, claim: str = "") -> None:
        self._call("DELETE", f"/api/v1/turns/{turn}/feedback", params={"citation": citation, "claim": claim})

    def _call(self, method: str, path: str, **sent: Any) -> Any:
        for left in reversed(range(TRIES)):
            try:
                response = self._http.request(method, path, **sent)
                _check(response)
                return response.json() if response.content else None
            except (httpx2.TransportError, LectoriumError) as error:
                self._pause(error, left)
        raise AssertionError("the last try returns or raises")

    def _events(self, body: Mapping[str, Any], key: str) -> Iterator[StreamEvent]:
        headers = {"Idempotency-Key": key}
        with self._http.stream("POST", "/api/v1/ask", json=body, headers=headers) as response:
            if response.is_error:
                response.read()
            _check(response)
            yield from _parsed(response.iter_lines())

    def _pause(self, error: Exception, left: int) -> None:
        """Wait before the next try. Raises the error where another one would not help, or none is left."""
        is_passing = not isinstance(error, LectoriumError) or error.is_passing
        if not left or not is_passing:
            raise error
        time.sleep(min(getattr(error, "retry_after", None) or self._wait * (TRIES - left), LONGEST_WAIT))


def _parsed(lines: Iterable[str]) -> Iterator[StreamEvent]:
    block: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        if name:  # a comment has none
            block[name] = value.removeprefix(" ")
        elif not line and "data" in block:
            yield StreamEvent(int(block.get("id", 0)), block.get("event", ""), json.loads(block["data"]))
            block = {}


def _check(response: httpx2.Response) -> None:
    if response.is_error:
        is_json = "json" in response.headers.get("Content-Type", "")
        wait = response.headers.get("Retry-After", "")
        raise LectoriumError(response.status_code, response.json() if is_json else {}, float(wait) if wait else None)


def _answer(values: Mapping[str, Any]) -> Answer:
    parts = {
        "sentences": tuple(
            _pick(Sentence, {**row, "citations": tuple(row["citations"])}) for row in values["sentences"]
        ),
        "citations": tuple(_pick(QuotedSource, row) for row in values["citations"]),
    }
    return _pick(Answer, {**values, **parts, "raw": values})


def _pick(kind: type[T], values: Mapping[str, Any]) -> T:
    """A newer site may send more fields than are known here."""
    return kind(**{field.name: values[field.name] for field in fields(kind)})  # type: ignore[arg-type]
