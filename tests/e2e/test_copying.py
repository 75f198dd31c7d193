"""An answer is copied with its citations, and printed with their addresses."""

import pytest
from playwright.sync_api import expect

from .asking import ask
from .scripted import ScriptedServer, citation, clip, done, status

HOSTILE = '<img src=x onerror=alert(1)> & "all" that is born dies.'


@pytest.fixture
def answered(page, site):
    """A page with an answer of two sources, one of them with markup in its words."""
    server = ScriptedServer(page)
    told = [*clip(1, "All that is born dies."), *clip(2, HOSTILE, cited=[citation(2, HOSTILE)])]
    server.answers["ask"] = [status(), *told, done()]
    page.goto(site)
    ask(page, "What dies?")
    return page


def press_copy(page):
    page.get_by_role("button", name="Copy with sources").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".copy-row").get_by_role("status")).to_have_text("Copied.")


READ = """async () => {
  const [item] = await navigator.clipboard.read();
  return Promise.all(["text/plain", "text/html"].map(async (type) => (await item.getType(type)).text()));
}"""


def test_an_answer_is_copied_as_text_and_as_html_with_its_sources_and_addresses(answered, site):
    answered.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press_copy(answered)
    text, html = answered.evaluate(READ)
    address = f"{site}/lectures/none/#t=90,99"
    assert text.startswith("What dies?\n\nAll that is born dies. [1]\n\n")
    assert f"[2] “{HOSTILE}”\n    First evening, A. Speaker, March 5, 2024, 1:32\n    {address}" in text
    assert "<blockquote>" in html
    assert f'href="{address}"' in html
    assert "<img" not in html


def test_an_answer_is_copied_where_the_clipboard_is_closed_to_scripts(answered):
    answered.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    press_copy(answered)
    answered.get_by_label("Your question").press("Control+v")
    assert "[1] “All that is born dies.”" in answered.get_by_label("Your question").input_value()


def test_paper_gets_the_answer_with_its_sources_and_nothing_that_is_operated(answered, site):
    sources = answered.locator(".print-sources")
    expect(sources).to_be_hidden()
    answered.emulate_media(media="print")
    expect(sources).to_be_visible()
    expect(sources).to_contain_text(f"{site}/lectures/none/#t=90,99")
    expect(answered.locator(".clip").first).to_be_visible()
    for gone in ("#composer", "#conversations", "#evidence", ".copy-row", ".thread-tools", ".topbar"):
        expect(answered.locator(gone)).to_be_hidden()
    assert answered.evaluate("() => getComputedStyle(document.querySelector('.log')).overflowY") == "visible"
