"""Asking on the chat page as a reader does, who waits for the end of each answer."""

from playwright.sync_api import expect

LONGEST_MS = 60_000


def ask(page, question):
    """Ask in the question box once no answer is coming, and wait until this one has ended."""
    page.wait_for_load_state()
    is_quiet(page)  # Enter sends nothing before the page has loaded or while an answer comes
    before = page.locator(".turn").count()
    page.locator("#question").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(before + 1)
    is_quiet(page)


def is_quiet(page):
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false", timeout=LONGEST_MS)
