"""A lecture's page: places that can be followed and heard, with scripts and without."""

from playwright.sync_api import expect


def test_a_place_is_followed_to_its_paragraph_and_played_from_there(page, lecture_url):
    page.goto(lecture_url)
    place = page.locator("a.place").nth(4)
    at = float(place.get_attribute("data-at"))
    place.click()
    page.wait_for_function("() => !document.querySelector('audio').paused")
    assert at <= page.locator("audio").evaluate("audio => audio.currentTime") < at + 2
    expect(page.locator(".paragraph:target a.place")).to_have_attribute("data-at", f"{at:g}")
    page.locator("audio").evaluate("audio => { audio.pause(); audio.currentTime = 0; }")
    place.click()
    page.wait_for_function("at => document.querySelector('audio').currentTime >= at", arg=at)


def test_a_link_to_a_moment_shows_it_and_plays_only_when_asked(page, moment_url):
    page.goto(moment_url)
    expect(page.locator("#transcript .quoted").first).to_be_in_viewport()
    assert page.locator("audio").evaluate("audio => audio.paused")


def test_a_place_is_followed_without_scripts(browser, lecture_url):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(lecture_url)
    last = page.locator(".paragraph").last
    expect(last).not_to_be_in_viewport()
    page.goto(f"{lecture_url}{last.locator('a.place').get_attribute('href')}")
    expect(last).to_be_in_viewport()
    context.close()
