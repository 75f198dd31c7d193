"""Takes the README's two pictures from the running product: `python scripts/screenshots.py [FOLDER]` (docs/images).

Starts the site like `make run`, with its own database and the sample corpus, asks a question in Chromium and opens the
source of the answer; then fills the database with the turns of the browser tests and opens the auditor's report. Uses
the models in var/models. LECTORIUM_STATE may name a prepared state folder, which makes later runs faster.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# Text without subpixel antialiasing makes smaller pictures.
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-lcd-text"]
QUESTION = "What does dharma mean?"
MODELS = ROOT / "var" / "models"
WIDTH, HEIGHT = 1280, 800
MOST_BYTES = 200_000


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    if not CHROMIUM:
        sys.exit("Chromium is not installed: apt-get install chromium")
    with state_folder() as state, running_site(state) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        answer = folder / "answer.png"
        take_answer(browser, url, answer)
        manage(state, "shell", "-v", "0", "-c", "import runpy; runpy.run_path('tests/e2e/reported.py')")
        report = folder / "report.png"
        take_report(browser, url, (state / "demo" / "auditor.txt").read_text().strip(), report)
        browser.close()
    for path in (answer, report):
        size = path.stat().st_size
        sys.stdout.write(f"{path}: {size // 1000} kB\n")
        if size > MOST_BYTES:
            sys.exit(f"{path} is larger than {MOST_BYTES // 1000} kB")


@contextmanager
def state_folder() -> Iterator[Path]:
    """LECTORIUM_STATE, or a temporary folder."""
    if named := os.environ.get("LECTORIUM_STATE"):
        yield Path(named)
        return
    path = Path(tempfile.mkdtemp(prefix="lectorium-screenshots-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def running_site(state: Path) -> Iterator[str]:
    """Prepare and serve the site; yield its URL."""
    manage(state, "prepare")
    port = free_port()
    command = [sys.executable, "manage.py", "serve"]
    with (state / "web.log").open("wb") as log:
        site = subprocess.Popen(
            command, cwd=ROOT, env={**environment(state), "LECTORIUM_PORT": str(port)}, stdout=log, stderr=log
        )
        url = f"http://127.0.0.1:{port}"
        try:
            wait_until_ready(f"{url}/readyz", site)
            yield url
        finally:
            site.terminate()
            site.wait(timeout=30)
            manage(state, "stop")


def wait_until_ready(url: str, site: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if site.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own address
                return
        except OSError:
            time.sleep(0.5)
    sys.exit("The site did not start; its log is web.log in the state folder.")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def manage(state: Path, *arguments: str) -> None:
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment(state), check=True)


def environment(state: Path) -> dict[str, str]:
    """The environment of the site: its own database, and the models of this checkout."""
    models = {"LECTORIUM_MODELS": str(MODELS), "LECTORIUM_READER_BASE": str(MODELS / "all-mpnet-base-v2")}
    own = {"LECTORIUM_STATE": str(state), "PYTHONPATH": str(ROOT)}
    return {**models, **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"}, **own}


def take_answer(browser: Browser, url: str, path: Path) -> None:
    """Ask the question, open the first citation and take the screenshot."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce")
    page.goto(url)
    page.get_by_label("Your question").fill(QUESTION)
    page.keyboard.press("Enter")
    page.locator("#log .chip").first.wait_for(timeout=120_000)
    page.locator("#log[aria-busy=false]").wait_for(timeout=120_000)
    with suppress(PlaywrightTimeout):  # next questions come after the answer, or not at all
        page.locator(".next").wait_for(timeout=15_000)
    page.locator("#log .chip").first.click()
    page.locator("#pane mark").first.wait_for()
    page.evaluate("document.querySelectorAll('audio').forEach(audio => audio.pause())")
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.wait_for_timeout(1000)
    page.screenshot(path=path)
    page.close()


def take_report(browser: Browser, url: str, password: str, path: Path) -> None:
    """Sign in as the demo auditor and take a screenshot of the report of 90 days."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce")
    page.goto(f"{url}/audit/?days=90")
    page.get_by_label("Username").fill("auditor")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/audit/**")
    page.locator("svg.chart").first.wait_for()
    page.locator(".report-part").evaluate("heading => window.scrollTo(0, heading.offsetTop - 24)")
    page.screenshot(path=path)
    page.close()


if __name__ == "__main__":
    main()
