"""An editor hears both sides of a contradiction beside each other, and settles it."""

import pytest
from playwright.sync_api import expect

from .test_accessibility import faults


@pytest.fixture
def settling(page, site, sign_in, fill):
    """The page of a new contradiction between two recorded lectures, open for the demo editor."""
    linked = fill("tests/e2e/contradicting.py")
    sign_in(page, "editor")
    page.goto(f"{site}/admin/curation/contradiction/{linked}/change/")
    return page


def side(page, name):
    return page.get_by_role("region", name=name)


def test_both_clips_stand_beside_each_other_and_play_from_their_moments(settling):
    one, other = (side(settling, name).bounding_box() for name in ("The first", "The second"))
    assert one["y"] == other["y"]
    assert one["x"] + one["width"] <= other["x"]
    for name in ("The first", "The second"):
        player = side(settling, name).locator("audio")
        begins = float(player.get_attribute("src").partition("#t=")[2].partition(",")[0])
        player.evaluate("player => player.play()")
        settling.wait_for_function("([player, at]) => player.currentTime > at", arg=[player.element_handle(), begins])
        player.evaluate("player => player.pause()")


def test_one_side_is_marked_authoritative(settling):
    settling.get_by_role("button", name="The second is authoritative").click()
    expect(side(settling, "The second").get_by_text("authoritative")).to_be_visible()
    expect(side(settling, "The first").get_by_text("superseded")).to_be_visible()
    expect(settling.get_by_text("Settled by editor")).to_be_visible()
    expect(settling.get_by_role("button", name="The first is authoritative")).to_have_count(0)


def test_both_hold_in_context(settling):
    settling.get_by_label("Context").fill("The first speaks of the verse, the second of the story.")
    settling.get_by_role("button", name="Both hold, in context").click()
    expect(side(settling, "The first").get_by_text("holds in context")).to_be_visible()
    expect(side(settling, "The second").get_by_text("holds in context")).to_be_visible()
    expect(settling.get_by_label("Context")).to_have_value("The first speaks of the verse, the second of the story.")


def test_axe_finds_nothing_on_the_page_of_both_sides(settling):
    for scheme, width in (("light", 390), ("dark", 1440)):
        settling.set_viewport_size({"width": width, "height": 900})
        assert faults(settling, scheme) == []
        assert settling.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
