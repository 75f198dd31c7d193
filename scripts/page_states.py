"""Takes pictures of the chat page's states: `python scripts/page_states.py URL FOLDER [NAME…]`.

URL is a running site with the sample corpus; nothing is started. Names choose among STATES.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent))
from screenshots import ARGUMENTS, CHROMIUM

WIDE, NARROW = ViewportSize(width=1440, height=900), ViewportSize(width=390, height=844)
WAIT_MS = 180_000


def ask(page: Page, question: str) -> None:
    before = page.locator(".turn").count()
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    page.locator(".turn").nth(before).wait_for(timeout=WAIT_MS)
    page.locator("#log[aria-busy=false]").wait_for(timeout=WAIT_MS)
    page.wait_for_timeout(700)


def asked(question: str) -> Callable[[Page], None]:
    return lambda page: ask(page, question)


def empty(page: Page) -> None:
    page.wait_for_timeout(300)


def playing(page: Page) -> None:
    ask(page, "Why did Arjuna put down his bow?")
    page.locator("#log .chip").first.click()
    page.wait_for_timeout(1200)


def sheet(page: Page) -> None:
    ask(page, "Why did Arjuna put down his bow?")
    page.locator("#log .chip").first.click()
    page.wait_for_timeout(900)


def nearest(page: Page) -> None:
    ask(page, "Who discovered penicillin?")
    page.locator(".nearest a").first.click()
    page.wait_for_timeout(700)


def listed(page: Page) -> None:
    for question in ("What is bhakti?", "Why did Arjuna put down his bow?"):
        page.get_by_role("link", name="New question").click()
        ask(page, question)
    page.locator("#conversation-list .more").first.click()
    page.wait_for_timeout(300)


def deleted(page: Page) -> None:
    ask(page, "What is bhakti?")
    page.locator("#conversation-list li").first.hover()
    page.locator("#conversation-list .more").first.click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Undo").wait_for()


def searched(page: Page) -> None:
    page.goto(page.url.rstrip("/") + "/search/?q=Why+did+Arjuna+put+down+his+bow%3F")
    page.locator(".result a").nth(1).click()
    page.wait_for_timeout(800)


def follow_up(page: Page) -> None:
    ask(page, "Who is Sanjaya?")
    ask(page, "And what does he see?")


# name: what is done, and the width and the colours it is done in
STATES: Mapping[str, tuple[Callable[[Page], None], ViewportSize, Literal["light", "dark"]]] = MappingProxyType(
    {
        "empty": (empty, WIDE, "light"),
        "empty-narrow": (empty, NARROW, "light"),
        "answer": (asked("What does dharma mean?"), WIDE, "light"),
        "answer-dark": (asked("What does dharma mean?"), WIDE, "dark"),
        "answer-narrow": (asked("What does dharma mean?"), NARROW, "light"),
        "playing": (playing, WIDE, "light"),
        "sheet": (sheet, NARROW, "light"),
        "sheet-dark": (sheet, NARROW, "dark"),
        "verse": (asked("BG 2.47"), WIDE, "light"),
        "story": (asked("Tell me the story of the potter and her cracked pots."), WIDE, "light"),
        "closest": (asked("What is the definition of the gunas?"), WIDE, "light"),
        "refusal": (asked("Who discovered penicillin?"), WIDE, "light"),
        "refusal-dark": (nearest, WIDE, "dark"),
        "nearest": (nearest, WIDE, "light"),
        "ask-back": (asked("What about it?"), WIDE, "light"),
        "follow-up": (follow_up, WIDE, "light"),
        "list": (listed, WIDE, "light"),
        "deleted": (deleted, WIDE, "light"),
        "search": (searched, WIDE, "light"),
        "search-narrow": (searched, NARROW, "dark"),
    }
)


def report(name: str, kind: str, text: str) -> None:
    sys.stderr.write(f"{name}: {kind}: {text[:300]}\n")


def watch(page: Page, name: str) -> None:
    page.on("console", lambda message: report(name, message.type, message.text))
    page.on("pageerror", lambda error: report(name, "error", str(error)))


def main() -> None:
    url, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name in sys.argv[3:] or STATES:
            act, viewport, scheme = STATES[name]
            context = browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
            page = context.new_page()
            watch(page, name)
            page.goto(url)
            try:
                act(page)
            except PlaywrightError as error:
                report(name, "stopped", str(error))
            page.mouse.move(700, 5)
            page.screenshot(path=folder / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
