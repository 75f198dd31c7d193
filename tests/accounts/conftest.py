import re
from importlib import import_module

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django_q.models import OrmQ
from django_q.signing import SignedPackage

PASSWORD = "willow-bark-88"


@pytest.fixture
def alice(db):
    return User.objects.create_user("alice", "alice@site.test", PASSWORD)


@pytest.fixture
def site(settings):
    """A site that anybody may sign up to and that sends mail."""
    settings.SIGN_UP, settings.MAIL_CONFIGURED = "open", True
    return settings


@pytest.fixture
def send(client, django_capture_on_commit_callbacks):
    """A function that posts a form and then queues what waits for the commit."""

    def post(path, data=None, **more):
        with django_capture_on_commit_callbacks(execute=True):
            return client.post(path, data or {}, **more)

    return post


def mails_of_the_worker():
    """Run the queued jobs as the worker does, and return the mails that they sent."""
    mail.outbox.clear()
    for row in OrmQ.objects.order_by("pk"):
        job = SignedPackage.loads(row.payload)
        assert job["save"] is False  # the record of a job that succeeded would keep its address
        module, _, name = job["func"].rpartition(".")
        getattr(import_module(module), name)(*job["args"])
        row.delete()  # only what succeeded
    return list(mail.outbox)


def link_in(message):
    """The path of the last link of a mail."""
    return re.findall(r"http://testserver(/\S+)", message.body)[-1]
