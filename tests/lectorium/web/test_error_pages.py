"""The pages for errors are the site's own, in the reader's language, and say nothing of what went wrong inside."""

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from django.test import Client
from django.urls import path

from lectorium.urls import urlpatterns as own

pytestmark = pytest.mark.django_db

SECRET = "quorvine"
FAULTS = {
    "denied": (PermissionDenied(SECRET), 403, "Diese Seite ist für Sie nicht zugänglich"),
    "absent": (Http404(SECRET), 404, "Hier ist nichts"),
    "broken": (RuntimeError(SECRET), 500, "Bei uns ist etwas schiefgegangen"),
    "odd": (SuspiciousOperation(SECRET), 400, "Die Anfrage ließ sich nicht lesen"),
}


def fails(request, name):
    raise FAULTS[name][0]


urlpatterns = [path("fails/<slug:name>/", fails), *own]


@pytest.fixture
def browser(settings):
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False, headers={"accept-language": "de"})


@pytest.mark.parametrize("name", FAULTS)
def test_an_error_gets_the_sites_page_and_nothing_leaks(browser, name):
    _, status, title = FAULTS[name]
    response = browser.get(f"/fails/{name}/")
    page = response.content.decode()
    assert response.status_code == status
    assert f"<h1>{title}</h1>" in page
    assert '<html lang="de"' in page
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert SECRET not in page


def test_a_forged_form_gets_the_sites_page():
    response = Client(enforce_csrf_checks=True).post("/ask/", {"question": "Who?"})
    assert response.status_code == 403
    assert "<h1>The form has expired</h1>" in response.content.decode()
