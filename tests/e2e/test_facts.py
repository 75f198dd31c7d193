"""A reader looks through the facts of the sources; an editor has them compared and takes back what was done."""

import pytest
from playwright.sync_api import expect

from .test_accessibility import faults


@pytest.fixture(scope="module")
def read(fill):
    return fill("tests/e2e/fact_reading.py")


def test_a_reader_finds_facts_with_their_words_and_both_sides_of_a_contradiction(page, site, read):
    assert "facts stored" in read
    page.goto(f"{site}/lectures/")
    page.get_by_role("link", name="Facts").click()
    page.wait_for_url("**/facts/")
    page.get_by_label("Subject or words").fill("the teaching")
    page.get_by_role("button", name="Filter").click()
    conflict = page.get_by_role("region", name="Sources disagree about the teaching")
    expect(conflict.locator("blockquote")).to_have_count(2)
    expect(conflict.locator("audio")).to_have_count(2)
    conflict.get_by_role("link").first.click()
    page.wait_for_url("**/lectures/**")


def test_axe_finds_nothing_on_the_page_of_facts(page, site, read):
    page.goto(f"{site}/facts/")
    for scheme, width in (("light", 390), ("dark", 1440)):
        page.set_viewport_size({"width": width, "height": 900})
        assert faults(page, scheme) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_an_editor_sees_the_progress_and_has_facts_compared(page, site, sign_in, read):
    sign_in(page, "editor")
    page.goto(f"{site}/admin/curation/fact/")
    expect(page.get_by_text("Facts were read from")).to_be_visible()
    page.get_by_role("button", name="Compare now").click()
    expect(page.get_by_text("compared in the background")).to_be_visible()
