"""The whole product as `make run` starts it, on a port and a database of its own, and a real browser in front of it."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --autoplay-policy=no-user-gesture-required"
).split()


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
def site(state):
    """The address of a prepared, running site."""
    port = free_port()
    environment = {**_as_an_operator(state), "LECTORIUM_PORT": str(port)}
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
        subprocess.run([*manage, "stop"], cwd=ROOT, env=environment, check=True, capture_output=True, timeout=120)


@pytest.fixture(scope="session")
def fill(site, state):
    """Return what runs a script in the site's own shell, as an operator would, and returns the last line it prints."""

    def run(script):
        environment = {**_as_an_operator(state), "PYTHONPATH": str(ROOT)}
        command = f"import runpy; runpy.run_path({script!r})"
        done = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", command],
            cwd=ROOT, env=environment, check=False, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.splitlines()[-1]

    return run


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser, site):
    """A fresh reader's page. The test fails on any CSP violation, script error or request to another host."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page, faults = context.new_page(), []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith((site, "data:")) else faults.append(request.url))
    page.set_default_timeout(30_000)
    yield page
    context.close()
    assert not faults, faults


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


def _as_an_operator(state):
    own = {"DATABASE_URL", "DJANGO_SETTINGS_MODULE"}
    return {name: value for name, value in os.environ.items() if name not in own} | {"LECTORIUM_STATE": str(state)}


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
