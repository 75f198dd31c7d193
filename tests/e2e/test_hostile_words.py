"""Whatever words lie in the database, no page of readers, editors or staff runs them, and none breaks the CSP."""

import json

import pytest

from .hostile_words import PASSWORD

VALUES = "all => all.map(one => one.value)"


@pytest.fixture
def pages(fill):
    """The addresses of pages that show hostile words to a superuser."""
    return json.loads(fill("tests/e2e/hostile.py"))


def test_hostile_words_stay_words_on_every_page(page, site, pages):
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    page.goto(f"{site}/admin/login/")
    page.get_by_label("Username").fill("boss")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/admin/")
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
