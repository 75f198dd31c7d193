"""Typed settings from environment variables. An invalid value stops the process with its key and what was expected.

A value that may contain a secret is never repeated, nor is a parser's message about it.
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
from django.conf.locale import LANG_INFO
from django.core.exceptions import ImproperlyConfigured

from lectorium.ladder.jobs import JOBS, check_author
from lectorium.providers.endpoint import RESERVED, Endpoint, endpoint_of
from lectorium.web.site_origin import site_origins

T = TypeVar("T")
_LINE = re.compile(r"\s*(#.*|(export )?\w+=.*)?", re.ASCII)
SHORTEST_TOKEN = 16
YES, NO = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}
ENCODE = "Percent-encode special characters in its user and password: / as %2F, @ as %40, # as %23, ? as %3F."


def password_of(url: str) -> list[str]:
    """The password in a URL, as written and decoded; empty without one."""
    password = urlsplit(url).password or ""
    return [password, unquote(password)] if password else []


@dataclass(frozen=True, slots=True)
class LangfuseKeys:
    """The address of Langfuse, e.g. https://cloud.langfuse.com, and its keys."""

    host: str
    public_key: str
    secret_key: str = field(repr=False)


class Env:
    """Reads the process environment, which overrides an optional `.env` file."""

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
        """A secret of at least SHORTEST_TOKEN characters, or "" if unset."""
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
        value = self.text(key, str(default)).lower()
        if value not in YES | NO:
            raise ImproperlyConfigured(f"{key}={value!r} is not a yes or no (use 1 or 0).")
        return value in YES

    def integer(self, key: str, default: int, *, low: int, high: int) -> int:
        return self._number(int, key, default, low, high)

    def decimal(self, key: str, default: float, *, low: float, high: float) -> float:
        return self._number(float, key, default, low, high)

    def words(self, key: str, default: str = "") -> list[str]:
        return [word.strip() for word in self.text(key, default).split(",") if word.strip()]

    def chosen(self, key: str, options: tuple[str, ...]) -> list[str]:
        """Some of the options, without repetition."""
        words = list(dict.fromkeys(self.words(key)))
        if unknown := next((word for word in words if word not in options), None):
            raise ImproperlyConfigured(f"{key}: {unknown!r} is not one of {', '.join(options)}.")
        return words

    def locales(self, key: str) -> list[str]:
        """Codes of languages that Django knows by name, such as de or pt-br, without repetition."""
        codes = list(dict.fromkeys(word.lower() for word in self.words(key)))
        if unknown := next((code for code in codes if code not in LANG_INFO), None):
            raise ImproperlyConfigured(f"{key}: {unknown!r} is not a language code such as de, fr or pt-br.")
        return codes

    def origins(self, key: str) -> list[str]:
        """Origins of other sites, such as https://lectures.example.org, as browsers write them."""
        return self._valid(key, lambda: site_origins(self.words(key)))

    def networks(self, key: str) -> list[IPv4Network | IPv6Network]:
        return self._valid(key, lambda: [ip_network(word) for word in self.words(key)])

    def _valid(self, key: str, read: Callable[[], T]) -> T:
        try:
            return read()
        except ValueError as error:
            raise ImproperlyConfigured(f"{key}: {error}.") from None

    def pairs(self, key: str) -> dict[str, str]:
        """Split "name=value,name=value" with distinct names."""
        found: dict[str, str] = {}
        for number, pair in enumerate(self.words(key), 1):
            name, separator, value = (part.strip() for part in pair.partition("="))
            if not (name and separator and value):
                raise ImproperlyConfigured(f"{key}: part {number} is not name=value.")
            if name in found:
                raise ImproperlyConfigured(f"{key} lists {name} twice.")
            found[name] = value
        return found

    def endpoints(self, key: str, secret_prefix: str) -> dict[str, Endpoint]:
        """Read "name=url,…"; each secret has its own variable, secret_prefix + NAME."""
        found = {}
        for name, url in self.pairs(key).items():
            found[name] = self._endpoint(key, name, url, self.text(f"{secret_prefix}{name.upper()}"))
        return found

    def model_or_address(self, key: str, name: str) -> str:
        """A model's name or folder, or a service's URL without a secret."""
        value = self.text(key)
        return self._endpoint(key, name, value).url if "://" in value else value

    def address(self, key: str, name: str) -> str:
        """A service's URL without a secret, or "" if unset."""
        value = self.text(key)
        return self._endpoint(key, name, value).url if value else ""

    def rungs(self, key: str, endpoints: dict[str, Endpoint]) -> dict[str, str]:
        """Read "job=provider:model,…", and check that jobs and providers exist."""
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
        """Read PREFIX_PUBLIC_KEY, _SECRET_KEY and _HOST; None without keys."""
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
        """The media folder and its storage, either that folder or s3://bucket/prefix."""
        place = self.text(key, str(default))
        scheme, separator, rest = place.partition("://")
        if not separator:
            return self.path(key, default), {"BACKEND": "django.core.files.storage.FileSystemStorage"}
        bucket, _, prefix = rest.partition("/")
        if scheme != "s3" or not bucket:
            raise ImproperlyConfigured(f"{key} is neither a folder nor s3://bucket/prefix.")
        if "@" in bucket:
            raise ImproperlyConfigured(f"{key} contains a secret: the bucket's keys have their own variables.")
        if not find_spec("storages") or not find_spec("boto3"):
            raise ImproperlyConfigured(f"{key} names a bucket, which needs: pip install -r requirements-s3.txt")
        options = {"bucket_name": bucket, "location": prefix, "default_acl": None, "file_overwrite": False}
        return default, {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}

    def database(self, key: str) -> dict[str, object] | None:
        """Django's connection settings for a postgres:// URL, or None if unset."""
        url = self.text(key)
        if not url:
            return None
        if url.partition("://")[0] not in {"postgres", "postgresql", "pgsql", "psql"}:
            raise ImproperlyConfigured(f"{key} must begin with postgres://; Lectorium needs PostgreSQL with pgvector.")
        return self._parsed(key, url, lambda: dict(environ.Env.db_url_config(url)))

    def mail(self, key: str) -> dict[str, object]:
        """Django's mail settings for smtp://user:password@host:port (smtp+tls, smtp+ssl), or {} if unset."""
        url = self.text(key)
        if not url:
            return {}
        if url.partition("://")[0] not in {"smtp", "smtp+tls", "smtp+ssl", "consolemail"}:
            raise ImproperlyConfigured(f"{key} must begin with smtp://, smtp+tls:// or smtp+ssl://.")
        found = self._parsed(key, url, lambda: dict(environ.Env.email_url_config(url)))
        return {name: value for name, value in found.items() if name.startswith("EMAIL_") and name != "EMAIL_FILE_PATH"}

    def webhook(self, key: str, secret_key: str) -> tuple[str, str]:
        """A webhook's URL and the secret that it must have; ("", "") without a URL."""
        url, secret = self.text(key), self.token(secret_key)
        if not url:
            return "", ""
        if not secret:
            raise ImproperlyConfigured(f"{secret_key} is empty: receivers know by it that a notice is genuine.")
        return self._endpoint(key, "webhook", url).url, secret

    def redis(self, key: str) -> str:
        """A valid Redis URL, or "" if unset."""
        url = self.text(key)
        if not url:
            return ""
        if url.partition("://")[0] not in {"redis", "rediss", "unix"}:
            raise ImproperlyConfigured(f"{key} must begin with redis://, rediss:// or unix://.")
        from redis import ConnectionPool  # imported only if used

        self._parsed(key, url, lambda: ConnectionPool.from_url(url).make_connection())
        return url

    def _parsed(self, key: str, url: str, parse: Callable[[], T]) -> T:
        try:
            parts = urlsplit(url)
            # An unescaped character in the password ends the host early.
            if "@" not in parts.path + parts.query + parts.fragment:
                return parse()
        except (ValueError, TypeError):
            pass
        raise ImproperlyConfigured(f"{key} is not a valid URL. {ENCODE}")

    def _endpoint(self, key: str, name: str, url: str, secret: str = "") -> Endpoint:
        return self._valid(key, lambda: endpoint_of(name, url, secret))

    def _number(self, convert: Callable[[str], T], key: str, default: T, low: float, high: float) -> T:
        value = self.text(key, str(default))
        try:
            number = convert(value)
        except ValueError as error:
            raise ImproperlyConfigured(f"{key}={value!r} is not a number.") from error
        if not low <= number <= high:  # type: ignore[operator]
            raise ImproperlyConfigured(f"{key}={value!r} is outside {low} to {high}.")
        return number
