"""A reader's conversations: their days, their names, deleting with a way back, finding, and what a reload keeps."""

import re

import pytest
from playwright.sync_api import expect

from .asking import ask
from .scripted import ScriptedServer, done, sentence, status, stored


@pytest.fixture
def two(page, site):
    """A reader with two conversations, the second one open."""
    for question in ("What is bhakti?", "What does dharma mean?"):
        page.goto(site)
        ask(page, question)
    return page


def items(page):
    return page.locator("#conversation-list a")


def act(page, title, action):
    """Do something by keyboard to the conversation of this title."""
    page.get_by_role("button", name=f"Rename or delete: {title}").press("Enter")
    page.get_by_role("button", name=action, exact=True).press("Enter")


def test_conversations_stand_under_their_days(two):
    expect(two.locator("#conversation-list h2")).to_have_text(["Today"])
    day = "new Date(Date.now() - 86400000 * {}).toISOString()"
    two.route("**/conversations/?find=*", lambda route: route.fulfill(content_type="text/html", body="<ul>" + "".join(
        f'<li data-conversation="{n}" data-at="{two.evaluate(day.format(n))}"><a href="/c/{n}/">Talk {n}</a></li>'
        for n in (0, 1, 4, 400)) + "</ul>"))  # fmt: skip
    two.get_by_label("Find a conversation").fill("talk")
    expect(items(two)).to_have_text(["Talk 0", "Talk 1", "Talk 4", "Talk 400"])
    days = two.locator("#conversation-list h2").all_inner_texts()
    assert days[:3] == ["Today", "Yesterday", "Previous 7 days"]
    assert re.fullmatch(r"\w+ \d{4}", days[3])


def test_a_conversation_is_renamed_by_keyboard_and_the_name_is_kept(two):
    act(two, "What does dharma mean?", "Rename")
    two.keyboard.type("Abandoned")
    two.keyboard.press("Escape")
    expect(items(two).first).to_have_text("What does dharma mean?")
    act(two, "What does dharma mean?", "Rename")
    two.keyboard.type("The pillar <b>and</b> the roof")
    two.keyboard.press("Enter")
    expect(items(two).first).to_have_text("The pillar <b>and</b> the roof")
    expect(two).to_have_title("The pillar <b>and</b> the roof · Lectorium")
    expect(two.get_by_role("button", name="Rename or delete: The pillar")).to_be_focused()
    two.reload()
    expect(items(two).first).to_have_text("The pillar <b>and</b> the roof")


def test_a_deleted_conversation_is_gone_and_comes_back(two, site):
    address = two.url
    act(two, "What does dharma mean?", "Delete")
    expect(two.get_by_role("button", name="Undo")).to_be_focused()
    expect(items(two)).to_have_text(["What is bhakti?"])
    expect(two.locator(".turn")).to_have_count(0)
    expect(two.get_by_role("heading", name="Ask the lectures")).to_be_visible()
    expect(two).to_have_url(f"{site}/")
    assert two.request.get(address).status == 404
    two.keyboard.press("Enter")
    expect(two).to_have_url(address)
    expect(two.locator(".turn")).to_have_count(1)
    act(two, "What is bhakti?", "Delete")
    expect(items(two)).to_have_text(["What does dharma mean?"])
    expect(two.locator(".turn")).to_have_count(1)
    two.get_by_role("button", name="Undo").click()
    expect(items(two)).to_have_count(2)
    two.reload()
    expect(items(two)).to_have_count(2)


def test_conversations_are_found_by_the_words_of_their_questions(two):
    act(two, "What is bhakti?", "Rename")
    two.keyboard.type("Devotion")
    two.keyboard.press("Enter")
    two.get_by_label("Find a conversation").fill("BHAKTI")
    expect(items(two)).to_have_text(["Devotion"])
    two.get_by_label("Find a conversation").fill("nothing has this")
    expect(two.get_by_text("No conversation has these words")).to_be_visible()
    two.get_by_label("Find a conversation").fill("")
    expect(items(two)).to_have_count(2)


def test_questions_to_ask_next_are_there_after_a_reload(page, site):
    page.goto(site)
    ask(page, "BG 3.35")  # asked by no other test, so not given again without them
    offered = page.get_by_label("You could ask next").get_by_role("button")
    expect(offered.first).to_be_visible(timeout=60_000)
    before = offered.all_inner_texts()
    page.reload()
    expect(offered).to_have_text(before)


def test_questions_to_ask_next_may_come_after_the_answer_stands(page, site):
    server = ScriptedServer(page)
    server.answers["ask"] = [status(), sentence(1), done(), {"type": "suggestions", "items": ["And then?"]}]
    page.goto(site)
    ask(page, "What dies?")
    page.get_by_role("button", name="And then?").click()
    expect(page.locator(".turn")).to_have_count(2)
    assert server.received[-1]["question"] == "And then?"


