"""Whatever words lie in the database, no page and no saved file runs them, and none breaks the CSP."""

import json
from html.parser import HTMLParser

import pytest

from .hostile_words import PASSWORD

OWN_SCRIPTS = "/static/js/"


@pytest.fixture(scope="module")
def pages(fill):
    """The addresses of pages that show hostile words to a superuser."""
    return json.loads(fill("tests/e2e/hostile.py"))


@pytest.fixture
def boss(page, pages, sign_in):
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    sign_in(page, "boss", PASSWORD)
    return page


class Dangers(HTMLParser):
    """What in a page's HTML would run or lead to hostile words."""

    def __init__(self, html):
        super().__init__()
        self.found, self._is_script = [], False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        self._is_script = tag == "script" and values.get("type") != "application/json"
        runs = any(name.startswith("on") for name in values)
        leads = values.get("href", "").strip().lower().startswith("javascript:")
        if runs or leads or values.get("src") == "x":
            self.found.append(self.get_starttag_text())

    def handle_endtag(self, tag):
        self._is_script = False

    def handle_data(self, data):
        if self._is_script and "window.hurt" in data:
            self.found.append(data)


@pytest.mark.parametrize(
    "html",
    [
        "<script>window.hurt=1</script>",
        '<p title=""><img src=x onerror=window.hurt=1>">',
        "<a href=' JavaScript:window.hurt=1'>",
        '<script type="application/json">"</script><script>window.hurt=1</script>"</script>',
    ],
)
def test_words_that_run_are_found(html):
    assert Dangers(html).found
    assert not Dangers(html.replace("<", "&lt;")).found


def test_hostile_words_stay_words_on_every_page(boss, site, pages):
    """A browser opens the pages with scripts of ours; of the others, which it would draw as they are, HTML is read."""
    shown, opened = 0, 0
    for address in pages:
        answer = boss.request.get(site + address)
        assert answer.status == 200, f"{address}: {answer.status}"
        assert Dangers(answer.text()).found == [], address
        shown += "window.hurt" in answer.text()
        if OWN_SCRIPTS in answer.text():
            opened += 1
            boss.goto(site + address)
            assert boss.evaluate("window.hurt === undefined"), address
            assert boss.locator("img[src=x], a[href^='javascript:']").count() == 0, address
    assert shown > 30
    assert opened > 10


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
