"""Measure what a first visit to a running site transfers, and how far its page moves while answers come.

    scripts/page_budget.py http://127.0.0.1:8000

prints the tables of docs/results/page.md. It asks three questions over the websocket, the HTTP stream and the form.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent))
from screenshots import ARGUMENTS, CHROMIUM

QUESTIONS = ("Why did Arjuna put down his bow?", "What does BG 2.47 say?", "what are the three gunas?")
LANGUAGES = ("en", "de", "es", "hi")
WIDTHS = (1440, 390)
SIZES = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .map(({ name, transferSize, decodedBodySize }) => [new URL(name).pathname, transferSize, decodedBodySize])"""
WATCH = """() => {
  window.shift = { all: 0, counted: 0 };
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, hadRecentInput }) => {
    window.shift.all += value;
    if (!hadRecentInput) window.shift.counted += value;
  })).observe({ type: "layout-shift" });
}"""
QUIET = "() => document.getElementById('log').getAttribute('aria-busy') === 'false'"


def main(url: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        print_transfer(browser, url)
        page = browser.new_context(java_script_enabled=False).new_page()
        page.goto(url)
        for question in QUESTIONS:  # so that no figure has the loading of the models in it
            post(page, question)
        print_moves(browser, url)
        browser.close()


def print_transfer(browser: Browser, url: str) -> None:
    visits = {language: sizes(browser, url, language) for language in LANGUAGES}
    print("| first visit | requests | kB transferred | kB uncompressed |\n|---|---:|---:|---:|")
    for language, found in visits.items():
        transferred, whole = sum(row[1] for row in found) / 1000, sum(row[2] for row in found) / 1000
        print(f"| {language} | {len(found)} | {transferred:.1f} | {whole:.1f} |")
    print("\n| file (en) | kB transferred | kB uncompressed |\n|---|---:|---:|")
    for name, transferred, whole in sorted(visits["en"], key=lambda row: -row[1]):
        print(f"| `{name}` | {transferred / 1000:.1f} | {whole / 1000:.1f} |")


def sizes(browser: Browser, url: str, language: str) -> list[tuple[str, int, int]]:
    """The (path, bytes transferred, bytes uncompressed) of every request of a first visit, headers included."""
    page = browser.new_context(locale=language).new_page()
    page.goto(url, wait_until="networkidle")
    found: list[tuple[str, int, int]] = page.evaluate(SIZES)
    page.context.close()
    return found


def print_moves(browser: Browser, url: str) -> None:
    print("\n| asked over | width | shift, as CLS counts | shift, all | s to the end of each answer |")
    print("|---|---:|---:|---:|---|")
    for width in WIDTHS:
        for name, block in {"websocket": lambda _: None, "stream": _block_websockets}.items():
            page = opened(browser, url, width, block)
            page.evaluate(WATCH)
            seconds = ", ".join(f"{ask(page, question):.1f}" for question in QUESTIONS)
            page.wait_for_timeout(1000)
            shift = page.evaluate("() => window.shift")
            print(f"| {name} | {width} | {shift['counted']:.4f} | {shift['all']:.4f} | {seconds} |")
            page.context.close()
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(url)
    seconds = ", ".join(f"{post(page, question):.1f}" for question in QUESTIONS)
    print(f"| form, without JavaScript | – | – | – | {seconds} |")


def opened(browser: Browser, url: str, width: int, block: Callable[[Page], None]) -> Page:
    page = browser.new_context(viewport={"width": width, "height": 844}).new_page()
    block(page)
    page.goto(url, wait_until="networkidle")
    return page


def _block_websockets(page: Page) -> None:
    page.route_web_socket("**/ws/chat/", lambda socket: socket.close(code=1008))


def ask(page: Page, question: str) -> float:
    """Seconds until the answer has ended."""
    turns = page.locator(".turn").count()
    page.locator("#question").fill(question)
    began = time.perf_counter()
    page.keyboard.press("Enter")
    page.locator(".turn").nth(turns).wait_for()
    page.wait_for_function(QUIET)
    return time.perf_counter() - began


def post(page: Page, question: str) -> float:
    page.locator("#question").fill(question)
    began = time.perf_counter()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("#latest").get_by_role("heading", name=question).wait_for()
    return time.perf_counter() - began


if __name__ == "__main__":
    main(sys.argv[1])