def test_what_comes_late_of_an_answer_does_not_hide_the_next_one(page, site):
    server = ScriptedServer(page)
    server.answers["ask"] = [status(), sentence(1), done()]
    server.late = [{"type": "title", "title": "Of death"}, {"type": "suggestions", "items": ["And then?"]}]
    page.goto(site)
    ask(page, "What dies?")
    ask(page, "What lives?")
    before, after = page.locator(".turn").all()
    expect(after.locator(".sentence")).to_have_count(1)
    expect(before.get_by_role("button", name="And then?")).to_be_visible()
    expect(items(page)).to_have_text(["Of death"])


def test_a_reload_in_mid_answer_keeps_what_was_shown_and_offers_to_ask_again(page, site):
    page.goto(site)
    page.get_by_label("Your question").fill("What does dharma mean?")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/c/"))
    page.reload()
    expect(page.locator(".question")).to_have_text("What does dharma mean?")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false", timeout=60_000)
    again = page.get_by_role("button", name="Ask again")
    expect(again.or_(page.locator("#log .chip").first).first).to_be_visible()
    if again.count():  # else the answer was complete before the page was reloaded
        again.click()
        expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator("#log .chip").first).to_be_visible(timeout=60_000)


def test_an_answer_that_was_stopped_is_asked_again_from_where_it_is_drawn_again(page, site):
    server = ScriptedServer(page)
    server.answers["ask"] = [status(), sentence(1), done()]
    stored(page, site, {"question": "What dies?", "outcome": "interrupted", "response": {"message": "Stopped."}})
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".turn .chip")).to_have_count(1)
    assert server.received[-1]["question"] == "What dies?"


def test_a_question_that_a_reload_overtook_is_back_in_the_box(page, site):
    server = ScriptedServer(page)
    page.goto(site)
    page.get_by_label("Your question").fill("Will it arrive?")
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Your question")).to_have_value("Will it arrive?")
    expect(page.locator("#banner")).to_contain_text("back in the box")
    assert server.received[0]["question"] == "Will it arrive?"


def test_keys_work_after_asking_and_after_leaving_the_box(page, site):
    server = ScriptedServer(page)
    server.answers["ask"] = [status(), sentence(1), sentence(2), done()]
    page.goto(site)
    ask(page, "What dies?")
    page.keyboard.press("]")
    expect(page.locator("#log .chip").first).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Your question")).not_to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_series_and_a_work_can_be_chosen_and_go_with_the_question(page, site):
    server = ScriptedServer(page)
    server.answers["ask"] = [status(), sentence(1), done()]
    page.goto(site)
    picker = page.get_by_label("Where to look")
    assert picker.locator("optgroup").evaluate_all("all => all.map(one => one.label)") == ["Series", "Works"]
    picker.select_option(label="Bhagavad-gītā: selected verses")
    ask(page, "What dies?")
    assert server.received[-1]["scope"].startswith("work:")
    picker.select_option(label="Reading the Bhagavad-gītā: a short course")
    ask(page, "What dies?")
    assert server.received[-1]["scope"] == "series:Reading the Bhagavad-gītā: a short course"
    picker.select_option(label="Everything")
    ask(page, "What dies?")
    assert server.received[-1]["scope"] is None


def test_a_chosen_work_is_all_that_an_answer_is_drawn_from(page, site):
    page.goto(site)
    page.get_by_label("Where to look").select_option(label="Bhagavad-gītā: selected verses")
    ask(page, "Why did Arjuna put down his bow?")
    labels = page.locator("#log .chip, .nearest a").all_inner_texts()
    assert labels
    assert all("BG" in label for label in labels)


def test_a_vague_question_offers_readings_and_a_corrected_one_the_way_back(page, site):
    server = ScriptedServer(page)
    asked_back = {"type": "notice", "kind": "ask_back", "message": "What do you mean?", "readings": ["Who?", "Where?"]}
    server.answers["ask"] = [status(), asked_back, done("asked_back", summary="")]
    page.goto(site)
    ask(page, "It?")
    readings = page.get_by_role("list", name="Did you mean").get_by_role("button")
    expect(readings).to_have_text(["Who?", "Where?"])
    read_as = {"type": "read_as", "kind": "correction", "typed": "bahkti", "text": "bhakti", "language": "en"}
    server.answers["ask"] = [status(), read_as, sentence(1), done()]
    readings.last.click()
    expect(page.get_by_text("Showing results for “bhakti”")).to_be_visible()
    assert server.received[-1]["question"] == "Where?"
    page.get_by_role("button", name="Search as typed").click()
    expect(page.locator(".turn")).to_have_count(3)
    assert server.received[-1]["question"] == "bahkti"
    assert server.received[-1]["as_typed"] is True
