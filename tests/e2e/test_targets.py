"""What is pressed is large enough to be hit, and what moves keeps still for those who ask it to."""

import pytest
from playwright.sync_api import expect

from .scripted import ScriptedServer, citation, done, sentence, status

LEAST = 24  # CSS pixels (WCAG 2.2, 2.5.8)
VERSE = {"kind": "verse", "title": "Bhagavad-gītā", "address": "BG 2.13", "url": "/works/none/?at=BG+2.13"}


@pytest.fixture
def server(page):
    page.route("**/heard.mp3", lambda route: route.fulfill(body="not a sound", content_type="audio/mpeg"))
    server = ScriptedServer(page)
    cited = sentence(1, citations=[citation(1, media="/heard.mp3")], cards=[VERSE])
    server.answers["ask"] = [status(), cited, done()]
    return server


def ask(page):
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")


def small(page):
    """Return what can be pressed on the page and is smaller than it should be."""
    return page.evaluate(
        """(least) => [...document.querySelectorAll("a, button, summary, select, input, textarea")]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(".skip"))
        .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
        .filter(([, { width, height }]) => Math.min(width, height) < least)
        .map(([name, { width, height }]) => `${name} ${width}×${height}`)""",
        LEAST,
    )


@pytest.mark.parametrize("width", [1440, 390])
def test_what_is_pressed_on_an_answer_is_large_enough(page, site, server, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(site)
    assert small(page) == []
    page.route("**/feedback/", lambda route: route.fulfill(status=204))
    ask(page)
    page.get_by_role("button", name="Not helpful").click()
    page.locator(".chip").click()
    expect(page.locator("#pane mark")).to_be_visible()
    page.get_by_role("button", name="This clip does not say that").click()
    expect(page.get_by_label("A note for the staff")).to_have_count(2)
    expect(page.locator("#dock")).to_be_visible()
    assert small(page) == []


@pytest.mark.parametrize("width", [1440, 390])
def test_what_is_pressed_on_a_page_to_read_is_large_enough(page, site, lecture_url, work_url, width):
    page.set_viewport_size({"width": width, "height": 900})
    for url in (lecture_url, work_url, f"{site}/search/?q=bow", f"{site}/lectures/"):
        page.goto(url)
        assert small(page) == []


@pytest.mark.parametrize(("motion", "behavior"), [("reduce", "instant"), ("no-preference", "smooth")])
def test_a_question_is_scrolled_to_without_motion_where_none_is_wanted(page, site, server, motion, behavior):
    page.emulate_media(reduced_motion=motion)
    page.goto(site)
    page.evaluate(
        "Element.prototype.scrollIntoView = (options) => { if (options) window.scrolled = options.behavior; }"
    )
    ask(page)
    assert page.evaluate("window.scrolled") == behavior
