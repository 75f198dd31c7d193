"""Asking, reading and going on without JavaScript; and the pages that say what is wrong."""

import re

import pytest
from playwright.sync_api import expect

from .test_accessibility import faults

QUESTION = "Why did Arjuna put down his bow?"


@pytest.fixture
def bare(browser, site):
    """The page of a reader whose browser runs no scripts."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(site)
    yield page
    context.close()


def ask(page, question):
    page.get_by_label("Your question").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()


def test_a_question_is_answered_whole_and_leads_to_the_moment_and_on(bare, site):
    ask(bare, QUESTION)
    expect(bare).to_have_url(re.compile(r"/c/[\w-]+/plain/#latest$"))
    expect(bare.locator("#latest mark.lead").first).to_be_visible()
    expect(bare.locator("#latest .saved-sources blockquote").first).to_be_visible()
    ask(bare, "Who discovered penicillin in London?")
    expect(bare.locator("article.turn")).to_have_count(2)
    expect(bare.locator("#latest")).to_contain_text("No answer from these sources")
    ask(bare, "")
    expect(bare.get_by_role("alert")).to_be_visible()
    expect(bare.locator("article.turn")).to_have_count(2)
    bare.get_by_role("link", name="Open at this place").first.click()
    expect(bare.locator(".paragraph").first).to_be_visible()


def test_an_example_is_asked_by_its_button_and_the_chats_address_leads_to_the_plain_page(bare, site):
    bare.locator(".example").first.click()
    expect(bare.locator("#latest .answer")).to_be_visible()
    conversation = bare.url.partition("plain/")[0]
    bare.goto(conversation)
    expect(bare).to_have_url(f"{conversation}plain/")
    bare.goto(site)
    bare.set_viewport_size({"width": 1440, "height": 900})
    bare.locator("#conversation-list a").first.click()
    expect(bare.locator("#latest .answer")).to_be_visible()


def test_axe_finds_nothing_on_the_plain_page(fresh_page, site):
    page = fresh_page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(site)
    page.evaluate("() => HTMLFormElement.prototype.submit.call(document.getElementById('composer'))")
    expect(page.get_by_role("alert")).to_be_visible()
    assert faults(page) == []
    for question in (QUESTION, "Who discovered penicillin in London?", "hello"):
        ask(page, question)
        expect(page.locator("#latest .question")).to_have_text(question)
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1440, "height": 844})
    assert faults(page, "light") == []


POST = """([path, size]) => {
  const form = Object.assign(document.createElement("form"), { method: "post", action: path });
  form.append(Object.assign(document.createElement("textarea"), { name: "question", value: "x".repeat(size) }));
  document.body.append(form);
  form.submit();
}"""


@pytest.mark.parametrize(
    ("path", "size", "title"),
    [
        ("/nowhere/", 0, "There is nothing here"),
        ("/ask/", 1, "The form has expired"),
        ("/ask/", 3 << 20, "That is too much at once"),
    ],
)
def test_pages_that_say_what_is_wrong_are_the_sites_own(browser, site, path, size, title):
    context = browser.new_context()
    page = context.new_page()
    page.goto(site)
    if size:
        page.evaluate(POST, [path, size])
    else:
        page.goto(site + path)
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.get_by_role("link", name="Back to the questions")).to_be_visible()
    assert faults(page) == []
