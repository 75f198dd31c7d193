"""The auditor's report in a browser: charts are drawn, tables can be had as files, and nothing breaks the CSP."""

import re

import pytest
from playwright.sync_api import expect

from .test_accessibility import faults
from .test_targets import small


@pytest.fixture(scope="module")
def reported(fill):
    fill("tests/e2e/reported.py")


@pytest.fixture
def auditor(page, sign_in, reported):
    sign_in(page, "auditor")
    return page


def test_an_auditor_is_led_from_the_chat_to_the_figures_and_on_to_a_turn(auditor, site):
    auditor.goto(site)
    auditor.get_by_role("link", name="Audit", exact=True).click()
    expect(auditor.locator("svg.chart")).to_have_count(13)
    expect(auditor.get_by_text("Faithfulness was below 80 % in 2 consecutive weeks")).to_be_visible()
    auditor.get_by_label("Period", exact=True).select_option("7")
    auditor.get_by_role("button", name="Show").click()
    expect(auditor).to_have_url(f"{site}/audit/?days=7&mode=")
    with auditor.expect_download() as download:
        auditor.get_by_role("link", name="Answered, as CSV").click()
    assert download.value.suggested_filename == "lectorium-coverage-7-days.csv"
    auditor.locator("#caught td a").first.click()
    expect(auditor).to_have_url(re.compile("/audit/turns/.+/$"))


def test_axe_finds_nothing_and_what_is_pressed_is_large_enough(auditor, site):
    auditor.goto(f"{site}/audit/?days=90")
    for summary in auditor.locator("details summary").all():
        summary.click()
    for scheme, width in (("light", 390), ("dark", 1440)):
        auditor.set_viewport_size({"width": width, "height": 900})
        assert faults(auditor, scheme) == []
        assert small(auditor) == []
        assert auditor.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_period_without_turns_is_a_page_too(auditor, site):
    auditor.goto(f"{site}/audit/?mode=instant")
    expect(auditor.get_by_text("Nothing to count in this period.").first).to_be_visible()
    assert faults(auditor) == []
