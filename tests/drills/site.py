"""A real site for a drill: its own state folder and database server, and real web and worker processes.

The embedder and the cross-encoder are the tests' own, which load no weights.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import websockets

from lectorium.postgres import EmbeddedPostgres
from tests.ports import free_port

PROJECT = Path(__file__).resolve().parents[2]
NO_END = "no end"
FAILURES = {NO_END, "failed", "unavailable", "not_recorded"}  # how a question ends that nobody answered
SHIPPED_MODELS = {
    "LECTORIUM_EMBEDDER": "minilm",
    "LECTORIUM_CROSS_ENCODER": "shipped",
    "LECTORIUM_CALIBRATIONS": str(PROJECT / "chat" / "answering" / "calibrations"),
    "LECTORIUM_ANSWER_CACHE": "0",  # every question is worked on
    "LECTORIUM_WARM": "1",
}
BIG_MODELS = SHIPPED_MODELS | {
    "LECTORIUM_EMBEDDER": "mpnet",
    "LECTORIUM_READER": "auto",
    "LECTORIUM_MODELS": os.environ.get("LECTORIUM_MODELS", str(PROJECT / "var" / "models")),
    "LECTORIUM_READER_BASE": os.environ.get(
        "LECTORIUM_READER_BASE", str(PROJECT / "var" / "models" / "all-mpnet-base-v2")
    ),
}
QUESTION = "Why did Arjuna put down his bow?"
INHERITED = ("PATH", "HOME", "OMP_NUM_THREADS")


class DrillSite:
    def __init__(self, folder, code=PROJECT, **environment):
        """code: the folder of the code to run. environment: further settings."""
        self.folder, self.code, self.port = folder, code, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **{name: os.environ[name] for name in INHERITED if name in os.environ},
            "LECTORIUM_STATE": str(folder / "state"),
            "LECTORIUM_CALIBRATIONS": str(PROJECT / "tests" / "calibrations"),
            "LECTORIUM_EMBEDDER": "hashing",
            "LECTORIUM_CROSS_ENCODER": "overlap",
            "LECTORIUM_READER": "small",
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self._started = []

    @property
    def server(self):
        return EmbeddedPostgres(self.folder / "state" / "postgres")

    def manage(self, *words, check=True, timeout=240, **environment):
        ran = subprocess.run(
            [sys.executable, "manage.py", *map(str, words)], cwd=self.code, env=self.environment | environment,
            capture_output=True, text=True, timeout=timeout,
        )  # fmt: skip
        assert not check or ran.returncode == 0, ran.stdout + ran.stderr
        return ran

    def ask(self, question=QUESTION, **environment):
        """The response to a question in instant mode."""
        return json.loads(self.manage("ask", question, "--json", "--mode", "instant", **environment).stdout)

    def fill(self):
        """Migrate, import the samples, index."""
        return self.manage("prepare")

    def start_web(self, *, wait="readyz", **environment):
        """Start a web process, and wait until this page answers 200."""
        words = ["-m", "lectorium.web.server", "-v", "0", "--no-server-name", "-b", "127.0.0.1", "-p", str(self.port)]
        pooled = {"LECTORIUM_DB_POOL": "16", **environment}
        process = self._start("web", [*words, "lectorium.asgi:application"], pooled)
        if wait:
            self.wait_for(wait, process)
        return process

    def start_worker(self, **environment):
        return self._start("worker", ["manage.py", "qcluster"], environment)

    def start_all(self, **environment):
        """Start web process and worker as `make run` does."""
        return self._start("web", ["manage.py", "serve"], {"LECTORIUM_PORT": str(self.port), **environment})

    def start_models(self):
        """Start the process of LECTORIUM_INFERENCE, and wait for its socket."""
        process = self._start("models", ["manage.py", "serve_models"], {})
        until = time.monotonic() + 60
        while "Models are served" not in self.log("models").read_text():
            if time.monotonic() > until or process.poll() is not None:
                raise AssertionError(self.log("models").read_text())
            time.sleep(0.1)
        self.log("models").write_text("")
        return process

    def _start(self, name, words, environment):
        with self.log(name).open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *words], cwd=self.code, env=self.environment | environment,
                stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        self._started.append(process)
        return process

    def log(self, name):
        return self.folder / f"{name}.log"

    def wait_for(self, path, process=None, *, seconds=90):
        until = time.monotonic() + seconds
        while self.status(path)[0] != 200:
            ended = process is not None and process.poll() is not None
            if ended or time.monotonic() > until:
                raise AssertionError(f"no 200 of {path}:\n{self.log('web').read_text()[-3000:]}")
            time.sleep(0.1)

    def status(self, path, timeout=15):
        """Status and text of a page; 0 where the process does not answer."""
        try:
            with urllib.request.urlopen(f"{self.url}/{path}", timeout=timeout) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError as error:
            return 0, str(error)

    def query(self, sql):
        """Run SQL on the embedded server, which is started if needed; return what psql prints."""
        address = self.server.ensure_running()
        psql = [self.server.program("psql"), "-h", address.socket_dir, "-U", address.user, "-tAc", sql, "lectorium"]
        return subprocess.run(psql, capture_output=True, text=True, check=True).stdout.strip()

    def reader(self, patience=60):
        return DrillReader(self.url, patience)

    def close(self):
        """End what was started here, workers' children included."""
        for process in self._started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)
        self.server.stop()


class DrillReader:
    """A reader's browser session, whose questions go over real websockets."""

    def __init__(self, url, patience):
        """patience: seconds to wait for a page, a connection, or the next event."""
        self._url, self.patience = url, patience
        with urllib.request.urlopen(f"{url}/", timeout=patience) as page:
            cookies = page.headers.get_all("Set-Cookie")
        self._cookie = "; ".join(cookie.partition(";")[0] for cookie in cookies)

    def connected(self):
        address = f"{self._url.replace('http', 'ws', 1)}/ws/chat/"
        return websockets.connect(
            address,
            origin=self._url,
            additional_headers={"Cookie": self._cookie},
            open_timeout=self.patience,
            ping_interval=None,  # a busy machine is no lost connection
        )

    async def ask(self, question=QUESTION, mode="instant"):
        """The events of a turn."""
        return await self.send({"type": "ask", "question": question, "mode": mode})

    async def resume(self, turn, after):
        return await self.send({"type": "resume", "turn": turn, "after": after})

    async def send(self, message):
        async with self.connected() as line:
            await line.send(json.dumps(message))
            return [event async for event in events_of(line, seconds=self.patience)]


async def events_of(line, until=("done",), seconds=60):
    """The events that come in, up to the first of these types, or an error of no turn."""
    while True:
        event = json.loads(await asyncio.wait_for(line.recv(), seconds))
        if event["type"] == "ready":  # of the socket, not of a turn
            continue
        yield event
        if event["type"] in until or (event["type"] == "error" and not event["seq"]):
            return
