"""Beside an answer stands its source: opened at the quote, and stepped through."""

import pytest
from playwright.sync_api import expect

from .scripted import ScriptedServer, citation, clip, done, sentence, status

STORY = ("A potter lived by the river.", "He kept one pot that he never sold.", "It had a crack.")


@pytest.fixture
def server(page):
    return ScriptedServer(page)


def ask(page, site, question="What dies?"):
    page.goto(site)
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false", timeout=60_000)


def answer_of_three(page, site, server):
    quotes = ["The first dies.", "The second dies.", "The third dies."]
    told = [sentence(n, quote, citations=[citation(n, quote)]) for n, quote in enumerate(quotes, 1)]
    server.answers["ask"] = [status(), *told, done()]
    ask(page, site)
    return quotes


def test_the_source_of_an_answer_opens_at_its_quote_without_a_sound(page, site):
    ask(page, site, "What does dharma mean?")
    quote = page.locator(".clip blockquote").first.inner_text()
    expect(page.locator("#pane mark.cited").first).to_be_in_viewport()
    marked = "".join(page.locator("#pane mark.cited").all_inner_texts())
    assert "".join(marked.split()) == "".join(quote.split())
    lead = page.locator(".clip mark.lead").first.inner_text()
    led = "".join(page.locator("#pane mark.cited-lead").all_inner_texts())
    assert "".join(led.split()) == "".join(lead.split())
    assert page.locator("#pane").evaluate("pane => pane.scrollTop") > 0
    assert page.locator("#dock audio").evaluate("audio => audio.paused")
    assert page.locator("#pane .paragraph").count() > 10


def test_previous_and_next_lead_through_the_citations_and_back_to_the_list(page, site, server):
    quotes = answer_of_three(page, site, server)
    mark, count = page.locator("#pane mark.cited"), page.locator("#pane-count")
    expect(mark).to_have_text(quotes[0])
    expect(count).to_have_text("1 of 3")
    for shown, button in ((2, "Next passage"), (3, "Next passage"), (1, "Next passage"), (3, "Previous passage")):
        page.get_by_role("button", name=button).press("Enter")
        expect(count).to_have_text(f"{shown} of 3")
        expect(mark).to_have_text(quotes[shown - 1])
        expect(mark).to_be_in_viewport()
        expect(page.locator("#log .chip[aria-current]")).to_have_attribute("data-n", str(shown))
    page.get_by_role("button", name="All sources of this answer").press("Enter")
    expect(page.locator("#sources .source-row")).to_have_count(3)
    expect(page.locator("#sources .source-row").first).to_be_focused()
    expect(page.locator("#pane")).to_be_hidden()


def test_a_clip_is_marked_whole_and_its_lead_stronger(page, site, server):
    whole = citation(1, " ".join(STORY))
    server.answers["ask"] = [status(), *clip(1, *STORY, lead=1, cited=[whole] * 3), done()]
    ask(page, site)
    expect(page.locator("#pane mark.cited")).to_have_text(" ".join(STORY))
    expect(page.locator("#pane mark.cited-lead")).to_have_text(STORY[1])


def test_related_passages_of_a_refusal_open_beside_it_and_are_called_that(page, site):
    ask(page, site, "Who discovered penicillin?")
    link = page.locator(".nearest a").first
    link.click()
    expect(page.locator("#evidence-title")).to_have_text("Related, not an answer")
    expect(page.locator("#pane mark").first).to_be_in_viewport()
    expect(page.locator("#pinned .chip-n, #pinned .verdict")).to_have_count(0)
    page.locator("#pane").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#pane")).to_be_hidden()
    expect(link).to_be_focused()


def test_a_verse_stands_among_its_neighbours(page, site):
    ask(page, site, "BG 2.47")
    expect(page.locator("#pane .paragraph:has(mark.cited) .place")).to_have_text("BG 2.47")
    expect(page.locator("#pane .paragraph", has_text="BG 2.48")).to_be_visible()


def test_a_source_without_a_recording_has_no_player(page, site):
    ask(page, site, "What is the definition of the gunas?")
    expect(page.locator("#pane mark").first).to_be_visible()
    expect(page.locator("#pane button.place, #pinned .primary")).to_have_count(0)
    expect(page.locator("#dock")).to_be_hidden()


def test_a_time_in_the_transcript_plays_from_there_and_the_words_spoken_are_underlined(page, site):
    ask(page, site, "What does dharma mean?")
    time = page.locator("#pane .paragraph:has(mark) button.place")
    at = float(time.get_attribute("data-at"))
    time.click()
    page.wait_for_function("at => document.querySelector('#dock audio').currentTime >= at - 2", arg=at)
    expect(page.locator("#pane .spoken").first).to_be_attached()
    dock, pane = page.locator("#dock").bounding_box(), page.locator("#pane").bounding_box()
    assert dock["y"] < pane["y"]


def test_where_the_source_cannot_be_had_the_quote_stands_alone(page, site, server):
    server.has_sources = False
    server.answers["ask"] = [status(), sentence(1), done()]
    ask(page, site)
    expect(page.locator("#pinned blockquote")).to_have_text("All that is born dies.")
    expect(page.locator("#pinned")).to_contain_text("cannot be shown here")


def test_hostile_words_of_a_source_stay_words(page, site, server):
    bad = citation(1, "<img src=x onerror=window.hurt=1><script>window.hurt=1</script>")
    server.answers["ask"] = [status(), sentence(1, citations=[bad]), done()]
    ask(page, site)
    expect(page.locator("#pane mark")).to_have_text(bad["quote"])
    assert page.evaluate("window.hurt === undefined")
    assert page.locator("#pane img, #pane script").count() == 0


def test_on_a_narrow_screen_the_source_is_a_sheet_that_opens_on_a_press(page, site, server):
    page.set_viewport_size({"width": 390, "height": 800})
    answer_of_three(page, site, server)
    expect(page.locator("#evidence")).to_be_hidden()
    page.locator("#log .chip").nth(1).click()
    expect(page.locator("#pane mark")).to_have_text("The second dies.")
    expect(page.locator("#pane mark")).to_be_in_viewport()
    page.get_by_role("button", name="Close the sources").click()
    expect(page.locator("#evidence")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [1440, 390])
def test_what_a_search_finds_opens_beside_the_list(page, site, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{site}/search/?q=Why+did+Arjuna+put+down+his+bow%3F")
    link = page.locator(".result h2 a").nth(1)
    link.click()
    expect(page.locator("#pane mark").first).to_be_in_viewport()
    expect(page.locator("#pane-count")).to_have_text("2 of 20")
    page.get_by_role("button", name="Next passage").click()
    expect(page.locator("#pane-count")).to_have_text("3 of 20")
    page.keyboard.press("Escape")
    expect(page.locator("#evidence")).to_be_hidden()
    expect(page.locator(".result h2 a").nth(2)).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
