"""An auditor follows a turn along the pipeline and reviews it by keyboard; its pages are accessible."""

import re

import pytest
from playwright.sync_api import expect

from .test_accessibility import faults
from .test_targets import small


@pytest.fixture
def auditor(page, site, state):
    page.goto(f"{site}/audit/")
    page.get_by_label("Username").fill("auditor")
    page.get_by_label("Password").fill((state / "demo" / "auditor.txt").read_text().strip())
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/audit/")
    return page


@pytest.fixture(scope="module")
def audited(fill):
    """A recorded answer, and the path of its page."""
    return fill("tests/e2e/audited.py").strip()


def test_a_turn_is_followed_and_reviewed_by_keyboard(auditor, site, audited):
    auditor.goto(f"{site}{audited}")
    expect(auditor.get_by_role("heading", name="5 Evidence")).to_be_visible()
    assert faults(auditor) == []
    assert small(auditor) == []
    auditor.get_by_role("button", name="Review this turn").click()
    auditor.wait_for_url(re.compile("/audit/review/.+/$"))
    assert faults(auditor) == []
    assert small(auditor) == []
    auditor.keyboard.press("1")
    expect(auditor.get_by_role("checkbox").first).to_be_checked()
    auditor.keyboard.press("n")
    auditor.keyboard.type("add what else it says")  # its letters are keys elsewhere on the page
    auditor.keyboard.press("Enter")
    auditor.keyboard.press("d")
    expect(auditor.get_by_text("Disagree: stored.")).to_be_visible()
    auditor.goto(f"{site}/audit/review/results/")
    expect(auditor.get_by_text("add what else it says")).to_be_visible()
    assert faults(auditor) == []


@pytest.mark.parametrize("path", ["/audit/alerts/", "/audit/judge/", "/audit/evaluation/"])
def test_the_other_pages_of_the_audit_are_accessible_on_a_small_screen(auditor, site, path):
    auditor.emulate_media(color_scheme="dark", reduced_motion="reduce")
    auditor.set_viewport_size({"width": 390, "height": 900})
    auditor.goto(f"{site}{path}")
    assert faults(auditor) == []
    assert small(auditor) == []
    assert auditor.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
