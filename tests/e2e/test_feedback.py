"""A reader says what an answer and a citation are worth; staff read it and say whether they agree."""

import json
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import expect

from .scripted import ScriptedServer, citation, done, sentence, status

ANSWERED = "Why did Arjuna put down his bow?"
REFUSED = "Who discovered penicillin?"
THANKS = "Thank you; the staff will look at it."


def ask(page, question):
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Feedback on this answer")).to_be_visible(timeout=60_000)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def is_pressed(page, name, pressed=True):
    expect(button(page, name)).to_have_attribute("aria-pressed", str(pressed).lower())


def sends(page, action):
    """Do something that sends feedback, and wait until it has arrived."""
    with page.expect_response("**/feedback/") as answer:
        action()
    assert answer.value.status == 204


def test_an_answer_is_judged_changed_and_taken_back_across_reloads(page, site):
    page.goto(site)
    ask(page, ANSWERED)
    sends(page, button(page, "Helpful").click)
    expect(page.get_by_text(THANKS)).to_be_visible()
    is_pressed(page, "Helpful")
    sends(page, button(page, "Not helpful").click)
    page.reload()
    is_pressed(page, "Not helpful")
    is_pressed(page, "Helpful", pressed=False)
    sends(page, button(page, "Not helpful").click)
    expect(page.get_by_text("Taken back.")).to_be_visible()
    page.reload()
    is_pressed(page, "Not helpful", pressed=False)


def test_a_refusal_can_be_told_that_the_answer_is_in_the_sources(page, site):
    page.goto(site)
    ask(page, REFUSED)
    expect(button(page, "Not helpful")).to_have_count(0)
    sends(page, button(page, "The answer is in the sources").click)
    page.reload()
    is_pressed(page, "The answer is in the sources")


def test_a_claim_is_disputed_by_keyboard_with_a_note_and_staff_agree(page, site, signed_in):
    page.goto(site)
    ask(page, ANSWERED)
    page.locator("h2.question").click()
    page.keyboard.press("]")
    page.keyboard.press("Enter")
    dispute = page.get_by_role("group", name="Feedback on this citation").get_by_role("button").first
    dispute.focus()
    sends(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#pinned").get_by_text(THANKS)).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.type("He only sat down [/?].")
    page.keyboard.press("Escape")
    expect(dispute).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    sends(page, lambda: page.keyboard.press("Enter"))
    expect(dispute).to_be_focused()
    expect(page.locator("#pinned textarea")).to_be_hidden()
    page.reload()
    page.locator("#log .chip").first.click()
    expect(dispute).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#pane mark.cited").first).to_be_visible()
    quote = " ".join(page.locator("#pane mark.cited").all_inner_texts())
    reviewed(signed_in("editor"), site, quote)


def reviewed(staff, site, quote):
    """Find the disputed claim in the queue, and agree."""
    staff.goto(f"{site}/admin/audit/feedback/?kind__exact=not_said")
    staff.get_by_role("link", name=ANSWERED).first.click()
    expect(staff.locator(".side blockquote")).to_have_text(quote)
    expect(staff.get_by_text("He only sat down [/?].")).to_be_visible()
    staff.get_by_label("Your note").fill("The clip has it.")
    staff.get_by_role("button", name="Agree with the reader").click()
    expect(staff.get_by_text("Reviewed.")).to_be_visible()
    expect(staff.locator(".field-review")).to_contain_text("Agree with the reader")
    staff.get_by_role("link", name="Open").first.click()
    expect(staff.get_by_role("main")).to_contain_text(quote.split()[0])


@pytest.fixture
def sent(page):
    """A server that is told what is sent; returns it."""
    bodies = []

    def taken(route):
        bodies.append(dict(parse_qsl(route.request.post_data, keep_blank_values=True)))
        route.fulfill(status=204)

    page.route("**/feedback/", taken)
    return bodies


def scripted(page, site, *events):
    server = ScriptedServer(page)
    server.answers["ask"] = [status(), *events]
    page.goto(site)
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    return server


def test_what_is_sent_names_the_claim_by_its_words_and_its_citation(page, site, sent):
    page.route("**/heard.mp3", lambda route: route.fulfill(body="not a sound", content_type="audio/mpeg"))
    cited = [citation(1), citation(2, "Seven kings.\nAnd more.", media="/heard.mp3")]
    server = scripted(
        page, site, sentence(1, "First <b>claim</b>.", quoted=False, citations=cited),
        sentence(2, "Seven kings.\nAnd more.", quoted=False, citations=cited[1:]), done(),
    )  # fmt: skip
    page.locator("#log .chip[data-n='2']").first.click()
    expect(page.locator("#pinned q")).to_have_text("First <b>claim</b>.")
    button(page, "This clip does not say that").click()
    page.locator("#log .chip[data-n='2']").last.click()
    is_pressed(page, "This clip does not say that", pressed=False)
    expect(page.locator("#pinned q")).to_have_count(0)
    button(page, "This clip does not say that").click()
    page.locator("#log .chip[data-n='1']").click()
    button(page, "This passage does not say that").click()
    is_pressed(page, "This passage does not say that")
    assert [(form["turn"], form["citation"], form["claim"]) for form in sent] == [
        (server.turn, "2", "First <b>claim</b>."),
        (server.turn, "2", "Seven kings.\nAnd more."),
        (server.turn, "1", "First <b>claim</b>."),
    ]
    assert all(form["kind"] == "not_said" and form["csrfmiddlewaretoken"] for form in sent)


def test_nothing_is_asked_while_an_answer_is_on_its_way_nor_of_one_that_was_stopped(page, site):
    server = scripted(page, site, sentence(1))
    page.locator("#log .chip").click()
    expect(page.locator("#pane mark")).to_be_visible()
    expect(page.get_by_role("group", name="Feedback")).to_have_count(0)
    server.answers["stop"] = [done("interrupted", complete=False)]
    button(page, "Stop").click()
    expect(page.get_by_role("group", name="Feedback on this citation")).to_be_visible()
    expect(page.get_by_role("group", name="Feedback on this answer")).to_have_count(0)


def test_what_is_not_taken_is_said_and_not_shown_as_taken(page, site):
    scripted(page, site, sentence(1), done())
    # Hidden, it would not be heard to change.
    expect(page.locator(".answer .feedback [role=status]")).not_to_have_css("display", "none")
    for body, kind, said in (
        (json.dumps({"message": "Please go on in a minute."}), "application/json", "Please go on in a minute."),
        ("<h1>Forbidden</h1>", "text/html; charset=utf-8", "Please reload the page and try again."),
    ):
        page.evaluate(
            "([body, type]) => { window.fetch = async () => new Response(body, { status: 403, "
            "headers: { 'Content-Type': type } }); }", [body, kind],
        )  # fmt: skip
        button(page, "Not helpful").click()
        expect(page.locator(".answer .feedback [role=status]")).to_contain_text(said)
        is_pressed(page, "Not helpful", pressed=False)
        expect(page.locator(".answer .feedback textarea")).to_be_hidden()
