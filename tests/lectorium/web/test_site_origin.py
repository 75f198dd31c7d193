from urllib.parse import urlsplit

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from lectorium.env import Env
from lectorium.web.site_origin import site_origin


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("https://lectures.example.org", "https://lectures.example.org"),
        ("HTTPS://Lectures.Example.org:443", "https://lectures.example.org"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_origin_is_as_browsers_write_it(written, origin):
    assert site_origin(written) == origin


@pytest.mark.parametrize(
    "written",
    ["", "null", "*", "https://*", "https://*.example.org", "https://a.org/", "https://a.org/x", "ftp://a.org", "a.org",
     "https://a.org:99999", "https://user@a.org", "https://a.org https://b.org", "https://a.org;", "https://a.org\n"],
)  # fmt: skip
def test_what_is_more_or_less_than_an_origin_is_none(written):
    assert site_origin(written) is None


@given(st.text(alphabet="htps:/.*;'\" \n\r@[]a1-é", max_size=40))
def test_an_origin_is_always_one_source_of_a_policy(written):
    origin = site_origin(written)
    if origin is not None:
        assert site_origin(origin) == origin
        assert not set(origin) & set(" ;,'\"\n\r*@")
        assert urlsplit(origin).netloc


def test_a_setting_that_is_no_origin_stops_the_process_with_its_key(tmp_path, monkeypatch):
    monkeypatch.setenv("ORIGINS", "https://a.org, https://b.org/page")
    with pytest.raises(ImproperlyConfigured, match=r"ORIGINS: 'https://b\.org/page'"):
        Env(tmp_path / ".env").origins("ORIGINS")
    monkeypatch.setenv("ORIGINS", "https://A.org, https://a.org:443")
    assert Env(tmp_path / ".env").origins("ORIGINS") == ["https://a.org"]
