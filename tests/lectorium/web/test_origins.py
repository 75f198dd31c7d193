import pytest

from lectorium.web.origins import may_connect


@pytest.fixture(autouse=True)
def hosts(settings):
    settings.ALLOWED_HOSTS = ["localhost", "[::1]", "lectures.example"]


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8000", "localhost:8000"),
        ("http://localhost", "localhost:80"),
        ("http://LOCALHOST:8000", "localhost:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("https://lectures.example", "lectures.example"),
        ("https://lectures.example", "lectures.example:443"),
    ],
)
def test_a_page_of_the_same_host_and_port_may_connect(origin, host):
    assert may_connect(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:9999", "localhost:8000"),
        ("http://localhost", "localhost:8000"),
        ("https://localhost:1", "localhost"),
        ("http://evil.example", "localhost"),
        ("http://localhost.evil.example", "localhost"),
        ("http://localhost@evil.example", "localhost"),
        ("http://evil.example@localhost", "localhost"),
        ("http://evil.example", "evil.example"),
        ("http://[::1", "[::1"),
        ("null", "localhost"),
        ("", "localhost"),
        ("", ""),
        ("http://", ""),
        ("file://localhost", "localhost"),
        ("localhost", "localhost"),
    ],
)
def test_a_page_of_another_host_or_port_or_of_none_may_not(origin, host):
    assert not may_connect(origin, host)


@pytest.mark.parametrize(
    ("origin", "may"),
    [
        ("https://talks.example", True),
        ("https://talks.example:8443", False),
        ("http://talks.example", False),
        ("https://a.school.example", True),
        ("https://aschool.example", False),
    ],
)
def test_a_page_of_an_origin_named_by_setting_may_connect(settings, origin, may):
    settings.CSRF_TRUSTED_ORIGINS = ["https://talks.example", "https://*.school.example"]
    assert may_connect(origin, "lectures.example") == may


def test_with_https_a_page_without_it_may_not(settings):
    settings.HTTPS = True
    assert may_connect("https://lectures.example", "lectures.example")
    assert not may_connect("http://lectures.example", "lectures.example")
