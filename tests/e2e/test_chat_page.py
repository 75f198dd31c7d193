"""The chat page against a scripted server: what the keys do, and what it does when things go wrong."""

import re

import pytest
from playwright.sync_api import expect

from .scripted import ScriptedServer, citation, done, sentence, status

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture
def server(page):
    return ScriptedServer(page)


def ask(page, question="What dies?"):
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")


def focused(page, attribute):
    return page.evaluate("name => document.activeElement.getAttribute(name)", attribute)


def test_a_dropped_line_is_taken_up_where_it_was_left(page, site, server):
    server.answers |= {"ask": [status(), sentence(1)], "resume": [sentence(2), done()]}
    page.goto(site)
    ask(page)
    expect(page.locator(".sentence")).to_have_count(1)
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "true")
    server.drop()
    expect(page.locator("#banner")).to_contain_text("No connection")
    expect(page.locator(".sentence")).to_have_count(2)
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    assert server.received[-1] == {"type": "resume", "turn": server.turn, "after": 2}


def test_a_question_that_never_arrived_is_given_back(page, site, server):
    page.goto(site)
    ask(page, "Will it arrive?")
    expect(page.locator(".status")).to_be_visible()
    server.drop()
    expect(page.get_by_role("alert")).to_contain_text("lost")
    expect(page.get_by_label("Your question")).to_have_value("Will it arrive?")


def test_a_question_asked_before_the_connection_stands_goes_out_once_it_does(page, site, server):
    page.goto(site)
    server.answers["ask"] = [status(), sentence(1), done()]
    page.get_by_label("Your question").fill("What dies?")
    server.drop()
    expect(page.locator("#banner")).to_contain_text("No connection")
    page.keyboard.press("Enter")
    expect(page.locator("#log .chip")).to_have_count(1)
    assert [one["question"] for one in server.received if one["type"] == "ask"] == ["What dies?"]


def test_an_error_is_said_in_words_and_can_be_tried_again(page, site, server):
    fault = {"type": "error", "code": "failed", "message": "Something went wrong on our side.", "retryable": True}
    server.answers["ask"] = [status(), fault]
    page.goto(site)
    ask(page)
    expect(page.get_by_role("alert")).to_contain_text("Something went wrong on our side.")
    expect(page.get_by_label("Your question")).to_have_value("What dies?")
    server.answers["ask"] = [sentence(1), done()]
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".sentence")).to_have_count(1)


