import pytest

from lectorium.providers.endpoint import endpoint_of


def test_a_service_has_a_name_and_an_address_and_its_key_stays_out_of_sight():
    endpoint = endpoint_of("vllm", "http://127.0.0.1:8001/v1/", "secret")
    assert (endpoint.name, endpoint.url, endpoint.key) == ("vllm", "http://127.0.0.1:8001/v1", "secret")
    assert "secret" not in repr(endpoint)
    assert endpoint.masked("who is secret?") == "who is •••?"
    assert endpoint_of("vllm", "http://host").masked("as it was") == "as it was"


@pytest.mark.parametrize(
    ("name", "url", "says"),
    [
        ("", "http://host/v1", "cannot name a service"),
        ("builtin", "http://host/v1", "cannot name a service"),
        ("Big One", "http://host/v1", "cannot name a service"),
        ("vllm", "", "must begin with http"),
        ("vllm", "ftp://host", "must begin with http"),
        ("vllm", "http://", "must begin with http"),
        ("vllm", "https://me:password@host/v1", "has its own variable"),
        ("vllm", "https://host/v1?key=secret", "has its own variable"),
    ],
)
def test_a_service_that_cannot_be_used_is_refused_without_repeating_a_secret(name, url, says):
    with pytest.raises(ValueError, match=says) as refused:
        endpoint_of(name, url)
    assert "password" not in str(refused.value)
    assert "key=" not in str(refused.value)
