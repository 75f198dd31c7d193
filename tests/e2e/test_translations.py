"""An editor reviews translations in the browser: corrects one that a check objects to, and goes on to the next."""

import re

from playwright.sync_api import expect

ROUND = "tests/e2e/translated.py"


def test_an_editor_reviews_a_round_of_translations(site, sign_in, fill, page):
    assert fill(ROUND) == "filled"
    sign_in(page, "editor")
    page.goto(f"{site}/admin/curation/translation/?review=objected")
    page.get_by_role("link", name=re.compile("He told it twice")).click()
    expect(page.get_by_label("What the checks found")).to_contain_text("The source has 1896")
    page.get_by_role("button", name="Save as reviewed", exact=True).click()
    expect(page.get_by_text("Correct it, or confirm that it is right as it stands.")).to_be_visible()
    page.get_by_label("Translation (German)").fill("Er erzählte es zweimal, 1896 und 1901.")
    page.get_by_role("button", name="Save as reviewed, and next").click()
    expect(page.get_by_text("Saved. This is the next one.")).to_be_visible()
    page.get_by_role("button", name="Save as reviewed", exact=True).click()
    page.goto(f"{site}/admin/curation/translation/?state=reviewed")
    expect(page.get_by_role("link", name=re.compile("He told it twice"))).to_be_visible()
