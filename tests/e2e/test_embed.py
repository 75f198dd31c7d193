"""The question box in a frame of another site: a server on a port of its own, in a real browser."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

QUESTION = "Why did Arjuna put down his bow?"
KEY = "01-two-armies-one-question"
FRAME = "iframe[title=Lectorium]"
LEAD_IN_SECONDS = 2
OWN = f'<audio data-lectorium="{KEY}"></audio>'


@pytest.fixture(scope="module")
def framing_site(site, framing_port):
    """Another site, of which every page has the script tag; what stands in the query comes before it."""

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self):
            own = OWN if self.path == "/own" else ""
            script = f'<script async src="{site}/static/js/embed.js"></script>'
            body = f'<!doctype html><html lang="en"><title>Ours</title><body>{own}{script}<p>Ours.</p>'
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", framing_port), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{framing_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def visitor(browser):
    """A page of a browser that has no cookies of the site's."""
    context = browser.new_context(viewport={"width": 900, "height": 800})
    page = context.new_page()
    page.set_default_timeout(30_000)
    yield page
    context.close()


def asked(visitor, url, question=QUESTION):
    """Open a page of the other site and ask; return the frame, which shows the answer."""
    visitor.goto(url)
    frame = visitor.frame_locator(FRAME)
    frame.get_by_label("Your question").fill(question)
    frame.get_by_label("Your question").press("Enter")
    expect(frame.locator(".answer").first).to_be_visible()
    return frame


def first_moment(frame):
    """The button of the first moment, and the second at which its quote begins."""
    button = frame.locator("[data-lecture]").first
    return button, float(button.get_attribute("data-start"))


def test_a_question_is_answered_in_a_frame_that_is_as_tall_as_its_answer_and_sets_no_cookie(visitor, framing_site):
    visitor.goto(framing_site)
    frame = visitor.frame_locator(FRAME)
    expect(frame.get_by_label("Your question")).to_be_visible()
    before = visitor.locator(FRAME).bounding_box()["height"]
    frame = asked(visitor, framing_site)
    expect(frame.get_by_role("heading", name=QUESTION)).to_be_focused()
    frame.get_by_label("Your question").fill("Who was he?")
    frame.get_by_role("button", name="Ask").click()
    expect(frame.locator(".question")).to_have_count(2)
    visitor.wait_for_function(
        "before => document.querySelector('iframe').getBoundingClientRect().height > before + 200", arg=before
    )
    inside = visitor.frames[1]
    inside.wait_for_function("() => document.documentElement.scrollHeight <= innerHeight + 1")
    assert visitor.context.cookies() == []


def test_the_other_site_plays_its_own_recording_of_a_moment(visitor, framing_site):
    frame = asked(visitor, f"{framing_site}/own")
    button, start = first_moment(frame)
    visitor.evaluate(
        "() => { HTMLMediaElement.prototype.play = function () { window.played = this; return Promise.resolve(); }; }"
    )
    button.click()
    visitor.wait_for_function("() => window.played?.dataset.lectorium")
    assert visitor.evaluate("() => window.played.dataset.lectorium") == KEY
    assert visitor.evaluate("() => window.played.currentTime") in (0, pytest.approx(start - LEAD_IN_SECONDS))
    expect(frame.locator("#dock")).to_be_hidden()


def test_the_other_site_may_take_a_moment_by_its_event(visitor, framing_site):
    frame = asked(visitor, framing_site)
    visitor.evaluate(
        "() => addEventListener('lectorium:play', (event) => { window.moment = event.detail; event.preventDefault(); })"
    )
    button, start = first_moment(frame)
    button.click()
    visitor.wait_for_function("() => window.moment")
    moment = visitor.evaluate("() => window.moment")
    assert (moment["lecture"], moment["start"]) == (KEY, start)
    assert moment["url"].endswith(f"#t={start:g},{moment['end']:g}")
    expect(frame.locator("#dock")).to_be_hidden()


def test_otherwise_the_frame_plays_it_and_messages_of_other_windows_change_nothing(visitor, framing_site):
    frame = asked(visitor, framing_site)
    height = visitor.locator(FRAME).bounding_box()["height"]
    visitor.evaluate(
        """() => {
            postMessage({ lectorium: "height", height: 5000 }, "*");
            const other = document.createElement("iframe");
            other.hidden = true;
            document.body.append(other);
            const say = other.contentWindow.eval("(frame) => frame.postMessage("
                + "{ lectorium: 'played', id: 1, isPlayed: true }, '*')");
            setInterval(() => say(window.frames[0]), 20);
        }"""
    )
    button, _ = first_moment(frame)
    button.click()
    expect(frame.locator("#dock").get_by_role("button", name="Pause")).to_be_visible()
    expect(button).to_have_text("Pause")
    assert visitor.locator(FRAME).bounding_box()["height"] < height + 200


def test_a_site_that_is_not_allowed_shows_one_sentence(visitor, framing_site):
    visitor.goto(framing_site.replace("localhost", "127.0.0.1"))
    frame = visitor.frame_locator(FRAME)
    expect(frame.get_by_role("alert")).to_contain_text("This site is not allowed to show Lectorium.")
    assert frame.locator("body").inner_text().strip().count(".") == 2
    expect(frame.locator("a, button, input, form")).to_have_count(0)


def test_no_other_page_of_ours_stands_in_a_frame(visitor, framing_site, site):
    visitor.goto(framing_site)
    with visitor.expect_console_message(lambda message: "frame-ancestors" in message.text):
        visitor.evaluate("url => { document.querySelector('iframe').src = url; }", f"{site}/search/")
    expect(visitor.frame_locator(FRAME).get_by_role("search")).to_have_count(0)
