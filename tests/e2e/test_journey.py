"""A new reader's first five minutes."""

import re

from playwright.sync_api import expect

expect.set_options(timeout=30_000)
ANSWERED = "Why did Arjuna put down his bow?"
REFUSED = "Who discovered penicillin?"


def ask(page, question):
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")


def watch_order(page):
    """Note the order in which sources and sentences reach the page."""
    page.evaluate(
        """() => { window.order = [];
        new MutationObserver(() => {
          const seen = { source: "#sources a, #sources button, #sources li", sentence: "#log .chip" };
          for (const [name, selector] of Object.entries(seen))
            if (!window.order.includes(name) && document.querySelector(selector)) window.order.push(name);
        }).observe(document.body, { subtree: true, childList: true }); }"""
    )


def test_a_reader_asks_sees_sources_then_sentences_and_opens_the_quote(page, site):
    page.goto(site)
    expect(page.get_by_text("8 lectures")).to_be_visible()
    watch_order(page)
    ask(page, ANSWERED)
    chip = page.locator("#log .chip").first
    expect(chip).to_be_visible()
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    assert page.evaluate("window.order") == ["source", "sentence"]
    chip.click()
    expect(page.locator("#pane mark").first).to_be_in_viewport()
    assert "bow" in " ".join(page.locator("#pane mark").all_inner_texts())
    expect(page).to_have_url(re.compile("/c/"))


def test_a_question_outside_the_corpus_gets_a_refusal_and_no_chip(page, site):
    page.goto(site)
    ask(page, REFUSED)
    card = page.get_by_label("No answer")
    expect(card).to_be_visible()
    expect(card).to_contain_text("Related, not an answer")
    expect(page.locator("#log .chip")).to_have_count(0)


def test_an_answer_goes_on_after_a_reload_in_the_middle_of_it(page, site):
    page.goto(site)
    ask(page, "How does anger lead to ruin, step by step?")
    page.wait_for_url("**/c/**")
    page.reload()
    expect(page.locator("#log .chip").first).to_be_visible()
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#log .stopped")).to_have_count(0)


def test_a_conversation_is_there_after_a_reload(page, site):
    page.goto(site)
    ask(page, ANSWERED)
    expect(page.locator("#log .chip").first).to_be_visible()
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    before = answers(page)
    page.reload()
    expect(page.locator("#log .chip").first).to_be_visible()
    assert answers(page) == before


def answers(page):
    """Return what the log shows, the questions to ask next included."""
    return page.get_by_role("log").inner_text().strip()


def test_the_recording_plays_from_two_seconds_before_the_quote(page, site):
    page.goto(site)
    ask(page, "Who describes the battle to Dhṛtarāṣṭra?")
    chip = page.locator("#log .chip").filter(has_text=re.compile(r"\d:\d\d")).first
    chip.click()
    page.wait_for_function("() => [...document.querySelectorAll('audio')].some(a => a.currentTime > 0.2 && !a.paused)")


def test_the_page_fits_a_narrow_screen(page, site):
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(site)
    ask(page, ANSWERED)
    expect(page.locator("#log .chip").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
