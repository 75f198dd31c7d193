"""Requests with a NUL in their address."""

import pytest
from django.urls import reverse

from tests.factories import a_work

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/?q=%00", "/%00", "/works/%00/", "/login/?next=%00", "/static/%00", "/c/%00/"])
def test_a_nul_in_an_address_is_a_bad_request(client, address):
    response = client.get(address)
    assert response.status_code == 400
    assert "The request could not be read" in response.content.decode()
    assert response["Content-Security-Policy"]


def test_a_nul_in_what_a_page_looks_up_is_a_bad_request(client):
    page = reverse("work", args=[a_work({"John 11:35": "Jesus wept."}).pk])
    assert client.get(f"{page}?at=%00").status_code == 400
    assert client.get(f"{page}?at=a%00b").status_code == 400
    assert client.get(f"{page}?at=%2500").status_code == 200


def test_a_nul_in_the_admins_search_and_filters_is_a_bad_request(admin_client):
    lectures = reverse("admin:corpus_lecture_changelist")
    for asked in ("q=%00", "state__exact=%00", "collection__id__exact=%00"):
        assert admin_client.get(f"{lectures}?{asked}").status_code == 400
    assert admin_client.get(f"{lectures}%00/change/").status_code == 400


def test_a_nul_in_a_form_is_an_error_of_its_field(client):
    assert client.post(reverse("login"), {"username": "al\0ice", "password": "x\0"}).status_code == 200