def test_escape_stops_an_answer_and_keeps_what_was_shown(page, site, server):
    server.answers |= {"ask": [status(), sentence(1)], "stop": [done("interrupted", complete=False)]}
    page.goto(site)
    ask(page)
    expect(page.locator(".sentence")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Stopped.")).to_be_visible()
    expect(page.locator(".sentence")).to_have_count(1)
    assert server.received[-1] == {"type": "stop"}


def test_keys_move_between_citations_and_rest_while_writing(page, site, server):
    server.answers["ask"] = [status(), sentence(1), sentence(2), done()]
    page.goto(site)
    page.keyboard.press("/")
    page.keyboard.type("What [p?] dies?")
    expect(page.get_by_label("Your question")).to_have_value("What [p?] dies?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    page.locator("h2.question").click()
    page.keyboard.press("]")
    assert focused(page, "data-n") == "1"
    expect(page.locator(".hovercard blockquote")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".hovercard")).to_be_hidden()
    page.keyboard.press("]")
    page.keyboard.press("Enter")
    expect(page.locator("#pinned .chip-n")).to_have_text("2")
    page.keyboard.press("Escape")
    assert focused(page, "data-n") == "2"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_question_that_is_too_long_is_counted_and_stays_in_the_box(page, site, server):
    page.goto(site)
    ask(page, "x" * 2100)
    expect(page.locator("#counter")).to_have_text("100 too many")
    expect(page.get_by_label("Your question")).to_have_value("x" * 2100)
    assert server.received == []


def test_hostile_text_stays_text_wherever_it_is_shown(page, site, server):
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    bad = citation(
        1, HOSTILE, title=HOSTILE, speaker=HOSTILE, url="javascript:alert(3)", media="https://elsewhere.example/a.mp3"
    )
    server.answers["ask"] = [
        status(),
        {"type": "sources", "items": [bad]},
        sentence(1, HOSTILE, citations=[bad]),
        {"type": "notice", "kind": "note", "message": HOSTILE},
        {
            "type": "refusal",
            "reason": HOSTILE,
            "message": HOSTILE,
            "searched": HOSTILE,
            "next_step": HOSTILE,
            "nearest": [bad],
        },
        {"type": "title", "title": HOSTILE},
        {"type": "suggestions", "items": [HOSTILE]},
        done(summary=HOSTILE, warnings=[{"type": HOSTILE, "message": HOSTILE}]),
    ]
    page.goto(site)
    ask(page, HOSTILE)
    page.locator(".chip").click()
    expect(page.locator("#pinned blockquote")).to_have_text(HOSTILE)
    assert page.locator("body img, [onerror], body script:not([type='application/json'])").count() == 0
    assert page.locator("a[href^='javascript'], #pinned a, #pinned .primary").count() == 0


def test_on_a_narrow_screen_sources_are_a_sheet_and_conversations_a_drawer(page, site, server):
    server.answers["ask"] = [status(), sentence(1), done()]
    page.set_viewport_size({"width": 375, "height": 740})
    page.goto(site)
    ask(page)
    expect(page.locator("#evidence")).to_be_hidden()
    page.locator(".chip").click()
    expect(page.locator("#evidence blockquote")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#evidence")).to_be_hidden()
    assert focused(page, "data-n") == "1"
    page.get_by_role("button", name="Conversations").click()
    expect(page.locator("#conversations").get_by_role("link", name="What dies?")).to_be_visible()
    page.get_by_role("button", name="Close the conversations").click()
    expect(page.locator("#conversations")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_quote_is_played_from_two_seconds_early_and_softly_stops_at_its_end(page, site):
    page.goto(site)
    ask(page, "Why did Arjuna put down his bow?")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false", timeout=60_000)
    playable = page.locator(".chip", has_text="Two Armies").first
    playable.click()
    card = page.locator("#pinned")
    start, end = map(float, re.search(r"#t=([\d.]+),([\d.]+)", card.get_by_role("link").get_attribute("href")).groups())
    expect(card.get_by_role("button", name="Pause")).to_be_visible()
    audio = page.locator("#dock audio")
    assert start - 2 <= audio.evaluate("audio => audio.currentTime") < start
    audio.evaluate("(audio, seconds) => { audio.currentTime = seconds; }", end - 0.7)
    expect(card.get_by_role("button", name="Play from here")).to_be_visible()
    assert end <= audio.evaluate("audio => audio.currentTime") < end + 0.6


def test_headings_lists_and_corrected_sources_are_drawn(page, site, server):
    server.answers["ask"] = [
        status(),
        sentence(1, "The eight steps", paragraph=0, quoted=False, kind="framing", citations=[], block="## "),
        sentence(1, "Not to harm comes first.", paragraph=1, quoted=False, block="- ", repair="moved"),
        sentence(2, "Truth comes second.", paragraph=2, quoted=False, block="2. ", repair="suggested"),
        sentence(3, "Seven kings crowned it.", paragraph=3, quoted=False, verdict="contradicted", citations=[]),
        done(outcome="partially_grounded"),
    ]
    page.goto(site)
    ask(page)
    expect(page.locator(".paragraph.heading")).to_have_text("The eight steps")
    expect(page.locator(".paragraph.item").first).to_contain_text("source corrected by the check")
    expect(page.locator(".paragraph.item").nth(1)).to_contain_text("2. Truth comes second.")
    expect(page.locator(".paragraph.item").nth(1)).to_contain_text("source found by the check")
    expect(page.locator(".sentence").last).to_contain_text("Source says otherwise")


def test_sentences_that_sources_disagree_on_say_so_in_words(page, site, server):
    message = "The sources disagree about the banyan: see [1] and [2]."
    server.answers["ask"] = [
        status(),
        sentence(1, "The banyan is ninety feet tall.", paragraph=0, quoted=False, conflicting=True),
        sentence(3, "It is a tree.", paragraph=0, quoted=False),
        sentence(2, "The banyan is thirty feet tall.", paragraph=1, conflicting=True),
        done(warnings=[{"type": "CONFLICTING_SOURCES", "message": message}]),
    ]
    page.goto(site)
    ask(page)
    expect(page.locator(".sentence .verdict.conflicting")).to_have_text(["Conflicting sources", "Conflicting sources"])
    expect(page.locator(".sentence").nth(0)).to_contain_text("Verified")
    expect(page.locator(".sentence").nth(1)).not_to_contain_text("Conflicting sources")
    expect(page.locator(".sentence").nth(2)).to_contain_text("Quoted")
    expect(page.locator(".warnings")).to_have_text(message)
