"""What is heard: when a recording plays, and what is shown where it cannot."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .scripted import ScriptedServer, citation, done, sentence, status

RECORDING = Path(__file__).resolve().parents[2] / "samples" / "lectures" / "01-two-armies-one-question.mp3"
HEARD, BROKEN = "/heard.mp3", "/broken.mp3"


@pytest.fixture
def server(page):
    """A scripted server, with one recording that plays and one that does not."""
    page.route(f"**{HEARD}", serve)
    page.route(f"**{BROKEN}", lambda route: route.fulfill(body="not a sound", content_type="audio/mpeg"))
    return ScriptedServer(page)


def serve(route):
    """Serve the recording by byte ranges, as the site does: without them nothing can be sought."""
    sound = RECORDING.read_bytes()
    first = int(re.search(r"bytes=(\d+)-", route.request.headers.get("range", "bytes=0-")).group(1))
    whole = f"bytes {first}-{len(sound) - 1}/{len(sound)}"
    headers = {"Content-Range": whole, "Accept-Ranges": "bytes"}
    route.fulfill(status=206, body=sound[first:], content_type="audio/mpeg", headers=headers)


def ask(page, site, server, *media):
    """Open the page on an answer of one sentence a recording; None has none."""
    told = [sentence(n, citations=[citation(n, media=address)]) for n, address in enumerate(media, start=1)]
    server.answers["ask"] = [status(), *told, done()]
    page.goto(site)
    page.get_by_label("Your question").fill("What dies?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")


def heard(page):
    """Return where the recording plays, in seconds; None where it is silent."""
    return page.locator("#dock audio").evaluate("audio => audio.paused ? null : audio.currentTime")


@pytest.mark.parametrize("way", ["click", "Enter", "source"])
def test_pinning_a_citation_plays_it_from_two_seconds_before_its_quote(page, site, server, way):
    ask(page, site, server, HEARD)
    if way == "click":
        page.locator(".chip").click()
    elif way == "Enter":
        page.locator(".chip").press("Enter")
    else:
        page.get_by_role("button", name="All sources of this answer").click()
        page.locator(".source-row").click()
    expect(page.locator("#pinned").get_by_role("button", name="Pause")).to_be_visible()
    assert 89 <= heard(page) < 91


def test_pointing_at_a_citation_or_moving_to_it_makes_no_sound(page, site, server):
    ask(page, site, server, HEARD)
    page.locator(".chip").hover()
    expect(page.locator(".hovercard")).to_be_visible()
    page.locator("h2.question").click()
    page.keyboard.press("]")
    expect(page.locator(".chip")).to_be_focused()
    expect(page.locator(".hovercard").get_by_role("button", name="Play from here")).to_be_visible()
    assert heard(page) is None
    expect(page.locator("#dock")).to_be_hidden()


def test_the_sound_follows_the_pinned_citation_and_ends_with_it(page, site, server):
    ask(page, site, server, HEARD, HEARD, None)
    pause, chips = page.locator("#pinned").get_by_role("button", name="Pause"), page.locator(".chip")
    chips.nth(0).click()
    expect(pause).to_be_visible()
    chips.nth(1).click()
    expect(pause).to_be_visible()
    assert 90 <= heard(page) < 92
    page.keyboard.press("Escape")
    expect(page.locator("#pinned")).to_be_empty()
    assert heard(page) is None
    chips.nth(0).click()
    expect(pause).to_be_visible()
    chips.nth(2).click()
    expect(page.locator("#dock")).to_be_hidden()
    assert heard(page) is None


def test_a_recording_that_cannot_be_played_leaves_a_sentence_and_no_player(page, site, server):
    ask(page, site, server, BROKEN, HEARD)
    page.locator(".chip").first.click()
    expect(page.locator("#dock").get_by_role("status")).to_have_text("This recording cannot be played.")
    expect(page.locator("#dock").get_by_role("button", name=re.compile("^(Play|Pause)$"))).to_have_count(0)
    expect(page.locator("#dock progress")).to_be_hidden()
    expect(page.locator("#pinned").get_by_role("button", name=re.compile("[Pp]lay|Pause"))).to_have_count(0)
    expect(page.locator("#pinned").get_by_role("link", name="Open transcript")).to_be_visible()
    page.locator(".chip").last.click()
    expect(page.locator("#dock").get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#dock").get_by_role("status")).to_be_empty()


def test_a_lecture_page_drops_a_player_that_cannot_play(page, site):
    page.route("**/media", lambda route: route.fulfill(body="not a sound", content_type="audio/mpeg"))
    page.goto(site)
    page.get_by_label("Your question").fill("Why did Arjuna put down his bow?")
    page.keyboard.press("Enter")
    chip = page.locator(".chip", has_text="Two Armies").first
    chip.click()
    page.locator("#pinned").get_by_role("link", name="Open transcript").click()
    expect(page.get_by_text("This recording cannot be played.")).to_be_visible()
    expect(page.locator("audio")).to_have_count(0)
    expect(page.locator("#transcript .quoted").first).to_be_visible()
