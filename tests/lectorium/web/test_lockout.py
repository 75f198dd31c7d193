import os
import subprocess
import sys
from ipaddress import ip_network

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory
from django.urls import reverse

from lectorium.env import Env
from lectorium.web.lockout import client_address

PROXIES = [ip_network("127.0.0.1"), ip_network("10.0.0.0/8"), ip_network("::1")]


@pytest.fixture
def alice(db):
    return User.objects.create_user("alice", password="willow-bark-88")


def tried(client, name="alice", password="wrong", **headers):
    return client.post(reverse("login"), {"username": name, "password": password}, **headers)


def test_ten_wrong_passwords_pause_a_name_from_an_address_and_say_for_how_long(client, alice):
    answers = [tried(client) for _ in range(10)]
    assert [answer.status_code for answer in answers] == [200] * 9 + [429]
    assert answers[-1].headers["Retry-After"] == "900"
    assert "Too many attempts" in answers[-1].content.decode()
    assert tried(client, password="willow-bark-88").status_code == 429
    assert tried(client, password="willow-bark-88", REMOTE_ADDR="192.0.2.7").status_code == 302


def test_one_address_that_tries_many_names_is_paused_for_all_of_them(client, alice):
    answers = [tried(client, f"user{number}") for number in range(60)]
    assert [answer.status_code for answer in answers] == [200] * 49 + [429] * 11
    assert answers[-1].headers["Retry-After"] == "900"
    assert tried(client, password="willow-bark-88").status_code == 429
    assert tried(client, password="willow-bark-88", REMOTE_ADDR="192.0.2.7").status_code == 302


def test_behind_a_trusted_proxy_strangers_do_not_pause_a_name_for_its_owner(client, alice, settings):
    settings.TRUSTED_PROXIES = PROXIES
    for _ in range(12):
        answer = tried(client, HTTP_X_FORWARDED_FOR="203.0.113.9")
    assert answer.status_code == 429
    assert tried(client, password="willow-bark-88", HTTP_X_FORWARDED_FOR="198.51.100.4").status_code == 302


def test_a_stranger_gets_no_other_address_by_claiming_one(client, alice, settings):
    settings.TRUSTED_PROXIES = PROXIES
    for number in range(12):
        answer = tried(client, HTTP_X_FORWARDED_FOR=f"192.0.2.{number}, 203.0.113.9")
    assert answer.status_code == 429


@pytest.mark.parametrize(
    ("remote", "forwarded", "address"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "192.0.2.1", "203.0.113.9"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("::1", "2001:db8::1", "2001:db8::1"),
        ("127.0.0.1", "192.0.2.66, 203.0.113.9, 10.1.2.3", "203.0.113.9"),
        ("127.0.0.1", "192.0.2.66, unknown", "127.0.0.1"),
        ("127.0.0.1", "10.1.2.3", "10.1.2.3"),
        ("", "192.0.2.1", None),
    ],
)
def test_an_address_is_told_by_the_last_proxy_that_is_trusted(settings, remote, forwarded, address):
    settings.TRUSTED_PROXIES = PROXIES
    request = RequestFactory().get("/", REMOTE_ADDR=remote, HTTP_X_FORWARDED_FOR=forwarded)
    assert client_address(request) == address


def test_trusted_proxies_are_addresses_and_networks(monkeypatch, tmp_path):
    monkeypatch.setenv("KEY", "127.0.0.1, 10.0.0.0/8")
    assert Env(tmp_path / "absent").networks("KEY") == PROXIES[:2]


def test_with_https_the_deployment_check_finds_nothing(tmp_path):
    environment = {
        "PATH": os.environ["PATH"],
        "LECTORIUM_STATE": str(tmp_path),
        "LECTORIUM_SECRET_KEY": "an example of a key that is long enough for what it signs",
        "LECTORIUM_HOSTS": "lectures.example",
        "LECTORIUM_HTTPS": "1",
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    checked = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "no issues" in checked.stdout
