"""A conversation is saved from its page, also one that has just begun, and a saved file is safe and whole to open."""

import json

import pytest
from playwright.sync_api import expect

from .test_accessibility import faults

QUESTION = "Why did Arjuna put down his bow?"


@pytest.fixture(params=["light", "dark"])
def shown(page, request):
    page.scheme = request.param
    page.emulate_media(color_scheme=page.scheme, reduced_motion="reduce")
    return page


def ask(page, site):
    page.goto(site)
    expect(page.get_by_role("button", name="Save")).to_be_hidden()
    page.get_by_label("Your question").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".turn .chip").first).to_be_visible(timeout=60_000)
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false", timeout=60_000)


def open_menu(page):
    page.get_by_role("button", name="Save").focus()
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
    ending = {name: one.suggested_filename.rpartition(".")[2] for name, one in files.items()}
    assert ending == {"Markdown": "md", "HTML": "html", "JSON": "json"}
    assert QUESTION in files["Markdown"].path().read_text(encoding="utf-8")
    [turn] = json.loads(files["JSON"].path().read_text(encoding="utf-8"))["turns"]
    assert turn["citations"]
    shown.keyboard.press("Escape")
    expect(shown.get_by_role("button", name="Save")).to_be_focused()
    shown.reload()
    expect(shown.get_by_role("button", name="Save")).to_be_visible()


def test_a_saved_page_opens_by_itself_and_leads_back(shown, site, tmp_path):
    ask(shown, site)
    open_menu(shown)
    path = tmp_path / "saved.html"
    saved(shown, "HTML").save_as(path)
    alone, wanted = shown.context.new_page(), []
    alone.emulate_media(color_scheme=shown.scheme)
    alone.on("request", lambda request: wanted.append(request.url))
    alone.goto(path.as_uri())
    expect(alone.get_by_role("heading", name=QUESTION).first).to_be_visible()
    alone.locator("a.chip").first.press("Enter")
    expect(alone.locator("li:target blockquote")).to_be_visible()
    assert alone.locator(".saved-link a").first.get_attribute("href").startswith(f"{site}/")
    assert {url.partition("#")[0] for url in wanted} == {path.as_uri()}
    assert faults(alone) == []
