"""axe-core finds nothing on any page or state, in the light and in the dark."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from chat.answering.domain.refusals import CLOSEST

from .scripted import ScriptedServer, citation, clip, done, sentence, status

# Beside what axe runs by itself, of WCAG 2.2: targets of at least 24 pixels.
PLAIN = {"resultTypes": ["violations"], "preload": False}  # preloading style sheets would break the CSP
LIGHT = PLAIN | {"rules": {"target-size": {"enabled": True}}}
OPTIONS = {"light": LIGHT, "dark": PLAIN | {"runOnly": ["color-contrast"]}}  # all else is as it is in the light
# The end of one change of colour may begin another, of what inherits it; what turns for ever has no end.
FINISH_ANIMATIONS = """() => document.getAnimations()
    .filter(animation => animation.effect.getComputedTiming().endTime < Infinity)
    .map(animation => animation.finish()).length === 0"""
NEAREST = citation(3, "What is born dies.")


@pytest.fixture
def shown(page):
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return page


def faults(page, *schemes):
    """The faults that axe-core finds in each colour scheme, by default both: one line each, with rule and element."""
    return [
        f"{scheme}: {violation['id']}: {node['html'][:120]} {node['failureSummary']}"
        for scheme in schemes or OPTIONS
        for violation in violations(page, scheme)
        for node in violation["nodes"]
    ]


def violations(page, scheme):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_function(FINISH_ANIMATIONS)  # a link that changes has neither the old contrast nor the new one
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate("options => axe.run(options)", OPTIONS[scheme])["violations"]


def ask(page, site, *events):
    server = ScriptedServer(page)
    server.answers["ask"] = [status(), *events]
    page.goto(site)
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")


def answer(page, site):
    page.route("**/heard.mp3", lambda route: route.fulfill(body="not a sound", content_type="audio/mpeg"))
    verdicts = ("partial", "inferred", "contradicted", "unsupported", "unchecked")
    written = [
        sentence(n, quoted=False, verdict=verdict, citations=[citation(n, verdict=verdict)])
        for n, verdict in enumerate(verdicts, start=2)
    ]
    ask(page, site, sentence(1, citations=[citation(1, media="/heard.mp3")]), *written, done())


def test_an_empty_chat(shown, site):
    shown.goto(site)
    assert faults(shown) == []


def test_the_page_for_people_who_write_programs(shown, site):
    shown.goto(f"{site}/api/v1/docs")
    expect(shown.get_by_role("heading", name="Errors")).to_be_visible()
    assert faults(shown, "light") == []
    shown.evaluate("document.querySelectorAll('article + article, tr + tr').forEach(repeated => repeated.remove())")
    assert faults(shown, "dark") == []  # all addresses and rows have the same colours


def test_an_answer_with_its_hover_card(shown, site):
    answer(shown, site)
    shown.locator(".chip").first.hover()
    expect(shown.locator(".hovercard")).to_be_visible()
    assert faults(shown) == []


def test_an_answer_with_a_card_pinned_and_the_player_open(shown, site):
    answer(shown, site)
    shown.locator(".chip").first.click()
    expect(shown.locator("#dock").get_by_role("status")).not_to_be_empty()
    assert faults(shown) == []


def test_feedback_given_with_its_note_open(shown, site):
    shown.route("**/feedback/", lambda route: route.fulfill(status=204))
    answer(shown, site)
    shown.locator(".chip").nth(1).click()
    for name in ("Not helpful", "This passage does not say that"):
        shown.get_by_role("button", name=name).click()
    notes = shown.get_by_role("textbox", name="A note for the staff")
    expect(notes).to_have_count(2)
    assert faults(shown) == []
    shown.set_viewport_size({"width": 390, "height": 800})
    expect(shown.locator("#evidence")).to_be_hidden()
    expect(notes).to_have_count(1)  # the page is laid out again, and the source with its note is hidden
    assert faults(shown) == []


def test_a_player_that_plays(shown, site, moment_url):
    shown.goto(site)
    shown.get_by_label("Your question").fill("Why did Arjuna put down his bow?")
    shown.keyboard.press("Enter")
    shown.locator(".chip", has_text="Two Armies").first.click(timeout=60_000)
    expect(shown.locator("#dock").get_by_role("button", name="Pause")).to_be_visible()
    assert faults(shown) == []


def test_a_chosen_card_on_a_narrow_screen(shown, site):
    shown.set_viewport_size({"width": 390, "height": 800})
    answer(shown, site)
    assert faults(shown) == []
    shown.locator(".chip").first.click()
    expect(shown.locator("#pane mark")).to_be_visible()
    assert faults(shown) == []


@pytest.mark.parametrize("width", [1440, 390])
def test_clips_and_a_closest_passage(shown, site, width):
    shown.set_viewport_size({"width": width, "height": 800})
    shown.route("**/heard.mp3", lambda route: route.fulfill(body="not a sound", content_type="audio/mpeg"))
    told = clip(1, "It is born.", "It dies.", lead=1, cited=[citation(1, media="/heard.mp3"), citation(2)])
    ask(shown, site, *told, *clip(2, "It is born again.", cited=[citation(3)]), done())
    expect(shown.locator(".clip mark")).to_have_count(2)
    assert faults(shown) == []
    notice = {"type": "notice", "kind": "closest_passage", "message": CLOSEST}
    ask(shown, site, notice, *told, done("closest_passage", noted=True))
    expect(shown.locator(".closest mark")).to_have_count(1)
    assert faults(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_refusal_and_the_source_of_a_related_passage(shown, site):
    told = {"type": "refusal", "reason": "outside_corpus", "message": "Nothing here.", "searched": "8 lectures",
            "next_step": "Ask in other words.", "nearest": [NEAREST]}  # fmt: skip
    ask(shown, site, told, done("refused"))
    assert faults(shown) == []
    shown.locator(".nearest a").click()
    expect(shown.locator("#pane mark")).to_be_visible()
    assert faults(shown) == []


def test_the_source_of_an_answer_with_times_that_play(shown, site, moment_url):
    shown.goto(site)
    shown.get_by_label("Your question").fill("Why did Arjuna put down his bow?")
    shown.keyboard.press("Enter")
    shown.locator(".chip", has_text="Two Armies").first.click(timeout=60_000)
    expect(shown.locator("#pane mark").first).to_be_visible()
    assert faults(shown) == []
    shown.goto(f"{site}/search/?q=Why+did+Arjuna+put+down+his+bow%3F")
    shown.locator(".result h2 a").first.click()
    expect(shown.locator("#pane mark").first).to_be_visible()
    assert faults(shown) == []


@pytest.mark.parametrize("width", [1440, 390])
def test_what_is_done_to_a_conversation(shown, site, width):
    shown.set_viewport_size({"width": width, "height": 800})
    ask(shown, site, {"type": "read_as", "kind": "correction", "typed": "bahkti", "text": "bhakti"},
        {"type": "notice", "kind": "ask_back", "message": "Which?", "readings": ["Who?", "What?"]},
        done("asked_back"))  # fmt: skip
    expect(shown.get_by_role("button", name="Search as typed")).to_be_visible()
    if width == 390:
        shown.get_by_role("button", name="Conversations").click()
    shown.locator("#conversation-list .more").click()
    assert faults(shown) == []
    shown.get_by_role("button", name="Rename", exact=True).click()
    assert faults(shown) == []
    shown.keyboard.press("Escape")
    shown.route("**/delete", lambda route: route.fulfill(status=204))
    shown.locator("#conversation-list .more").click()
    shown.get_by_role("button", name="Delete", exact=True).click()
    expect(shown.get_by_role("button", name="Undo")).to_be_visible()
    assert faults(shown) == []


def test_a_fault_and_the_help(shown, site):
    ask(shown, site, {"type": "error", "code": "failed", "message": "Something went wrong.", "retryable": True})
    assert faults(shown) == []
    shown.get_by_role("button", name="Keyboard help").click()
    assert faults(shown) == []


def test_the_queue_of_feedback_and_a_review(shown, site, sign_in):
    shown.goto(site)
    shown.get_by_label("Your question").fill("Why did Arjuna put down his bow?")
    shown.keyboard.press("Enter")
    shown.locator(".chip").first.click(timeout=60_000)
    with shown.expect_response("**/feedback/"):
        shown.get_by_role("button", name="does not say that").click()
    sign_in(shown, "auditor")
    shown.goto(f"{site}/admin/audit/feedback/")
    listed = shown.locator("#result_list tbody th a").first
    expect(listed).to_be_visible()
    assert faults(shown) == []
    listed.click()
    expect(shown.get_by_role("button", name="Agree with the reader")).to_be_visible()
    assert faults(shown) == []


def test_a_lecture_and_a_work(shown, moment_url, work_url):
    for url in (moment_url, work_url):
        shown.goto(url)
        assert faults(shown) == []


def test_a_search_within_a_lecture_and_its_help(shown, lecture_url):
    shown.set_viewport_size({"width": 390, "height": 800})
    for query in ("krishna", "zzyzx"):
        shown.goto(f"{lecture_url}?q={query}")
        expect(shown.get_by_label("Speed")).to_be_visible()
        assert faults(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shown.keyboard.press("?")
    assert faults(shown) == []


def test_the_question_box_of_a_frame(shown, site, framing_port):
    shown.set_viewport_size({"width": 390, "height": 800})
    shown.goto(f"{site}/embed/?origin=http://localhost:{framing_port}")
    shown.get_by_label("Your question").fill("Why did Arjuna put down his bow?")
    shown.get_by_role("button", name="Ask").click()
    shown.get_by_role("button", name="Play from").first.click()
    expect(shown.locator("#dock").get_by_role("button", name="Pause")).to_be_visible()
    assert faults(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_a_search_finds_and_what_can_be_read(shown, site):
    for path in ("search/", "search/?q=Why+did+Arjuna+put+down+his+bow%3F", "search/?q=zzyzx", "lectures/",
                 "lectures/?q=zzyzx"):  # fmt: skip
        shown.goto(f"{site}/{path}")
        for scheme, width in (("light", 390), ("dark", 1440)):
            shown.set_viewport_size({"width": width, "height": 800})
            assert faults(shown, scheme) == []


def test_signing_in_and_the_import_of_lectures(shown, site, state):
    shown.goto(f"{site}/admin/corpus/import/add/")
    assert faults(shown) == []
    shown.get_by_label("Username").fill("editor")
    shown.get_by_label("Password").fill((state / "demo" / "editor.txt").read_text().strip())
    shown.get_by_role("button", name="Log in").click()
    expect(shown.locator("input[type=file]").first).to_be_attached()
    assert faults(shown) == []
