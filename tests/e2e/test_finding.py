"""Searching and looking through what can be read, without a chat and without scripts."""

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def plain(browser):
    """A page of a browser that runs no scripts."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    yield context.new_page()
    context.close()


def test_without_scripts_a_reader_searches_and_opens_the_moment(plain, site):
    plain.goto(site)
    plain.get_by_role("navigation", name="Site").get_by_role("link", name="Search").click()
    plain.get_by_role("searchbox").fill("Why did Arjuna put down his bow?")
    plain.get_by_role("button", name="Search").click()
    result = plain.locator(".result").first
    expect(result).to_contain_text(re.compile("by meaning|by words"))
    words = result.locator("blockquote").inner_text()
    result.get_by_role("link").click()
    expect(plain).to_have_url(re.compile(r"/lectures/[0-9a-f-]+/#|/works/[0-9a-f-]+/\?at="))
    assert " ".join(words.split())[:60] in " ".join(plain.locator("article").inner_text().split())


def test_without_scripts_a_reader_finds_a_lecture_by_its_title_and_a_work_by_its_verses(plain, site):
    plain.goto(site)
    plain.get_by_role("link", name=re.compile("8 lectures")).click()
    expect(plain.locator(".shelf").first).to_contain_text(re.compile(r"\d+ verses"))
    plain.get_by_role("searchbox").fill("armies")
    plain.get_by_role("button", name="Filter").click()
    plain.locator(".shelf").get_by_role("link").click()
    expect(plain.get_by_role("heading", level=1)).to_contain_text("Armies")
    plain.get_by_role("navigation", name="Site").get_by_role("link", name="Lectures").click()
    expect(plain).to_have_url(f"{site}/lectures/")


@pytest.mark.parametrize("path", ["search/", "lectures/"])
def test_a_slash_moves_to_the_box_and_the_tab_key_through_the_links_before_it(page, site, path):
    page.goto(f"{site}/{path}")
    seen = []
    for _ in range(6):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.textContent.trim()"))
    assert seen[:5] == ["Skip to the content", "Lectorium", "Ask", "Search", "Lectures"]
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("/")
    expect(page.get_by_role("searchbox")).to_have_value("/")


def test_a_search_is_taken_to_the_chat_as_a_question(page, site):
    page.goto(f"{site}/search/?q=Why+did+Arjuna+put+down+his+bow%3F")
    page.get_by_role("link", name="ask it as a question").click()
    expect(page.get_by_label("Your question")).to_have_value("Why did Arjuna put down his bow?")
    page.wait_for_load_state()
    page.get_by_role("button", name="Ask").click()
    expect(page.locator("#log .chip").first).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("width", [390, 800, 1440])
def test_the_chat_leads_to_every_page_for_readers_at_every_width(page, site, width):
    page.set_viewport_size({"width": width, "height": 800})
    for name in ("Search", "Lectures", "Articles", "Facts"):
        page.goto(site)
        if page.locator("#drawer-button").is_visible():
            page.locator("#drawer-button").click()
        page.locator("#conversations").get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(f"{site}/{name.lower()}/")
