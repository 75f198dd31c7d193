"""Notices: mails one by one, a webhook that is signed, and failures that stay in the queue."""

import hashlib
import hmac
import http.server
import threading
from contextlib import contextmanager

import pytest
from django.core import mail

from lectorium import notices
from lectorium.notices import WebhookRefused, mail_deliver, send_notice, signed_headers, webhook_deliver
from tests.ports import free_port

SECRET = "a-secret-of-some-length"


@contextmanager
def receiver(status):
    """A server that answers every post with this status, and what it was sent."""
    received = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            received.append((body, dict(self.headers)))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *parts):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_webhook_is_signed_over_its_time_and_body(settings):
    with receiver(204) as (url, received):
        settings.WEBHOOK_URL, settings.WEBHOOK_SECRET = url, SECRET
        assert webhook_deliver('{"kind": "a"}') == "webhook answered 204"
    [(body, headers)] = received
    signed = f"{headers['X-Lectorium-Timestamp']}.{body}".encode()
    assert headers["X-Lectorium-Signature"] == f"sha256={hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()}"
    assert signed_headers("a", SECRET, 1) != signed_headers("a", SECRET, 2) != signed_headers("b", SECRET, 2)


def test_a_receiver_that_refuses_or_is_away_fails_the_job_so_that_the_queue_tries_again(settings):
    settings.WEBHOOK_SECRET = SECRET
    with receiver(500) as (url, _):
        settings.WEBHOOK_URL = url
        with pytest.raises(WebhookRefused, match="answered 500"):
            webhook_deliver("{}")
    settings.WEBHOOK_URL = f"http://127.0.0.1:{free_port()}/"
    with pytest.raises(WebhookRefused, match="could not be reached"):
        webhook_deliver("{}")
    settings.WEBHOOK_URL = ""
    assert "nothing sent" in webhook_deliver("{}")


def test_nobody_sees_the_other_receivers_of_a_mail():
    assert mail_deliver("An alert", "Text.", ["a@site.test", "b@site.test"]) == "2 mails sent"
    assert [message.to for message in mail.outbox] == [["a@site.test"], ["b@site.test"]]
    assert mail.outbox[0].subject == "Lectorium: An alert"


@pytest.mark.django_db(transaction=True)
def test_a_queue_that_fails_does_not_fail_what_sent_the_notice(settings, monkeypatch):
    settings.WEBHOOK_URL = "http://127.0.0.1:1/"

    def broken(*task):
        raise OSError("no queue")

    monkeypatch.setattr(notices, "async_task", broken)
    send_notice("guard.rising", "An alert", "Text.", [])
