"""How large a request may be."""

import asyncio

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from lectorium.asgi import application, django_application
from lectorium.web.body_limit import MEGABYTE, BodyLimit, LargePage

pytestmark = pytest.mark.django_db(transaction=True)


def a_scope(path, cookie="", declared=None):
    headers = [(b"host", b"localhost"), (b"content-type", b"multipart/form-data; boundary=x")]
    headers += [(b"cookie", cookie.encode())] if cookie else []
    headers += [(b"content-length", str(declared).encode())] if declared is not None else []
    place = {"path": path, "raw_path": path.encode(), "query_string": b"", "scheme": "http", "http_version": "1.1"}
    return {"type": "http", "method": "POST", "headers": headers, "client": ["1.2.3.4", 1], **place}


async def posted(scope, megabytes, application=application):
    """Return the status, the text, and how many megabytes were read."""
    read, sent = 0, []

    async def receive():
        nonlocal read
        if read == megabytes:
            await asyncio.Event().wait()  # the sender stays and waits for the answer
        read += 1
        return {"type": "http.request", "body": b"a" * MEGABYTE, "more_body": read < megabytes}

    async def send(message):
        sent.append(message)

    await application(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent).decode(), read


def signed_in(name, permission):
    """Return the cookie of a member of staff who has one permission."""
    member = User.objects.create_user(name, is_staff=True)
    member.user_permissions.add(Permission.objects.get(codename=permission))
    client = Client()
    client.force_login(member)
    return f"sessionid={client.cookies['sessionid'].value}"


@pytest.fixture
def onlooker():
    return signed_in("maria", "view_import")


@pytest.fixture
def editor():
    return signed_in("rao", "add_import")


async def test_a_body_of_no_said_length_is_read_no_further_than_the_limit():
    status, said, read = await posted(a_scope("/login/"), 200)
    assert (status, read) == (413, 3)
    assert said == "The request exceeds this page's limit of 2.5 MB."


async def test_a_body_that_says_it_is_too_long_is_not_read():
    status, _, read = await posted(a_scope("/login/", declared=200 * MEGABYTE), 200)
    assert (status, read) == (413, 0)


async def test_a_body_within_the_limit_reaches_its_page():
    status, _, read = await posted(a_scope("/login/"), 2)
    assert (status, read) == (403, 2)  # it comes without a CSRF token


async def test_the_import_page_takes_more_from_those_who_may_import(onlooker, editor):
    page = reverse("admin:corpus_import_add")
    assert (await posted(a_scope(page), 5))[::2] == (413, 3)
    assert (await posted(a_scope(page, onlooker), 5))[::2] == (413, 3)
    assert (await posted(a_scope(page, editor), 5))[::2] == (403, 5)
    assert (await posted(a_scope("/login/", editor), 5))[::2] == (413, 3)


async def test_the_import_page_has_a_limit_of_its_own(editor):
    page = LargePage("/large/", 4 * MEGABYTE, "corpus.add_import")
    limited = BodyLimit(django_application, most=MEGABYTE, page=page)
    status, said, read = await posted(a_scope("/large/", editor), 9, limited)
    assert (status, said, read) == (413, "The request exceeds this page's limit of 4 MB.", 5)


@pytest.mark.parametrize(
    ("language", "title"), [("en", "That is too much at once"), ("de-AT", "Das ist zu viel auf einmal")]
)
async def test_a_browser_gets_a_page_in_its_language_under_the_sites_policy(language, title):
    scope = a_scope("/ask/", declared=9 * MEGABYTE)
    scope["headers"] += [(b"accept", b"text/html,*/*;q=0.8"), (b"accept-language", language.encode())]
    sent = []

    async def send(message):
        sent.append(message)

    await application(scope, None, send)
    headers, page = dict(sent[0]["headers"]), sent[1]["body"].decode()
    assert sent[0]["status"] == 413
    assert f"<h1>{title}</h1>" in page
    assert "2.5 MB" in page
    assert headers[b"content-type"] == b"text/html; charset=utf-8"
    assert b"default-src 'none'" in headers[b"content-security-policy"]
    assert (headers[b"x-frame-options"], headers[b"connection"]) == (b"DENY", b"close")
    assert int(headers[b"content-length"]) == len(sent[1]["body"])
