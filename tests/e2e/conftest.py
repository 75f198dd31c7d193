"""The whole product as `make run` starts it, on a port and a database of its own, and a real browser in front of it."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from functools import cache
from pathlib import Path

import pytest

from lectorium.postgres import EmbeddedPostgres
from tests.e2e.mail_catcher import MailCatcher
from tests.e2e.pseudo_locale import write_catalogue
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
DESK = {"width": 1440, "height": 900}
# The shell is the same engine without the browser's own windows, whose drawing costs six times as much as a small page.
CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --autoplay-policy=no-user-gesture-required --renderer-process-limit=1"
).split()

SCRIPT_ENDS = "-- the script has ended"
RUN_SCRIPTS = f"""
import runpy, sys
for script in sys.stdin:
    runpy.run_path(script.strip())
    print({SCRIPT_ENDS!r}, flush=True)
"""


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/e2e" in str(item.path):
            item.add_marker(pytest.mark.e2e)
            if not CHROMIUM:
                item.add_marker(pytest.mark.skip(reason="Chromium is not installed: apt-get install chromium"))


@pytest.fixture(scope="session")
def state(tmp_path_factory):
    """The folder where the site keeps what it is: its database, its recordings, its demo accounts' passwords."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="session")
def mails():
    """The mails that the site has sent."""
    catcher = MailCatcher()
    catcher.start()
    yield catcher
    catcher.stop()


@pytest.fixture(scope="session")
def framing_port():
    """The port of another site, whose pages may show the question box when they come from localhost."""
    return free_port()


@pytest.fixture(scope="session")
def site(state, mails, framing_port):
    """The address of a prepared, running site, which anybody may sign up to."""
    port = free_port()
    more = {"LECTORIUM_PORT": str(port), "LECTORIUM_SIGN_UP": "open", "LECTORIUM_MAIL": mails.url}
    more["LECTORIUM_EMBED_ORIGINS"] = f"http://localhost:{framing_port}"
    more["DJANGO_SETTINGS_MODULE"] = "tests.e2e.right_to_left_settings"  # the product's, with a language for tests
    environment = {**as_an_operator(state), **more}
    write_catalogue(state / "locale")
    manage = [sys.executable, "manage.py"]
    subprocess.run([*manage, "prepare"], cwd=ROOT, env=environment, check=True, capture_output=True, timeout=900)
    log = (state / "web.log").open("wb")
    web = subprocess.Popen([*manage, "serve"], cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_ready(f"{url}/readyz", web, state / "web.log")
        yield url
    finally:
        web.terminate()
        web.wait(timeout=30)
        log.close()
        EmbeddedPostgres(state / "postgres").stop()


@pytest.fixture(scope="session")
def fill(site, state):
    """A function that runs a script in the site's shell, as an operator would, and returns the last line it prints.

    All scripts run in one shell, which takes three seconds to start.
    """
    environment = {**as_an_operator(state), "PYTHONPATH": str(ROOT)}
    log = state / "shell.log"
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", RUN_SCRIPTS]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with log.open("w") as errors, subprocess.Popen(command, cwd=ROOT, env=environment, stderr=errors, **pipes) as shell:

        def run(script):
            assert shell.poll() is None, log.read_text()[-3000:]
            shell.stdin.write(f"{script}\n")
            shell.stdin.flush()
            printed = [""]
            while (line := shell.stdout.readline().rstrip("\n")) != SCRIPT_ENDS:
                assert line or shell.poll() is None, log.read_text()[-3000:]
                printed.append(line)
            return printed[-1]

        yield run


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def context(browser, site):
    """One context for the pages of all readers: each new one would ask for forty scripts and styles again.

    Its first page stays open, so that the others need not start a process of their own.
    """
    context = browser.new_context(viewport=DESK)
    context.new_page().goto(f"{site}/healthz")
    yield context
    context.close()


@pytest.fixture
def fresh_page(context, site):
    """A fresh reader's page, whose requests may fail: the context has the cookies and words of no other reader."""
    context.clear_cookies()
    context.clear_permissions()
    page = context.new_page()
    storage = {"origin": site, "storageTypes": "local_storage"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", storage)
    page.set_default_timeout(30_000)
    yield page
    for opened in context.pages[1:]:
        opened.close()


@pytest.fixture
def page(fresh_page, site):
    """A fresh reader's page. The test fails on any CSP violation, script error or request to another host."""
    page, faults = fresh_page, []
    page.on("console", lambda message: faults.append(_told(message)) if message.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith((site, "data:")) else faults.append(request.url))
    yield page
    assert not faults, faults


def _told(message):
    return f"{message.text} ({message.location['url']})"


@pytest.fixture(scope="session")
def sign_in(browser, site, state):
    """A function that signs a page in to an account: a demo account, or any with its password. Each signs in once."""

    @cache
    def cookies_of(name, password):
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{site}/admin/login/")
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill(password or (state / "demo" / f"{name}.txt").read_text().strip())
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url("**/admin/")
        cookies = context.cookies()
        context.close()
        return cookies

    def sign_in(page, name, password=""):
        page.context.add_cookies(cookies_of(name, password))

    return sign_in


@pytest.fixture
def signed_in(browser, sign_in):
    """A function that opens a new page, signed in to an account. Errors of the page do not fail the test."""
    contexts = []

    def open_as(name):
        contexts.append(browser.new_context(viewport=DESK))
        page = contexts[-1].new_page()
        page.set_default_timeout(60_000)
        sign_in(page, name)
        return page

    yield open_as
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def moment_url(browser, site):
    """The address of a moment of a recorded lecture, as a citation links to it."""
    return _cited(browser, site, "Why did Arjuna put down his bow?", "Two Armies")


@pytest.fixture(scope="session")
def lecture_url(moment_url):
    return moment_url.partition("#")[0]


@pytest.fixture(scope="session")
def work_url(browser, site):
    """The address of a verse, as a citation links to it."""
    return _cited(browser, site, "BG 2.47", "BG 2.47")


def _cited(browser, site, question, label):
    """Return where a citation of the answer links to."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(site)
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    page.locator(".chip", has_text=label).first.click(timeout=60_000)
    href = page.locator("#pinned").get_by_role("link", name=re.compile("^Open")).get_attribute("href")
    context.close()
    return site + href


def as_an_operator(state):
    own = {"DATABASE_URL", "DJANGO_SETTINGS_MODULE"}
    others = {name: value for name, value in os.environ.items() if name not in own}
    # Nobody needs the site's data after a crash, so no commit waits for the disk.
    return others | {"LECTORIUM_STATE": str(state), "PGOPTIONS": "-c synchronous_commit=off"}


def _wait_until_ready(url, process, log):
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the site did not start:\n{log.read_text()[-3000:]}")
