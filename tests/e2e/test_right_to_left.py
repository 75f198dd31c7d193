"""Every page of readers in a language written from right to left, on a phone and on a desk: nothing overflows."""

import pytest
from playwright.sync_api import expect

from .asking import ask
from .pseudo_locale import CODE

ANSWERED = "Why did Arjuna put down his bow?"
REFUSED = "Who discovered penicillin?"
OVERFLOWS = """() => {
  const page = document.documentElement;
  if (page.scrollWidth <= innerWidth && page.scrollLeft === 0) return [];
  const wide = [...document.querySelectorAll("body *")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width && (left < -1 || right > innerWidth + 1);
  });
  return [`${page.scrollWidth} of ${innerWidth}`, ...wide.slice(0, 5).map((element) => element.outerHTML)];
}"""
PATHS = (
    "/", "/search/", "/search/?q=banyan", "/lectures/", "/lectures/?q=two", "/articles/", "/facts/", "/login/",
    "/sign-up/", "/password/reset/", "/no-such-page/",
)  # fmt: skip
OWN_PATHS = ("/account/", "/password/")


@pytest.fixture
def turned(page, site):
    """A page in the pseudo-locale, chosen as a reader chooses a language."""
    page.context.add_cookies([{"name": "django_language", "value": CODE, "url": site}])
    return page


def check(page):
    """The language turns the page around, and at no width does anything stick out of it."""
    expect(page.locator("html")).to_have_attribute("lang", CODE)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(OVERFLOWS) == [], (page.url, width)


@pytest.fixture(scope="module")
def told(browser):
    """A page of a browser that tells of the language itself."""
    context = browser.new_context(locale="ar-XB")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", PATHS)
def test_a_page_that_anybody_may_open_does_not_overflow(told, site, path):
    told.goto(f"{site}{path}")
    check(told)


def test_the_pages_of_an_account_do_not_overflow(turned, site, sign_in):
    sign_in(turned, "editor")
    for path in OWN_PATHS:
        turned.goto(f"{site}{path}")
        check(turned)


def test_pages_of_sources_do_not_overflow(turned, moment_url, work_url):
    for url in (moment_url, work_url):
        turned.goto(url)
        check(turned)


def test_a_conversation_does_not_overflow_on_any_of_its_pages(turned, site):
    turned.goto(site)
    ask(turned, ANSWERED)
    check(turned)
    turned.locator(".chip").first.click()
    expect(turned.locator("#pinned")).to_be_visible()
    check(turned)
    ask(turned, REFUSED)
    check(turned)
    conversation = turned.url
    turned.goto(f"{conversation}plain/")
    check(turned)
    turned.goto(conversation)
    check(turned)
    turned.locator("#save-button").click()
    check(turned)
    turned.locator("#share-form button[value=share]").click()
    expect(turned.locator("#share-url")).to_be_focused()
    check(turned)
    turned.goto(turned.locator("#share-url").input_value())
    check(turned)


def test_the_question_box_of_other_sites_does_not_overflow(turned, site, framing_port):
    turned.goto(f"{site}/embed/?origin=http://localhost:{framing_port}")
    check(turned)


def test_an_article_does_not_overflow(turned, site, fill):
    fill("tests/e2e/published_article.py")
    turned.goto(f"{site}/articles/")
    turned.locator("main a[href^='/articles/']").first.click()
    check(turned)
