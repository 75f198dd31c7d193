"""Whatever words lie in the database, no page and no saved file runs them, and none breaks the CSP."""

import json

import pytest

from .hostile_words import PASSWORD

VALUES = "fields => fields.map(field => field.value)"


@pytest.fixture(scope="module")
def pages(fill):
    """The addresses of pages that show hostile words to a superuser."""
    return json.loads(fill("tests/e2e/hostile.py"))


@pytest.fixture
def boss(page, pages, sign_in):
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    sign_in(page, "boss", PASSWORD)
    return page


def test_hostile_words_stay_words_on_every_page(boss, site, pages):
    shown = 0
    for address in pages:
        answer = boss.goto(site + address)
        assert answer.status == 200, f"{address}: {answer.status}"
        assert boss.evaluate("window.hurt === undefined"), address
        assert boss.locator("img[src=x], a[href^='javascript:']").count() == 0, address
        shown += "window.hurt" in boss.inner_text("body") + "".join(
            boss.locator("input, textarea").evaluate_all(VALUES)
        )
    assert shown > 30


def test_hostile_words_stay_words_in_a_saved_page(boss, site, pages, tmp_path):
    [conversation] = [address for address in pages if address.startswith("/c/")]
    path = tmp_path / "saved.html"
    path.write_bytes(boss.request.get(f"{site}{conversation}export.html").body())
    alone = boss.context.new_page()
    alone.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    alone.goto(path.as_uri())
    assert alone.evaluate("window.hurt === undefined")
    assert alone.locator("script, img, svg, a[href^='javascript:']").count() == 0
    assert "window.hurt" in alone.inner_text("main")
