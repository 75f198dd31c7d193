"""Keys that many layouts write with Option or AltGr work; shortcuts of the browser's stay the browser's."""

import pytest
from playwright.sync_api import expect

from .scripted import ScriptedServer, done, sentence, status


@pytest.fixture
def answered(page, site):
    server = ScriptedServer(page)
    server.answers["ask"] = [status(), sentence(1), sentence(2), done()]
    page.goto(site)
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    page.locator("h2.question").click()
    return page


def press(page, key, **held):
    """Press a key as a layout tells of it: `key` is the character written, whatever is held for it."""
    page.evaluate(
        "([key, held]) => document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', { key, ...held, bubbles: true, cancelable: true }))",
        [key, held],
    )


@pytest.mark.parametrize(
    "held",
    [{"altKey": True}, {"modifierAltGraph": True}, {"modifierAltGraph": True, "ctrlKey": True, "altKey": True}],
    ids=["Option", "AltGr", "AltGr on Windows"],
)
def test_brackets_written_with_option_or_altgr_move_between_citations(answered, held):
    press(answered, "]", **held)
    expect(answered.locator(".chip").first).to_be_focused()
    press(answered, "[", **held)
    expect(answered.locator(".chip").last).to_be_focused()


@pytest.mark.parametrize(
    ("key", "held"),
    [("]", {"ctrlKey": True}), ("]", {"metaKey": True}), ("]", {"ctrlKey": True, "altKey": True})],
    ids=["Control", "Command", "Control with Alt"],
)
def test_shortcuts_of_the_browser_are_left_to_it(answered, key, held):
    press(answered, key, **held)
    expect(answered.locator(".chip:focus")).to_have_count(0)


def test_a_letter_with_alt_is_left_to_menus(answered):
    answered.evaluate("document.addEventListener('keydown', (event) => { window.taken = event.defaultPrevented; })")
    press(answered, "p", altKey=True)
    assert answered.evaluate("window.taken") is False
    press(answered, "p")
    assert answered.evaluate("window.taken") is True
