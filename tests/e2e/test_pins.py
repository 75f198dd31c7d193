"""An editor pins, tries and submits; a reviewer publishes; a reader is answered by what they chose, in its order."""

import re
import time

from playwright.sync_api import expect

from .test_accessibility import faults

QUESTION = "What should a new student listen to first?"
FRAMING = "Begin with the verse, then hear how Arjuna came to ask for it."
PATIENCE_S = 90  # for the index job to embed the pin


def add_passage(page, typed):
    """Find a passage and add it; return its address."""
    with page.expect_response("**/passages/?*"):
        page.locator(".reference-search").fill(typed)
    expect(page.locator(".reference-status", has_text="found.")).to_have_text(re.compile(r"\d+ found."))
    hit = page.locator(".reference-hit").first
    hit.get_by_role("button").wait_for()
    address = hit.locator(".reference-source a").inner_text()
    hit.get_by_role("button").click()
    return address


def order(page):
    return page.locator(".reference-list .reference-source a").all_inner_texts()


def test_an_editor_pins_a_reviewer_publishes_and_a_reader_is_answered(page, site, signed_in):
    started, editor = time.monotonic(), signed_in("editor")
    editor.goto(f"{site}/admin/curation/pinnedquestion/add/")
    editor.get_by_label("Question:").fill(QUESTION)
    spoken = add_passage(editor, "Arjuna puts down his bow in the middle")
    assert add_passage(editor, "Gita 2:47") == "BG 2.47"
    editor.get_by_role("button", name="Move BG 2.47 up").click()
    assert order(editor) == ["BG 2.47", spoken]
    editor.get_by_label("Framing:").fill(FRAMING)

    editor.get_by_label("A question to try").fill(QUESTION)
    editor.get_by_role("button", name="Try it").click()
    row = editor.get_by_role("row", name="This entry")
    expect(row).to_contain_text("Answers with its 2 passages, in its order.", timeout=60_000)
    expect(editor.get_by_role("region", name="With this entry")).to_contain_text(FRAMING)
    expect(editor.get_by_role("region", name="Without it")).not_to_contain_text(FRAMING)

    editor.get_by_role("button", name="Submit for review").click()
    expect(editor.locator(".entry-state")).to_have_text("In review")
    assert order(editor) == ["BG 2.47", spoken]
    expect(editor.get_by_role("button", name="Publish")).to_have_count(0)

    reviewer = signed_in("reviewer")
    reviewer.goto(editor.url)
    reviewer.get_by_role("button", name="Publish").click()
    expect(reviewer.locator(".entry-state")).to_have_text("Published")

    is_answered(page, site)
    print(f"pinned, tried, submitted, published and answered in {time.monotonic() - started:.0f} s")
    chips = page.locator(".chip").all_inner_texts()
    assert "BG 2.47" in chips[0]

    editor.reload()
    expect(editor.get_by_text("Readers see this entry, so only reviewers change it.")).to_be_visible()
    reviewer.get_by_role("button", name="Withdraw").click()
    expect(reviewer.locator(".entry-state")).to_have_text("Withdrawn")
    page.goto(site)
    ask(page)
    is_over(page)
    expect(page.get_by_text(FRAMING)).to_have_count(0)


def ask(page):
    page.get_by_label("Your question").fill(QUESTION)
    page.keyboard.press("Enter")


def is_over(page):
    ended = page.get_by_role("group", name="Feedback on this answer").or_(page.locator(".chip").first).first
    expect(ended).to_be_visible(timeout=60_000)


def is_answered(page, site):
    """The pin counts as soon as the index job has embedded it."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        page.goto(site)
        ask(page)
        is_over(page)
        if page.get_by_text(FRAMING).count():
            return
    raise AssertionError("The published pin does not answer.")


def test_axe_finds_nothing_in_the_form_and_its_trial(site, signed_in):
    editor = signed_in("editor")
    editor.goto(f"{site}/admin/curation/pinnedquestion/add/")
    editor.get_by_label("Question:").fill(QUESTION)
    add_passage(editor, "BG 2.47")
    editor.get_by_label("A question to try").fill(QUESTION)
    editor.get_by_role("button", name="Try it").click()
    editor.get_by_role("region", name="With this entry").wait_for()
    for scheme, width in (("light", 390), ("dark", 1440)):
        editor.set_viewport_size({"width": width, "height": 900})
        assert faults(editor, scheme) == []
        assert editor.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
