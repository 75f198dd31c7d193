"""A reviewer looks at the flagged claims of an article, publishes it, and a reader opens a sentence's source."""

import re

from playwright.sync_api import expect

ARTICLES = "tests/e2e/compiled_articles.py"


def test_a_reviewer_publishes_an_article_and_a_reader_opens_its_sources(site, sign_in, fill, page):
    assert fill(ARTICLES) == "filled"
    sign_in(page, "reviewer")
    page.goto(f"{site}/admin/articles/article/")
    page.get_by_role("link", name="Devotion").click()
    expect(page.locator(".is-flagged")).not_to_have_count(0)
    invented = page.locator(".is-flagged p").first.inner_text()
    page.get_by_role("button", name="Save the review").click()
    expect(page.get_by_text("Reviewed. Readers see the sentences that passed")).to_be_visible()
    page.get_by_role("button", name="Publish this compile").click()
    expect(page.get_by_text("Readers see “Devotion” now.")).to_be_visible()
    page.get_by_role("link", name="What changed since the last compile").click()
    expect(page.locator(".change-added")).not_to_have_count(0)

    page.goto(f"{site}/articles/?q=devotion")
    page.get_by_role("link", name="Devotion", exact=True).click()
    expect(page.get_by_role("heading", name="Devotion", level=1)).to_be_visible()
    assert invented.split("\n")[0][:40] not in page.locator(".article-body").inner_text()
    page.locator(".article-cite").first.click()
    expect(page.locator("#pane mark").first).to_be_visible()
    expect(page.get_by_text(re.compile(r"^1 of \d+$"))).to_be_visible()
