"""A lecture's page: searching it, its player's speed and keys, and links to a moment."""

import re

from playwright.sync_api import expect

STATE = "audio => ({ at: audio.currentTime, rate: audio.playbackRate, paused: audio.paused })"


def player(page):
    return page.locator("#audio").evaluate(STATE)


def test_keys_lead_through_the_places_that_a_search_finds(page, lecture_url):
    page.goto(lecture_url)
    page.keyboard.press("/")
    page.keyboard.type("krishna")
    page.keyboard.press("Enter")
    current = page.locator("mark.found.current")
    expect(current).to_have_attribute("id", "found-1")
    expect(current).to_have_text("Kṛṣṇa")
    expect(current).to_be_in_viewport()
    page.locator("h1").click()
    page.keyboard.press("]")
    expect(current).to_have_attribute("id", "found-2")
    page.keyboard.press("[")
    page.keyboard.press("[")
    total = page.locator("mark.found[id]").count()
    expect(page.locator("#found-count")).to_have_text(f"{total} of {total}")
    page.get_by_role("button", name="Next place").click()
    expect(current).to_have_attribute("id", "found-1")
    page.get_by_role("list", name="Places found").get_by_role("link").last.click()
    expect(current).to_be_in_viewport()
    page.get_by_role("link", name="End the search").click()
    expect(page.locator("mark")).to_have_count(0)


def test_places_are_found_and_followed_without_scripts(browser, lecture_url):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(lecture_url)
    page.get_by_label("Search in this lecture").fill("gandiva")
    page.get_by_role("button", name="Search").click()
    place = page.get_by_role("list", name="Places found").get_by_role("link").last
    page.goto(f"{page.url}{place.get_attribute('href')}")
    expect(page.locator("mark.found").last).to_be_in_viewport()
    context.close()


def test_the_speed_is_remembered_and_keys_lead_the_player(page, lecture_url):
    page.goto(lecture_url)
    page.locator("#audio").evaluate("audio => audio.readyState || new Promise(r => { audio.onloadedmetadata = r; })")
    page.keyboard.press(".")
    page.keyboard.press(".")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_label("Speed")).to_have_value("1.5")
    assert player(page) == {"at": 5, "rate": 1.5, "paused": True}
    page.keyboard.press("k")
    page.wait_for_function("() => !document.querySelector('audio').paused")
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('audio').paused")
    page.reload()
    expect(page.get_by_label("Speed")).to_have_value("1.5")
    page.get_by_label("Speed").select_option("1")
    assert player(page)["rate"] == 1


def test_keys_rest_in_the_search_and_are_listed_in_the_help(page, lecture_url):
    page.goto(lecture_url)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("slower and faster")
    page.keyboard.press("Escape")
    box = page.get_by_label("Search in this lecture")
    box.press_sequentially("k, .? /")
    expect(box).to_have_value("k, .? /")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert player(page) == {"at": 0, "rate": 1, "paused": True}


def open_fragment(page, fragment):
    """Go to a fragment of the page that is open, as a link does; the player stays where it is set."""
    page.locator("#audio").evaluate("audio => { audio.play = () => Promise.resolve(); audio.currentTime = 0; }")
    page.evaluate(
        "fragment => new Promise(resolve => { addEventListener('hashchange', resolve, { once: true });"
        " location.hash = fragment; })",
        fragment,
    )


def test_a_link_to_a_moment_marks_its_words_and_sets_the_player(page, lecture_url):
    page.goto(f"{lecture_url}#t=90")
    quoted = page.locator("#transcript .quoted").first
    expect(quoted).to_be_in_viewport()
    assert float(quoted.get_attribute("data-start")) <= 90 < float(quoted.get_attribute("data-end"))
    assert player(page) == {"at": 90, "rate": 1, "paused": True}
    words = quoted.inner_text()
    for fragment, at in (("t=1:30", 90), ("t=npt:0:01:30", 90), ("x=1&t=90", 90), ("t=90,95", 88)):
        open_fragment(page, fragment)
        expect(quoted).to_have_text(words)
        assert (fragment, player(page)["at"]) == (fragment, at)


def test_a_bad_fragment_is_ignored_and_a_moment_beyond_the_end_answered_with_a_sentence(page, lecture_url):
    page.goto(lecture_url)
    fault, quoted = page.locator("#moment-fault"), page.locator("#transcript .quoted")
    for fragment in ("t=", "t=abc", "t=1:99", "t=-5", "t=1e9", "nowhere", "t=<b>", "t=5,x"):
        open_fragment(page, fragment)
        assert (fragment, quoted.count(), fault.is_visible(), player(page)["at"]) == (fragment, 0, False, 0)
    open_fragment(page, "t=2:00:00")
    expect(fault).to_have_text(re.compile(r"ends at \d+:\d\d, so there is no 2:00:00 in it"))
    assert (quoted.count(), player(page)["at"]) == (0, 0)


def test_the_link_to_a_moment_stands_in_the_address(page, lecture_url):
    page.goto(lecture_url)
    page.locator("#audio").evaluate("audio => { audio.currentTime = 42.7; }")
    page.get_by_role("button", name="Link to this moment").click()
    expect(page).to_have_url(f"{lecture_url}#t=42")


def test_a_lecture_beside_a_search_is_searched_there(page, site):
    page.goto(f"{site}/search/?q=Why+did+Arjuna+put+down+his+bow%3F")
    page.locator(".result h2 a", has_text="Two Armies").first.click()
    box = page.locator("#pane").get_by_label("Search in this lecture")
    box.fill("krishna")
    box.press("Enter")
    expect(page.locator("#pane mark.current")).to_have_attribute("id", "found-1")
    box.press("Enter")
    expect(page.locator("#pane mark.current")).to_have_attribute("id", "found-2")
    box.press("Escape")
    expect(box).to_have_value("")
    expect(page.locator("#evidence")).to_be_visible()
    page.locator("#pane").get_by_role("list", name="Places found").get_by_role("link").last.click()
    expect(page.locator("#pane mark.current")).to_be_in_viewport()


def test_a_verse_beside_a_search_leads_to_its_neighbour_and_to_a_lecture_that_names_it(page, site):
    page.goto(f"{site}/search/?q=BG+2.47")
    page.locator(".result h2 a", has_text="BG 2.47").first.click()
    about = page.locator("#pane .about")
    expect(about.get_by_role("link", name="Work Without a Claim")).to_be_visible()
    about.get_by_role("link", name="BG 2.48 →").click()
    expect(page.locator("#pane .about").get_by_role("link", name="← BG 2.47")).to_be_visible()
    expect(page.locator('#pane [data-address="BG 2.48"]')).to_be_in_viewport()
