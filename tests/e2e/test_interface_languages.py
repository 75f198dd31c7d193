"""A reader changes the language of the interface, and everything of ours follows; what is quoted stays as it is."""

import re

import pytest
from playwright.sync_api import expect

from .asking import ask
from .test_accessibility import violations

REFUSED = "Who discovered penicillin?"
ANSWERED = "Why did Arjuna put down his bow?"
NAMES = {"de": "Deutsch", "es": "Español", "hi": "हिंदी"}
HEADINGS = {
    "de": "Davon sprechen diese Quellen nicht",
    "es": "Estas fuentes no hablan de esto",
    "hi": "ये स्रोत इस बारे में नहीं बोलते",
}


def switch(page, name):
    page.locator(".languages summary:visible").click()
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("language", NAMES)
def test_answers_and_refusals_are_told_in_the_chosen_language(page, site, language):
    page.goto(site)
    switch(page, NAMES[language])
    expect(page.locator("html")).to_have_attribute("lang", language)
    ask(page, REFUSED)
    expect(page.locator(".refusal h3")).to_have_text(HEADINGS[language])
    ask(page, ANSWERED)
    assert "bow" in page.locator(".clip .words").first.inner_text()
    expect(page.locator(".clip .words").first).to_have_attribute("lang", "en")
    assert not re.search(r"quoted from|Word for word", page.get_by_role("log").inner_text())
    assert not violations(page, "light")


def test_an_earlier_answer_changes_with_the_language(page, site):
    page.goto(site)
    ask(page, REFUSED)
    expect(page).to_have_url(re.compile("/c/"))
    address = page.url
    switch(page, "Deutsch")
    expect(page).to_have_url(address)
    expect(page.locator(".refusal")).to_contain_text("raten will ich nicht")
    switch(page, "English")
    expect(page.locator(".refusal")).to_contain_text("I will not guess")


def test_the_switcher_works_without_scripts(browser, site):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{site}/search/?q=banyan")
    switch(page, "Español")
    expect(page.get_by_role("heading", level=1)).to_have_text("Buscar en las conferencias")
    expect(page.locator("#q")).to_have_value("banyan")
    context.close()
