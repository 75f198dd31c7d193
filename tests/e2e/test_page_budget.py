"""What a first visit costs, and that nothing moves while an answer comes."""

import pytest

from .scripted import ScriptedServer, clip, done, sentence, status

MOST_BYTES = 200_000
MOST_SHIFT = 0.02  # cumulative layout shift; shifts that follow an input count here too
TRANSFERRED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .map(({ name, transferSize }) => [name, transferSize])"""
WATCH = """() => {
  window.shift = 0;
  const add = ({ value }) => { window.shift += value; };
  new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: "layout-shift" });
}"""


@pytest.mark.parametrize("language", ["en", "hi"])
def test_a_first_visit_transfers_little(browser, site, language):
    context = browser.new_context(locale=language)
    page = context.new_page()
    page.goto(site)
    page.wait_for_load_state("networkidle")
    transferred = dict(page.evaluate(TRANSFERRED))
    assert any(name.endswith("/static/js/page.js") for name in transferred)
    assert sum(transferred.values()) <= MOST_BYTES
    context.close()


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_moves_while_an_answer_comes(page, site, width):
    page.set_viewport_size({"width": width, "height": 844})
    server = ScriptedServer(page)
    page.goto(site)
    page.wait_for_load_state("networkidle")
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    page.locator(".status").wait_for()
    page.evaluate(WATCH)
    long = "All that is born dies, and whatever dies is born again, so do not grieve over what cannot be helped."
    stages = [
        {**status(), "detail": f"{words} of 1,204 lectures in every series that there is"} for words in ("a", "few")
    ]
    written = [sentence(n, long, quoted=False) for n in (1, 2, 2)]
    told = [*stages, *clip(3, long, long, long, lead=1), *clip(4, long, long), *written, *clip(5, long), done()]
    for event in told:
        server.send(event)
        page.wait_for_timeout(40)  # a frame for each
    page.locator(".copy-row").wait_for()
    page.wait_for_timeout(200)
    assert page.locator(".sentence").count() == 9
    assert page.evaluate("() => window.shift") <= MOST_SHIFT
