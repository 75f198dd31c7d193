"""A server that says what a test tells it to, so that the page can be watched at any moment of a turn."""

import json
import uuid
from html import escape
from urllib.parse import urlsplit

# Sources are asked of the test by the page itself: a page with a route asks for every script and style again.
SOURCES = """{{
  const fetched = window.fetch;
  window.fetch = async (address, ...more) => {{
    if (!String(address).includes("/pane?at=")) return fetched(address, ...more);
    const html = await window["{name}"](String(address));
    return new Response(html ?? "", {{ status: html === null ? 404 : 200 }});
  }};
}}"""


def citation(n, quote="All that is born dies.", **changed):
    return {
        "n": n, "kind": "lecture", "address": f"evening:{n}", "title": "First evening", "speaker": "A. Speaker",
        "date": "2024-03-05", "place": "", "quote": quote, "start": 90.0 + n, "end": 99.0 + n,
        "url": "/lectures/none/#t=90,99", "media": None, "verdict": "supported", "language": "en",
    } | changed  # fmt: skip


def status(conversation="11111111-1111-4111-8111-111111111111"):
    return {"type": "status", "stage": "retrieve", "detail": "searching 8 lectures", "conversation": conversation}


def sentence(n, text="All that is born dies.", **changed):
    return {
        "type": "sentence", "text": text, "kind": "factual", "verdict": "supported", "quoted": True, "support": 1.0,
        "claims": [], "citations": [citation(n)], "paragraph": n,
    } | changed  # fmt: skip


def clip(n, *texts, lead=0, cited=None, **changed):
    """Return the events of a clip's sentences, which share a paragraph; `cited` is a citation a sentence, else one."""
    cited = cited or [citation(n)] * len(texts)
    return [
        sentence(n, text, clip=True, lead=place == lead, citations=[number], **changed)
        for place, (text, number) in enumerate(zip(texts, cited, strict=True))
    ]


def done(outcome="grounded", **changed):
    return {
        "type": "done", "outcome": outcome, "summary": "2 sentences quoted from 2 places", "complete": True,
        "warnings": [], "validation": {}, "timings_ms": {"total": 120},
    } | changed  # fmt: skip


def stored(page, site, *turns):
    """Open a page on which these turns were asked before: {"question", "outcome", "response"} each."""
    rows = json.dumps([{"turn": str(uuid.uuid4()), **turn} for turn in turns]).replace("<", "\\u003c")

    def with_turns(route):
        answer = route.fetch()
        whole = answer.text().replace('type="application/json">[]</script>', f'type="application/json">{rows}</script>')
        route.fulfill(response=answer, body=whole)

    page.route(f"{site}/", with_turns)
    page.goto(f"{site}/")


class ScriptedServer:
    """Answers each kind of message with the events set for it; keeps what it was sent."""

    def __init__(self, page):
        self.answers = {"ask": [], "resume": [], "stop": []}
        self.late = []  # what the turn before still sends once the next question has come
        self.received = []
        self.turn = str(uuid.uuid4())
        self._seq = 0
        self.is_away = False
        self.has_sources = True
        page.route_web_socket("**/ws/chat/", self._connected)
        page.expose_function(self.turn, self._source)  # a name that no other server of the page has
        page.add_init_script(SOURCES.format(name=self.turn))

    def drop(self):
        """Break the line, as a network does."""
        self._socket.close(code=1011)

    def send(self, event):
        """Send an event of the turn."""
        self._seq += 1
        self._socket.send(json.dumps({**event, "turn": self.turn, "seq": self._seq}))

    def _source(self, address):
        """Return a source that has the answer's quotes, a paragraph each, far apart."""
        if not self.has_sources:
            return None
        events = self.answers["ask"]
        cited = [passage for event in events for passage in (*event.get("citations", ()), *event.get("nearest", ()))]
        quotes = {passage["address"]: passage["quote"] for passage in cited}
        between = "<div class=paragraph><p>Nothing that is quoted.</p></div>" * 20
        paragraphs = between.join(
            f'<div class="paragraph" data-address="{escape(address)}"><p>{escape(quote)} And more.</p></div>'
            for address, quote in quotes.items()
        )
        page = urlsplit(address).path.removesuffix("pane")
        body = f'<article class="pane-source" data-page="{page}"><div class="transcript">{between}{paragraphs}{between}'
        return f"{body}</div></article>"

    def _connected(self, socket):
        if self.is_away:
            socket.close(code=1011)
            return
        self._socket = socket
        socket.send(json.dumps({"type": "ready", "turn": None, "seq": 0}))
        socket.on_message(self._answer)

    def _answer(self, text):
        message = json.loads(text)
        self.received.append(message)
        if message["type"] == "resume":
            self._seq = message["after"]
        elif message["type"] == "ask" and self._seq:
            for event in self.late:
                self.send(event)
            self.turn, self._seq = str(uuid.uuid4()), 0
        for event in self.answers[message["type"]]:
            self.send(event)
