"""A mail server on this machine that keeps what the site sends."""

import re
import time
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller

from tests.ports import free_port

LONGEST_S = 30


class MailCatcher:
    def __init__(self):
        self._mails = []
        self._controller = Controller(self, hostname="127.0.0.1", port=free_port())

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self._controller.port}"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 - what aiosmtpd calls
        text = message_from_bytes(envelope.content, policy=policy.default).get_content()
        self._mails.append((envelope.rcpt_tos, text))
        return "250 kept"

    def link_to(self, address):
        """The first link of the first mail to an address that has one, once it has come."""
        until = time.monotonic() + LONGEST_S
        while time.monotonic() < until:
            for to, text in self._mails:
                if to == [address]:
                    return re.findall(r"^http\S+", text, re.MULTILINE)[0]
            time.sleep(0.1)
        raise AssertionError(f"no mail to {address} came in {LONGEST_S} seconds")

    def start(self):
        self._controller.start()

    def stop(self):
        self._controller.stop()
