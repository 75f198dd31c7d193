"""A conversation is saved and shared from its page, also one that has just begun; what others get is whole and safe."""

import json

import pytest
from playwright.sync_api import expect

from .test_accessibility import faults
from .test_targets import small

QUESTION = "Why did Arjuna put down his bow?"


@pytest.fixture
def shown(page):
    page.emulate_media(reduced_motion="reduce")
    return page


def ask(page, site):
    page.goto(site)
    expect(page.get_by_role("button", name="Save or share")).to_be_hidden()
    page.get_by_label("Your question").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".turn .chip").first).to_be_visible(timeout=60_000)
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false", timeout=60_000)


def open_menu(page):
    page.get_by_role("button", name="Save or share").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()


def saved(page, name):
    with page.expect_download() as started:
        page.get_by_role("dialog").get_by_role("link", name=name).click()
    return started.value


def test_a_conversation_that_has_just_begun_is_saved_without_a_reload(shown, site):
    ask(shown, site)
    open_menu(shown)
    assert faults(shown) == []
    files = {name: saved(shown, name) for name in ("Markdown", "HTML", "JSON")}
    ending = {name: file.suggested_filename.rpartition(".")[2] for name, file in files.items()}
    assert ending == {"Markdown": "md", "HTML": "html", "JSON": "json"}
    assert QUESTION in files["Markdown"].path().read_text(encoding="utf-8")
    [turn] = json.loads(files["JSON"].path().read_text(encoding="utf-8"))["turns"]
    assert turn["citations"]
    shown.keyboard.press("Escape")
    expect(shown.get_by_role("button", name="Save or share")).to_be_focused()
    shown.reload()
    expect(shown.get_by_role("button", name="Save or share")).to_be_visible()


def test_a_saved_page_opens_by_itself_and_leads_back(shown, site, tmp_path):
    ask(shown, site)
    open_menu(shown)
    path = tmp_path / "saved.html"
    saved(shown, "HTML").save_as(path)
    alone, wanted = shown.context.new_page(), []
    alone.on("request", lambda request: wanted.append(request.url))
    alone.goto(path.as_uri())
    expect(alone.get_by_role("heading", name=QUESTION).first).to_be_visible()
    alone.locator("a.chip").first.press("Enter")
    expect(alone.locator("li:target blockquote")).to_be_visible()
    assert alone.locator(".saved-link a").first.get_attribute("href").startswith(f"{site}/")
    assert {url.partition("#")[0] for url in wanted} == {path.as_uri()}
    assert faults(alone) == []


def share(page):
    open_menu(page)
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_label("Address of the shared conversation")).to_be_focused()
    return page.get_by_label("Address of the shared conversation").input_value()


def test_a_new_conversation_has_no_link_of_the_one_that_was_deleted_before_it(shown, site):
    ask(shown, site)
    share(shown)
    shown.keyboard.press("Escape")
    shown.get_by_role("button", name="Rename or delete").first.press("Enter")
    shown.get_by_role("button", name="Delete", exact=True).press("Enter")
    expect(shown.locator(".turn")).to_have_count(0)
    shown.get_by_label("Your question").fill("BG 2.47")
    shown.keyboard.press("Enter")
    expect(shown.locator(".turn .chip").first).to_be_visible(timeout=60_000)
    open_menu(shown)
    dialog = shown.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Make a link")).to_be_visible()
    expect(dialog.get_by_label("Address of the shared conversation")).to_be_hidden()
    expect(dialog.get_by_role("button", name="Revoke the link")).to_be_hidden()


def test_a_link_is_made_read_without_scripts_and_revoked(shown, site, browser):
    ask(shown, site)
    address = share(shown)
    assert address.startswith(f"{site}/s/")
    assert faults(shown) == []
    assert small(shown) == []
    plain = browser.new_context(java_script_enabled=False)
    visitor = plain.new_page()
    assert visitor.goto(address).status == 200
    expect(visitor.get_by_role("heading", name=QUESTION).first).to_be_visible()
    expect(visitor.locator("blockquote").first).to_be_visible()
    shown.get_by_role("button", name="Revoke the link").click()
    expect(shown.locator("#share-standing")).to_have_text("Revoked. The link leads nowhere any more.")
    expect(shown.get_by_label("Address of the shared conversation")).to_be_hidden()
    assert visitor.goto(address).status == 404
    plain.close()


@pytest.mark.parametrize("width", [1440, 390])
def test_a_shared_page_is_open_to_everybody(shown, site, width):
    ask(shown, site)
    address = share(shown)
    shown.set_viewport_size({"width": width, "height": 800})
    shown.goto(address)
    expect(shown.locator("a.chip").first).to_be_visible()
    assert faults(shown) == []
    assert small(shown) == []
    shown.locator("a.chip").first.press("Enter")
    expect(shown.locator("li:target blockquote")).to_be_visible()
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_link_that_cannot_be_made_says_so(browser, site):
    context = browser.new_context()  # a browser's console tells of every 409
    page = context.new_page()
    ask(page, site)
    page.route("**/share", lambda route: route.fulfill(status=409, json={"message": "You share too much."}))
    open_menu(page)
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("#share-standing")).to_have_text("You share too much.")
    expect(page.get_by_label("Address of the shared conversation")).to_be_hidden()
    context.close()
