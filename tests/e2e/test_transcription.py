"""An editor reviews a drafted transcript beside its recording, and imports it."""

from playwright.sync_api import expect


def test_an_editor_hears_a_line_corrects_it_and_imports_the_draft(site, sign_in, fill, page):
    key = fill("tests/e2e/drafted_transcript.py")
    sign_in(page, "editor")
    page.goto(f"{site}/admin/corpus/transcription/{key}/change/")
    page.get_by_role("button", name="0:00:04.000").click()
    page.wait_for_function("document.getElementById('audio').currentTime >= 4")
    page.get_by_label("Line at 0:00:00.000").fill("A talk of the evening.")
    page.get_by_label("Line at 0:00:04.000").fill("It ends here.")
    page.get_by_label("Line at 0:00:09.000").fill("")
    page.get_by_role("button", name="Save and import").click()
    expect(page.get_by_text("Imported. A worker embeds it now")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    page.get_by_role("link", name="Evening talk").first.click()
    expect(page.locator("body")).to_contain_text("A talk of the evening. It ends here.")
