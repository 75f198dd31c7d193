from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from lectorium.env import Env


@pytest.fixture
def env(tmp_path):
    return Env(tmp_path / "absent")


@pytest.mark.parametrize(
    ("read", "value", "said"),
    [
        (lambda env: env.flag("KEY", False), "perhaps", "not a yes or no"),
        (lambda env: env.integer("KEY", 1, low=1, high=9), "ten", "not a number"),
        (lambda env: env.integer("KEY", 1, low=1, high=9), "10", "outside 1 to 9"),
        (lambda env: env.decimal("KEY", 1.0, low=0, high=1), "nan", "outside"),
        (lambda env: env.token("KEY"), "fifteen letters", "^KEY is shorter than 16 characters"),
        (lambda env: env.choice("KEY", ("a", "b"), "a"), "c", "not one of a, b"),
        (lambda env: env.chosen("KEY", ("gap.opened",)), "gap.opened, all", "'all' is not one of gap.opened"),
        (lambda env: env.locales("KEY"), "de, klingon", "'klingon' is not a language code such as de, fr or pt-br"),
        (lambda env: env.mail("KEY"), "http://host", "must begin with smtp://"),
        (lambda env: env.webhook("KEY", "KEY_SECRET"), "https://host/hook", "KEY_SECRET is empty"),
        (lambda env: env.pairs("KEY"), "title", "part 1 is not name=value"),
        (lambda env: env.pairs("KEY"), "title=a,title=b", "lists title twice"),
        (lambda env: env.endpoints("KEY", "SECRET_"), "vllm=host", "the address of vllm must begin with http"),
        (lambda env: env.model_or_address("KEY", "reranker"), "ftp://host", "the address of reranker must begin with"),
        (lambda env: env.model_or_address("KEY", "reranker"), "http://me:word@host", "has its own variable"),
        (lambda env: env.address("KEY", "provider"), "id.example.org", "the address of provider must begin with http"),
        (lambda env: env.rungs("KEY", {}), "dance=local:x", "'dance' is not one of the jobs route"),
        (lambda env: env.rungs("KEY", {}), "knowledge=hostile:1", "reaches readers unchecked"),
        (lambda env: env.rungs("KEY", {}), "title=vllm:x", "'vllm:x' is not PROVIDER:MODEL of builtin, local"),
        (lambda env: env.database("KEY"), "mysql://host/name", "postgres://"),
        (lambda env: env.media("KEY", Path("media")), "ftp://host/name", "neither a folder nor s3://"),
    ],
)
def test_a_wrong_value_is_named_with_its_key(env, monkeypatch, read, value, said):
    monkeypatch.setenv("KEY", value)
    with pytest.raises(ImproperlyConfigured, match=said) as refusal:
        read(env)
    assert "KEY" in str(refusal.value)


@pytest.mark.parametrize("value", ["", "some/model", "/a/folder", "http://127.0.0.1:8001/v1"])
def test_a_model_has_a_name_a_folder_or_an_address(env, monkeypatch, value):
    monkeypatch.setenv("KEY", value)
    assert env.model_or_address("KEY", "reranker") == value


def test_the_environment_wins_over_the_file(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("LECTORIUM_ENV_TEST=file\n", encoding="utf-8")
    monkeypatch.setenv("LECTORIUM_ENV_TEST", "environment")
    assert Env(tmp_path / ".env").text("LECTORIUM_ENV_TEST") == "environment"


def test_media_lie_in_a_folder_or_in_a_bucket(env, monkeypatch, tmp_path):
    assert env.media("KEY", tmp_path)[0] == tmp_path
    monkeypatch.setenv("KEY", str(tmp_path / "shared"))
    folder, storage = env.media("KEY", tmp_path)
    assert (folder, storage["BACKEND"]) == (tmp_path / "shared", "django.core.files.storage.FileSystemStorage")
    monkeypatch.setenv("KEY", "s3://talks/of/1893")
    monkeypatch.setattr("lectorium.env.find_spec", lambda name: True)
    _, storage = env.media("KEY", tmp_path)
    assert (storage["OPTIONS"]["bucket_name"], storage["OPTIONS"]["location"]) == ("talks", "of/1893")


def test_a_bucket_without_its_library_says_what_to_install(env, monkeypatch, tmp_path):
    monkeypatch.setenv("KEY", "s3://talks")
    monkeypatch.setattr("lectorium.env.find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match=r"requirements-s3\.txt"):
        env.media("KEY", tmp_path)


def test_services_are_read_with_the_key_of_each(env, monkeypatch):
    monkeypatch.setenv("KEY", "vllm=http://127.0.0.1:8001/v1, hosted=https://api.example.org/v1")
    monkeypatch.setenv("SECRET_HOSTED", "secret")
    found = env.endpoints("KEY", "SECRET_")
    assert [(endpoint.name, endpoint.url, endpoint.key) for endpoint in found.values()] == [
        ("vllm", "http://127.0.0.1:8001/v1", ""),
        ("hosted", "https://api.example.org/v1", "secret"),
    ]


def test_langfuse_needs_both_keys_or_none_and_an_address(env, monkeypatch):
    assert env.langfuse("LF") is None
    monkeypatch.setenv("LF_PUBLIC_KEY", "public")
    with pytest.raises(ImproperlyConfigured, match="LF_SECRET_KEY is empty"):
        env.langfuse("LF")
    monkeypatch.setenv("LF_SECRET_KEY", "hush")
    found = env.langfuse("LF")
    assert (found.host, found.public_key, found.secret_key) == ("https://cloud.langfuse.com", "public", "hush")
    assert "hush" not in repr(found)
    monkeypatch.setenv("LF_HOST", "langfuse.example.org")
    with pytest.raises(ImproperlyConfigured, match="LF_HOST: the address of langfuse must begin with http"):
        env.langfuse("LF")


def test_locales_are_codes_without_repetition(env, monkeypatch):
    monkeypatch.setenv("KEY", "DE, pt-BR,de,")
    assert env.locales("KEY") == ["de", "pt-br"]
