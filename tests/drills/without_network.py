"""The site without a network: prepares the samples, answers a question and serves pages; prints what it tried to reach.

    LECTORIUM_STATE=$(mktemp -d) unshare --net .venv/bin/python -m tests.drills.without_network

The last line is JSON: "outcome" of the question, "pages" with their status, and "reached": every address that Python
code tried to look up or to connect to, Unix sockets left out.
"""

import asyncio
import json
import os
import socket
import sys

REACHED = []


def note(event, arguments):
    """An audit hook: Python calls it before it looks up a name, connects or sends."""
    if event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        REACHED.append(f"{event} {arguments[0]}")
    elif event in {"socket.connect", "socket.sendto", "socket.sendmsg"} and arguments[0].family != socket.AF_UNIX:
        REACHED.append(f"{event} {arguments[1]}")


sys.addaudithook(note)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django

django.setup()

from django.core.management import call_command
from django.test import Client

from lectorium.asking import ask

QUESTION = "Why did Arjuna put down his bow?"
PAGES = ("/", "/search/?q=duty", "/healthz")


def main():
    call_command("prepare", verbosity=0, stdout=sys.stderr)
    try:
        client = Client(headers={"host": "localhost"})
        pages = {page: client.get(page).status_code for page in PAGES}
        outcome = asyncio.run(ask(QUESTION))["outcome"]
    finally:
        call_command("stop", verbosity=0, stdout=sys.stderr)
    print(json.dumps({"outcome": outcome, "pages": pages, "reached": REACHED}))


if __name__ == "__main__":
    main()
