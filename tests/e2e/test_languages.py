"""Words of another language say which, so that they are spoken and broken as it is."""

import re

import pytest
from playwright.sync_api import expect

from .scripted import ScriptedServer, citation, done, sentence, status

SANSKRIT, HEBREW = "na jāyate mriyate vā kadācin", "בראשית ברא אלהים"


@pytest.fixture
def server(page):
    return ScriptedServer(page)


def ask(page, site):
    page.goto(site)
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")


def test_a_quoted_sentence_and_its_card_name_the_language_of_their_source(page, site, server):
    cited = citation(1, SANSKRIT, language="sa")
    written = sentence(2, "Nothing is born.", quoted=False, citations=[cited])
    server.answers["ask"] = [status(), sentence(1, SANSKRIT, citations=[cited]), written, done()]
    ask(page, site)
    expect(page.locator(".words").first).to_have_attribute("lang", "sa")
    assert page.locator(".words").last.get_attribute("lang") is None
    page.locator(".chip").first.click()
    expect(page.locator("#pinned .card-title [lang]")).to_have_attribute("lang", "sa")


def test_the_moments_nearest_to_a_refused_question_name_theirs(page, site, server):
    nearest = [citation(1, HEBREW, language="he"), citation(2)]
    refusal = {"type": "refusal", "reason": "outside_corpus", "message": "Nothing here.", "nearest": nearest}
    server.answers["ask"] = [status(), refusal, done("refused")]
    ask(page, site)
    quotes = page.locator(".nearest blockquote")
    expect(quotes.first).to_have_attribute("lang", "he")
    expect(quotes.last).to_have_attribute("lang", "en")
    assert quotes.first.evaluate("quote => getComputedStyle(quote).direction") == "rtl"


def test_an_answer_in_another_language_than_the_pages_is_translated_on_a_click_beside_the_original(page, site, server):
    page.route("**/translation/", lambda route: route.fulfill(json={"paragraphs": ["Nothing is ever born."]}))
    server.answers["ask"] = [status(), sentence(1, SANSKRIT, citations=[citation(1, SANSKRIT, language="sa")]), done()]
    page.goto(site)
    page.locator("#feedback").evaluate("form => { form.dataset.translation = '/translation/'; }")
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Translate this answer").click()
    expect(page.locator(".translation p")).to_have_text(["Nothing is ever born.", re.compile("Translated by machine")])
    expect(page.locator(".words").first).to_have_text(SANSKRIT)
