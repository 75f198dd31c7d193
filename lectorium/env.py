"""Typed reading of environment variables. A wrong value stops the process with its key and what was expected.

Where it may hold a secret it is not repeated, and neither is what a parser said of it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from lectorium.ladder.jobs import JOBS, check_author
from lectorium.providers.endpoint import RESERVED, Endpoint, endpoint_of

T = TypeVar("T")
_LINE = re.compile(r"\s*(#.*|(export )?\w+=.*)?", re.ASCII)
SHORTEST_TOKEN = 16
ENCODE = "Percent-encode what is special in its user and password: / as %2F, @ as %40, # as %23, ? as %3F."


def password_of(url: str) -> list[str]:
    """Return the password in an address, as it stands there and decoded; none where it has none."""
    password = urlsplit(url).password or ""
    return [password, unquote(password)] if password else []


@dataclass(frozen=True, slots=True)
class LangfuseKeys:
    """Where Langfuse is, e.g. https://cloud.langfuse.com, and what it knows us by."""

    host: str
    public_key: str
    secret_key: str = field(repr=False)


class Env:
    """Reads the process environment over an optional `.env` file; the environment wins."""

    def __init__(self, env_file: Path) -> None:
        self._env = environ.Env()
        if env_file.is_file():
            for number, line in enumerate(env_file.read_text(encoding="utf-8").splitlines(), 1):
                if not _LINE.fullmatch(line):
                    raise ImproperlyConfigured(f"{env_file.name}, line {number} is not NAME=value.")
            environ.Env.read_env(str(env_file))

    def text(self, key: str, default: str = "") -> str:
        return str(self._env.str(key, default=default))

    def token(self, key: str) -> str:
        """Read what others show to be let in, or "" where it is unset: long enough that nobody guesses it."""
        value = self.text(key)
        if value and len(value) < SHORTEST_TOKEN:
            raise ImproperlyConfigured(f"{key} is shorter than {SHORTEST_TOKEN} characters.")
        return value

    def choice(self, key: str, options: tuple[str, ...], default: str) -> str:
        value = self.text(key, default)
        if value not in options:
            raise ImproperlyConfigured(f"{key}={value!r} is not one of {', '.join(options)}.")
        return value

    def flag(self, key: str, default: bool) -> bool:
        words = {
            "1": True,
            "true": True,
            "yes": True,
            "on": True,
            "0": False,
            "false": False,
            "no": False,
            "off": False,
        }
        value = self.text(key, str(default)).lower()
        if value not in words:
            raise ImproperlyConfigured(f"{key}={value!r} is not a yes or no (use 1 or 0).")
        return words[value]

    def integer(self, key: str, default: int, *, low: int, high: int) -> int:
        return self._number(int, key, default, low, high)

    def decimal(self, key: str, default: float, *, low: float, high: float) -> float:
        return self._number(float, key, default, low, high)

    def words(self, key: str, default: str = "") -> list[str]:
        """Split a comma-separated value; empty parts are dropped."""
        return [word.strip() for word in self.text(key, default).split(",") if word.strip()]

    def networks(self, key: str) -> list[IPv4Network | IPv6Network]:
        """Split comma-separated addresses and networks, e.g. "127.0.0.1,10.0.0.0/8"."""
        try:
            return [ip_network(word) for word in self.words(key)]
        except ValueError as error:
            raise ImproperlyConfigured(f"{key}: {error}.") from None

    def pairs(self, key: str) -> dict[str, str]:
        """Split "name=value,name=value"; the names are distinct."""
        found: dict[str, str] = {}
        for number, pair in enumerate(self.words(key), 1):
            name, separator, value = (part.strip() for part in pair.partition("="))
            if not (name and separator and value):
                raise ImproperlyConfigured(f"{key}: part {number} is not name=value.")
            if name in found:
                raise ImproperlyConfigured(f"{key} says {name} twice.")
            found[name] = value
        return found

    def endpoints(self, key: str, secret_prefix: str) -> dict[str, Endpoint]:
        """Read "name=url,…"; the secret of each stands in a variable of its own, the prefix and NAME."""
        found = {}
        for name, url in self.pairs(key).items():
            found[name] = self._endpoint(key, name, url, self.text(f"{secret_prefix}{name.upper()}"))
        return found

    def model_or_address(self, key: str, name: str) -> str:
        """Read a model's name or folder, or the address of the service that `name` calls it by: without a secret."""
        value = self.text(key)
        return self._endpoint(key, name, value).url if "://" in value else value

    def rungs(self, key: str, endpoints: dict[str, Endpoint]) -> dict[str, str]:
        """Read "job=provider:model,…": the jobs exist, and so do the providers."""
        found = self.pairs(key)
        providers = (*endpoints, *RESERVED)
        for job, model in found.items():
            if job not in JOBS:
                raise ImproperlyConfigured(f"{key}: {job!r} is not one of the jobs {', '.join(JOBS)}.")
            if model.partition(":")[0] not in providers:
                raise ImproperlyConfigured(f"{key}: {model!r} is not PROVIDER:MODEL of {', '.join(providers)}.")
            try:
                check_author(job, model)
            except ValueError as error:
                raise ImproperlyConfigured(f"{key}: {error}.") from None
        return found

    def langfuse(self, prefix: str) -> LangfuseKeys | None:
        """Read PREFIX_PUBLIC_KEY, _SECRET_KEY and _HOST; None where neither key is set."""
        public, secret = self.text(f"{prefix}_PUBLIC_KEY"), self.text(f"{prefix}_SECRET_KEY")
        if bool(public) != bool(secret):
            missing = "SECRET" if public else "PUBLIC"
            raise ImproperlyConfigured(f"{prefix}_{missing}_KEY is empty, but the other key is set: set both or none.")
        key = f"{prefix}_HOST"
        host = self._endpoint(key, "langfuse", self.text(key, "https://cloud.langfuse.com")).url
        return LangfuseKeys(host, public, secret) if public else None

    def path(self, key: str, default: Path) -> Path:
        return Path(self.text(key, str(default))).expanduser().resolve()

    def media(self, key: str, default: Path) -> tuple[Path, dict[str, object]]:
        """Return the folder of uploads and recordings, and the storage: that folder, or s3://bucket/prefix."""
        place = self.text(key, str(default))
        scheme, separator, rest = place.partition("://")
        if not separator:
            return self.path(key, default), {"BACKEND": "django.core.files.storage.FileSystemStorage"}
        bucket, _, prefix = rest.partition("/")
        if scheme != "s3" or not bucket:
            raise ImproperlyConfigured(f"{key} is neither a folder nor s3://bucket/prefix.")
        if "@" in bucket:
            raise ImproperlyConfigured(f"{key} carries a secret: the bucket's keys have variables of their own.")
        if not find_spec("storages") or not find_spec("boto3"):
            raise ImproperlyConfigured(f"{key} names a bucket, which needs: pip install -r requirements-s3.txt")
        options = {"bucket_name": bucket, "location": prefix, "default_acl": None, "file_overwrite": False}
        return default, {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}

    def database(self, key: str) -> dict[str, object] | None:
        """Return Django's connection settings for a postgres:// URL, or None where the key is unset."""
        url = self.text(key)
        if not url:
            return None
        if url.partition("://")[0] not in {"postgres", "postgresql", "pgsql", "psql"}:
            raise ImproperlyConfigured(f"{key} must begin with postgres://; Lectorium needs PostgreSQL with pgvector.")
        return self._parsed(key, url, lambda: dict(environ.Env.db_url_config(url)))

    def redis(self, key: str) -> str:
        """Return the address of a Redis that a connection can be made from, or "" where the key is unset."""
        url = self.text(key)
        if not url:
            return ""
        if url.partition("://")[0] not in {"redis", "rediss", "unix"}:
            raise ImproperlyConfigured(f"{key} must begin with redis://, rediss:// or unix://.")
        from redis import ConnectionPool  # only where it is used

        self._parsed(key, url, lambda: ConnectionPool.from_url(url).make_connection())
        return url

    def _parsed(self, key: str, url: str, parse: Callable[[], T]) -> T:
        try:
            parts = urlsplit(url)
            is_torn = "@" in parts.path + parts.query + parts.fragment  # a password ended the host, and goes on there
            if not is_torn:
                return parse()
        except (ValueError, TypeError):
            pass
        raise ImproperlyConfigured(f"{key} cannot be read as an address. {ENCODE}")

    def _endpoint(self, key: str, name: str, url: str, secret: str = "") -> Endpoint:
        try:
            return endpoint_of(name, url, secret)
        except ValueError as error:
            raise ImproperlyConfigured(f"{key}: {error}.") from None

    def _number(self, convert: Callable[[str], T], key: str, default: T, low: float, high: float) -> T:
        value = self.text(key, str(default))
        try:
            number = convert(value)
        except ValueError as error:
            raise ImproperlyConfigured(f"{key}={value!r} is not a number.") from error
        if not low <= number <= high:  # type: ignore[operator]
            raise ImproperlyConfigured(f"{key}={value!r} is outside {low} to {high}.")
        return number
