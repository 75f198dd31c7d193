"""Whatever words lie in the database, no page and no saved file runs them, and none breaks the CSP."""

import json

import pytest

from .hostile_words import PASSWORD

VALUES = "all => all.map(one => one.value)"


@pytest.fixture(scope="module")
def pages(fill):
    """The addresses of pages that show hostile words to a superuser."""
    return json.loads(fill("tests/e2e/hostile.py"))


def sign_in(page, site):
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    page.goto(f"{site}/admin/login/")
    page.get_by_label("Username").fill("boss")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/admin/")


def test_hostile_words_stay_words_on_every_page(page, site, pages):
    sign_in(page, site)
    shown = 0
    for address in pages:
        answer = page.goto(site + address)
        assert answer.status == 200, f"{address}: {answer.status}"
        assert page.evaluate("window.hurt === undefined"), address
        assert page.locator("img[src=x], a[href^='javascript:']").count() == 0, address
        shown += "window.hurt" in page.inner_text("body") + "".join(
            page.locator("input, textarea").evaluate_all(VALUES)
        )
    assert shown > 30


def test_hostile_words_stay_words_in_a_saved_page(page, site, pages, tmp_path):
    sign_in(page, site)
    [conversation] = [address for address in pages if address.startswith("/c/")]
    path = tmp_path / "saved.html"
    path.write_bytes(page.request.get(f"{site}{conversation}export.html").body())
    alone = page.context.new_page()
    alone.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    alone.goto(path.as_uri())
    assert alone.evaluate("window.hurt === undefined")
    assert alone.locator("script, img, svg, a[href^='javascript:']").count() == 0
    assert "window.hurt" in alone.inner_text("main")
