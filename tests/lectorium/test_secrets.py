"""No secret of a setting shows in what is said of it where it is wrong."""

import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from lectorium.env import Env

ADDRESSES = [
    "{0}://u:S3cr/etpw@h/d",
    "{0}://u:S3cr?etpw@h/d",
    "{0}://u:S3cr#etpw@h/d",
    "{0}://u:[S3cr/etpw@h/d",
    "{0}://h:S3cretpw/d",
    "{0}://u:123/S3cretpw@h:1/d",
    "{0}://u:S3cret℀pw@h/d",
    "{0}//u:S3cretpw@h/d",
    "{0}s:/u:S3cretpw@h/d",
]
DATABASES = [address.format("postgres") for address in ADDRESSES] + ["mysql://u:S3cretpw@h/d", "u:S3cretpw@h"]
REDIS = [address.format("redis") for address in ADDRESSES] + ["http://u:S3cretpw@h", "redis://h?S3cretpw=1"]
SERVICES = ["vllm=http://u:S3cretpw@h", "http://u:S3cretpw@h", "http://u:S3=cretpw@h", "vllm=http://h:S3cretpw"]
MEDIA = ["s3://k:S3cretpw@b", "ftp://k:S3cretpw@b"]
WRONG = [
    *((Env.database, value) for value in DATABASES),
    *((Env.redis, value) for value in REDIS),
    *((lambda env, key: env.endpoints(key, "SECRET_"), value) for value in SERVICES),
    *((lambda env, key: env.model_or_address(key, "reranker"), address.format("http")) for address in ADDRESSES[:7]),
    *((lambda env, key: env.media(key, Path("media")), value) for value in MEDIA),
]


@pytest.mark.parametrize(("read", "value"), WRONG)
def test_a_wrong_value_is_named_by_its_variable_alone(monkeypatch, tmp_path, read, value):
    monkeypatch.setattr("lectorium.env.find_spec", lambda name: None)
    monkeypatch.setenv("KEY", value)
    with pytest.raises(ImproperlyConfigured, match=r"^KEY") as refusal:
        read(Env(tmp_path / "absent"), "KEY")
    said = "".join(traceback.format_exception(refusal.value))
    assert not shows_secret(said)


def test_a_line_of_the_file_that_is_none_is_named_by_its_number(tmp_path):
    (tmp_path / ".env").write_text("# mine\nLECTORIUM_ENV_TEST=1\nDATABASE_URL postgres://u:S3cretpw@h/d\n")
    with pytest.raises(ImproperlyConfigured, match="line 3") as refusal:
        Env(tmp_path / ".env")
    assert not shows_secret(str(refusal.value))


@pytest.mark.parametrize("value", ["postgres://u:p%2Fw@h:5432/d", "postgres://%2Frun%2Fpg/d", "postgresql://a,b:1/d"])
def test_an_address_of_a_database_is_read(monkeypatch, tmp_path, value):
    monkeypatch.setenv("KEY", value)
    assert Env(tmp_path / "absent").database("KEY")["NAME"] == "d"


@pytest.mark.parametrize("value", ["", "redis://:p%2Fw@h:6379/1", "rediss://h", "unix:///run/redis.sock?db=2"])
def test_an_address_of_a_redis_is_read(monkeypatch, tmp_path, value):
    monkeypatch.setenv("KEY", value)
    assert Env(tmp_path / "absent").redis("KEY") == value


@pytest.mark.parametrize("key", ["DATABASE_URL", "REPLICA_URL", "REDIS_URL"])
def test_a_command_that_cannot_start_shows_no_secret(tmp_path, key):
    address = "redis://u:S3cr/etpw@h" if key == "REDIS_URL" else "postgres://u:S3cr/etpw@h/d"
    known = {"PATH": os.environ["PATH"], "LECTORIUM_STATE": str(tmp_path), "LECTORIUM_SECRET_KEY": "k"}
    doctor = [sys.executable, "manage.py", "doctor"]
    started = subprocess.run(doctor, env={**known, key: address}, capture_output=True, text=True, check=False)
    assert started.returncode == 1
    assert key in started.stderr
    assert "Percent-encode" in started.stderr
    assert not shows_secret(started.stdout + started.stderr)


def shows_secret(said):
    return any(part in said for part in ("S3c", "cretpw", "etpw"))
