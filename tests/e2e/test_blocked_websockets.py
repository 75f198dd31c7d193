"""Where websockets are blocked, the page asks over HTTP; where the connection is away, it says what happens."""

import json
import re
import uuid

import pytest
from playwright.sync_api import expect

from .asking import ask, is_quiet
from .scripted import ScriptedServer, done, sentence, status

QUESTION = "Why did Arjuna put down his bow?"


def refused(page):
    """Close every websocket before it opens, as a proxy does that answers 400."""
    page.route_web_socket("**/ws/chat/", lambda socket: socket.close(code=1008))


def silent(page):
    """Accept every websocket, and deliver nothing on it."""
    page.route_web_socket("**/ws/chat/", lambda socket: None)


@pytest.mark.parametrize("blocked", [refused, silent])
def test_a_question_is_answered_where_websockets_are_blocked(page, site, blocked):
    blocked(page)
    page.goto(site)
    ask(page, QUESTION)
    expect(page.locator(".turn .chip").first).to_be_visible()
    expect(page.locator("#banner")).to_be_hidden()
    tried = []
    page.on("websocket", lambda socket: tried.append(socket.url))
    page.reload()
    expect(page.locator(".turn .chip").first).to_be_visible()
    ask(page, "What does BG 2.47 say?")  # at once, in the same conversation
    expect(page.locator(".turn")).to_have_count(2)
    assert tried == []


class ScriptedStream:
    """Answers each posted message with the events set for it, as one whole stream; keeps what it was sent."""

    def __init__(self, page):
        refused(page)
        self.turn, self.seq = str(uuid.uuid4()), 0
        self.answers = {"ask": [], "resume": [], "stop": []}
        self.received, self.held, self.holds = [], [], set()
        page.route("**/stream/", self._answer)
        empty = '<article class="pane-source"><div class="transcript"></div></article>'
        page.route("**/pane?at=*", lambda route: route.fulfill(content_type="text/html", body=empty))

    def _answer(self, route):
        if route.request.method == "GET":
            route.fulfill(status=204)
            return
        message = json.loads(route.request.post_data)
        self.received.append(message)
        if message["type"] in self.holds:
            self.held.append(route)
        else:
            self.fulfill(route, message["type"])

    def fulfill(self, route, kind):
        lines = [": open"]
        for event in self.answers[kind]:
            self.seq += 1
            lines.append(f"data: {json.dumps({**event, 'turn': self.turn, 'seq': self.seq})}")
        route.fulfill(content_type="text/event-stream", body="\n\n".join([*lines, ""]))


def test_a_stream_that_is_cut_in_the_middle_is_taken_up_where_it_was_left(page, site):
    server = ScriptedStream(page)
    server.answers |= {"ask": [status(), sentence(1)], "resume": [sentence(2), done()]}
    page.goto(site)
    ask(page, "What dies?")
    expect(page.locator(".sentence")).to_have_count(2)
    assert server.received[-1] == {"type": "resume", "turn": server.turn, "after": 2}


def test_a_stop_before_the_first_event_is_sent_once_the_turn_is_known(page, site):
    server = ScriptedStream(page)
    server.holds, server.answers["ask"] = {"ask"}, [status(), done("interrupted", complete=False)]
    page.goto(site)
    page.wait_for_load_state("networkidle")
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Stop").click()
    server.fulfill(server.held[0], "ask")
    expect(page.get_by_text("Stopped before anything could be shown.")).to_be_visible()
    is_quiet(page)
    assert server.received[1:] == [{"type": "stop", "turn": server.turn}]


def test_a_session_that_has_ended_is_told_and_nothing_is_tried_again(fresh_page, site):
    page = fresh_page
    refused(page)
    page.route("**/stream/", lambda route: route.fulfill(status=403))
    page.goto(site)
    expect(page.locator("#banner")).to_contain_text("signed out")
    expect(page.get_by_role("button", name="Try now")).to_be_hidden()


def test_events_are_read_whole_however_the_stream_is_cut(page, site):
    page.goto(site)
    text = "".join(
        f"{line}\n\n" for line in (": open", 'data: {"type":"a"}', "data: {", 'data: {"type":"ü"}', "<html>")
    )
    kinds = page.evaluate(
        """async (text) => {
          const { EventParser } = await import("/static/js/stream.js");
          return [1, 2, 3, 7, text.length].map((size) => {
            const parser = new EventParser();
            const starts = [...text].map((_, at) => at).filter((at) => at % size === 0);
            return starts.map((at) => text.slice(at, at + size))
              .flatMap((piece) => parser.feed(piece)).map(({ type }) => type).join("");
          });
        }""",
        text,
    )
    assert kinds == ["aü"] * 5


def half_answered(page, site):
    """The server of a page that shows the first of two sentences; the second comes once the turn is resumed."""
    server = ScriptedServer(page)
    server.answers |= {"ask": [status(), sentence(1)], "resume": [sentence(2), done()]}
    page.goto(site)
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    expect(page.locator(".sentence")).to_have_count(1)
    return server


def test_a_lost_connection_is_told_and_tried_again_at_a_click(fresh_page, site):
    page = fresh_page
    page.route("**/stream/", lambda route: route.abort())  # it is the server that is away
    server = half_answered(page, site)
    server.is_away = True
    server.drop()
    banner = page.locator("#banner")
    expect(banner).to_contain_text(re.compile("The next try is in [345] seconds"), timeout=15_000)
    expect(banner).to_contain_text("The answer goes on where it was left.")
    server.is_away = False
    page.get_by_role("button", name="Try now").press("Enter")
    expect(page.locator(".sentence")).to_have_count(2, timeout=2000)
    expect(banner).to_be_hidden()


def test_an_answer_goes_on_once_the_network_is_back(fresh_page, site):
    page = fresh_page
    server = half_answered(page, site)
    server.is_away = True
    page.context.set_offline(True)
    try:
        expect(page.locator("#banner")).to_contain_text("You are offline")
    finally:
        server.is_away = False
        page.context.set_offline(False)
    expect(page.locator(".sentence")).to_have_count(2)
    expect(page.locator("#banner")).to_be_hidden()
