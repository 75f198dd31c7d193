"""A stranger signs up by a mailed link, asks, saves all that is theirs, and deletes the account."""

import json
import zipfile

from playwright.sync_api import expect

from .asking import ask
from .test_accessibility import faults

ADDRESS, NAME, PASSWORD = "asha@site.test", "asha", "willow-bark-88"
MOVED = "asha@new.test"
ANSWERED = "Why did Arjuna put down his bow?"


def change_address(page, mails):
    page.get_by_role("link", name="Change the e-mail address").click()
    assert faults(page) == []
    page.get_by_label("E-mail address").fill(MOVED)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Send the mail").click()
    page.goto(mails.link_to(MOVED))
    assert faults(page) == []
    page.get_by_role("button", name="Use this address").click()
    expect(page.get_by_role("main")).to_contain_text(MOVED)


def test_sign_up_by_mail_ask_export_and_delete(page, site, mails):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}/login/")
    assert faults(page) == []
    page.get_by_role("link", name="Create an account").click()
    page.get_by_label("E-mail address").fill(ADDRESS)
    page.get_by_role("button", name="Send the mail").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
    assert faults(page) == []

    page.goto(mails.link_to(ADDRESS))
    page.get_by_label("Username").fill(NAME)
    for label, password in (("Password", "12345678"), ("The password again", "12345678")):
        page.get_by_label(label, exact=True).fill(password)
    page.get_by_role("button", name="Create the account").click()
    expect(page.get_by_role("alert").first).to_have_text("This password is too common.")
    assert faults(page) == []
    for label in ("Password", "The password again"):
        page.get_by_label(label, exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create the account").click()
    ask(page, ANSWERED)

    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name=f"My account: {NAME}").click()
    page.get_by_label("Default mode").select_option("Instant")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    assert faults(page) == []
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save my data").click()
    with zipfile.ZipFile(saved.value.path()) as archive:
        [conversation] = [name for name in archive.namelist() if name.startswith("conversations/")]
        assert json.loads(archive.read(conversation))["turns"][0]["question"] == ANSWERED

    change_address(page, mails)
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.locator("#mode")).to_have_value("instant")
    page.get_by_role("link", name=f"My account: {NAME}").click()
    page.get_by_role("link", name="Delete my account").click()
    assert faults(page) == []
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("heading", name="Deleted")).to_be_visible()
    page.goto(f"{site}/login/")
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
