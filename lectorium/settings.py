"""Every setting, from the environment. docs/operators.md lists the variables; no other module reads them."""

import os
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from lectorium.env import Env, password_of
from lectorium.postgres import EmbeddedPostgres
from lectorium.redis_services import cache_on, layer_on
from lectorium.web.processors import processors, turns_at_once

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env(BASE_DIR / ".env")

# --- The site ---------------------------------------------------------------------------------------------------
DEBUG = env.flag("LECTORIUM_DEBUG", False)
STATE_DIR = env.path("LECTORIUM_STATE", BASE_DIR / "var")
ALLOWED_HOSTS = env.words("LECTORIUM_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("LECTORIUM_ORIGINS")
EMBED_ORIGINS = env.origins("LECTORIUM_EMBED_ORIGINS")  # sites that may show the question box in a frame
HTTPS = env.flag("LECTORIUM_HTTPS", False)
WEB_PORT = env.integer("LECTORIUM_PORT", 8000, low=1, high=65535)
REDIS_URL = env.redis("REDIS_URL")
LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "testserver"}
THIS_MACHINE_ONLY = set(ALLOWED_HOSTS) <= LOCAL_HOSTS
METRICS_TOKEN = env.token("LECTORIUM_METRICS_TOKEN")

SECRET_KEY = env.text("LECTORIUM_SECRET_KEY")
if not SECRET_KEY:
    if not THIS_MACHINE_ONLY:
        raise ImproperlyConfigured(
            f"LECTORIUM_SECRET_KEY is empty, but LECTORIUM_HOSTS={','.join(ALLOWED_HOSTS)!r} serves other machines."
        )
    if REDIS_URL:
        raise ImproperlyConfigured(
            "LECTORIUM_SECRET_KEY is empty, but REDIS_URL is set: cached answers are trusted by their signature. "
            "Give every process the same key."
        )
    SECRET_KEY = "for-this-machine-only-" + "0" * 40

# A pin of far too many references is refused by its form, in words, not by a bare 400.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000

INSTALLED_APPS = [
    "daphne",
    "lectorium.admin_site.LectoriumAdmin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "axes",
    "simple_history",
    "import_export",
    "lectorium.apps.LectoriumConfig",  # before django_q, because it overrides its worker
    "django_q",
    "lectorium.ladder.apps.LadderConfig",
    "corpus.apps.CorpusConfig",
    "audit.apps.AuditConfig",
    "curation.apps.CurationConfig",
    "chat.apps.ChatConfig",
    "chat.api.apps.ApiConfig",
    "articles.apps.ArticlesConfig",
    "accounts.apps.AccountsConfig",
    "evaluation.apps.EvaluationConfig",
    "operations.apps.OperationsConfig",
]

MIDDLEWARE = [
    "operations.health.probes_first",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "lectorium.web.nul_bytes.without_nul",
    "lectorium.web.static_files.CompressedStaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "lectorium.urls"
ASGI_APPLICATION = "lectorium.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- Database: an external server by DATABASE_URL, otherwise the embedded one -------------------------------------
EXTERNAL_DATABASE = env.database("DATABASE_URL")
EMBEDDED_POSTGRES = None if EXTERNAL_DATABASE else EmbeddedPostgres(STATE_DIR / "postgres")
DATABASE_POOL_SIZE = env.integer("LECTORIUM_DB_POOL", 0, low=0, high=200)


def _database() -> dict[str, Any]:
    settings: dict[str, Any] = EXTERNAL_DATABASE or {}
    if EMBEDDED_POSTGRES:
        address = EMBEDDED_POSTGRES.address
        settings = {
            "ENGINE": "lectorium.db_embedded",
            "HOST": str(address.socket_dir),
            "PORT": str(address.port),
            "USER": address.user,
            "NAME": address.database,
        }
    return _pooled(settings, timeout=10)


def _replica() -> dict[str, Any] | None:
    """The replica's settings, so that a host that is away is found out in seconds; its URL can say otherwise."""
    settings: dict[str, Any] | None = env.database("REPLICA_URL")
    if settings is None:
        return None
    waits = {
        "connect_timeout": 2,  # seconds
        "tcp_user_timeout": 5000,  # milliseconds
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 2,
    }
    return _pooled({**settings, "OPTIONS": {**waits, **settings.get("OPTIONS", {})}}, timeout=2)


def _pooled(settings: dict[str, Any], timeout: int) -> dict[str, Any]:
    """In web processes only: django-q2 workers fork, and a forked pool is broken."""
    if not DATABASE_POOL_SIZE:
        return settings
    pool = {"min_size": 1, "max_size": DATABASE_POOL_SIZE, "timeout": timeout}
    return {**settings, "OPTIONS": {**settings.get("OPTIONS", {}), "pool": pool}, "CONN_HEALTH_CHECKS": True}


DATABASES = {"default": _database()}
REPLICA_DATABASE = _replica()
if REPLICA_DATABASE:  # look-ups read from the replica, everything else from the primary
    DATABASES["replica"] = REPLICA_DATABASE
LOOK_UP_DATABASE = "replica" if REPLICA_DATABASE else "default"
DATABASE_ROUTERS = ["lectorium.replicas.ReplicaRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Channels and cache: in memory on one machine, Redis on several ------------------------------------------------
CHANNEL_LAYERS: dict[str, Any] = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
CACHES: dict[str, Any] = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
if REDIS_URL:
    CHANNEL_LAYERS["default"], CACHES["default"] = layer_on(REDIS_URL), cache_on(REDIS_URL)

# --- Jobs: one Postgres broker, so a second worker host needs nothing new ------------------------------------------
Q_CLUSTER = {
    "name": "lectorium",
    "orm": "default",
    "workers": env.integer("LECTORIUM_WORKERS", 1, low=1, high=64),
    "timeout": 3600,
    "retry": 3900,
    "max_attempts": 3,
    "catch_up": False,
    "poll": 2,
    "save_limit": 500,
    "label": "Jobs",
}

# --- Accounts and security ---------------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_VERBOSE = False
AXES_LOCKOUT_CALLABLE = "lectorium.web.lockout.too_many_attempts"
AXES_HANDLER = "lectorium.web.lockout.LockoutHandler"
AXES_CLIENT_IP_CALLABLE = "lectorium.web.lockout.client_address"
ADDRESS_FAILURE_LIMIT = 50  # of one address over all names; a school behind one address has many readers
TRUSTED_PROXIES = env.networks("LECTORIUM_TRUSTED_PROXIES")
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "chat"
LOGOUT_REDIRECT_URL = "chat"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "media-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
ANONYMOUS_CHAT = env.flag("LECTORIUM_ANONYMOUS_CHAT", True)
SIGN_UP = env.choice("LECTORIUM_SIGN_UP", ("off", "invitation", "open"), "off")
# An OpenID Connect provider to sign in with, and whether a first sign-in there makes an account here.
OIDC_ISSUER = env.address("LECTORIUM_OIDC_ISSUER", "provider")
OIDC_CLIENT_ID = env.text("LECTORIUM_OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = env.text("LECTORIUM_OIDC_CLIENT_SECRET")
OIDC_NAME = env.text("LECTORIUM_OIDC_NAME", "OpenID Connect")
OIDC_NEW_ACCOUNTS = env.flag("LECTORIUM_OIDC_NEW_ACCOUNTS", True)
if OIDC_ISSUER and not (OIDC_CLIENT_ID and OIDC_CLIENT_SECRET):
    raise ImproperlyConfigured(
        "LECTORIUM_OIDC_ISSUER is set, but LECTORIUM_OIDC_CLIENT_ID or LECTORIUM_OIDC_CLIENT_SECRET is empty."
    )
# Mails about accounts in an hour, to one address and at the wish of one network address.
ACCOUNT_MAILS_TO_AN_ADDRESS, ACCOUNT_MAILS_FROM_A_NETWORK = 3, 30

# --- Files -------------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_URL = "/media/"
MEDIA_ROOT, _MEDIA_STORAGE = env.media("LECTORIUM_MEDIA", STATE_DIR / "media")
STORAGES: dict[str, Any] = {
    "default": _MEDIA_STORAGE,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Collection → folder imported into it every hour.
SOURCES = {key: Path(folder).expanduser().resolve() for key, folder in env.pairs("LECTORIUM_SOURCES").items()}
IMPORT_EXPORT_TMP_STORAGE_CLASS = "import_export.tmp_storages.CacheStorage"  # shared by the web processes
IMPORT_EXPORT_EXPORT_PERMISSION_CODE = "view"
# Limits of imports, of one source and of one file. A source's rows are its paragraphs or verses.
SOURCE_MB = env.integer("LECTORIUM_SOURCE_MB", 8, low=1, high=64)
SOURCE_ROWS = env.integer("LECTORIUM_SOURCE_ROWS", 100_000, low=1, high=1_000_000)
SOURCE_CHUNKS = env.integer("LECTORIUM_SOURCE_CHUNKS", 50_000, low=1, high=1_000_000)
FILE_MB = env.integer("LECTORIUM_FILE_MB", 512, low=1, high=2048)
FILE_ROWS = env.integer("LECTORIUM_FILE_ROWS", 1_000_000, low=1, high=10_000_000)
FILE_ENTRIES = env.integer("LECTORIUM_FILE_ENTRIES", 10_000, low=1, high=1_000_000)
UPLOAD_DAYS = env.integer("LECTORIUM_UPLOAD_DAYS", 14, low=0, high=36_500)
WHITENOISE_USE_FINDERS = True  # served from their folders, without collectstatic
SAMPLES_DIR = BASE_DIR / "samples"
DATA_DIR = env.path("LECTORIUM_DATA", BASE_DIR.parent / "shared" / "data")

# --- Language and time ---------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
# Languages of the interface, each in its own name. Their catalogues are in lectorium/locale.
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("es", "Español"), ("hi", "हिंदी")]
LOCALE_PATHS = [BASE_DIR / "lectorium" / "locale"]
FORMAT_MODULE_PATH = "lectorium.formats"
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
# Languages that published texts are translated into.
LOCALES = env.locales("LECTORIUM_LOCALES")
TIME_ZONE = "UTC"
USE_TZ = True

# --- Models ------------------------------------------------------------------------------------------------------
EMBEDDER = env.text("LECTORIUM_EMBEDDER", "auto")
MODELS_DIR = env.path("LECTORIUM_MODELS", STATE_DIR / "models")
RECALL = env.choice("LECTORIUM_RECALL", ("0.95", "0.99"), "0.99")
VECTOR_INDEX = env.choice("LECTORIUM_VECTOR_INDEX", ("halfvec", "binary"), "halfvec")
EF_CONSTRUCTION = env.integer("LECTORIUM_EF_CONSTRUCTION", 64, low=32, high=1000)
EMBEDDER_DTYPE = env.choice("LECTORIUM_EMBEDDER_DTYPE", ("auto", "float32", "bfloat16"), "auto")
CROSS_ENCODER = env.text("LECTORIUM_CROSS_ENCODER", "shipped")
READER = env.choice("LECTORIUM_READER", ("auto", "small", "big"), "auto")
READER_BASE = env.path("LECTORIUM_READER_BASE", STATE_DIR / "models" / "all-mpnet-base-v2")
READER_ADAPTER = env.path("LECTORIUM_READER_ADAPTER", BASE_DIR / "lectorium/providers/mpnet/weights")
RERANKER = env.model_or_address("LECTORIUM_RERANKER", "reranker")
RERANKER_MODEL = env.text("LECTORIUM_RERANKER_MODEL", "")
RERANKER_KEY = env.text("LECTORIUM_RERANKER_KEY", "")
INFERENCE = env.text("LECTORIUM_INFERENCE")  # the socket of a process that computes for all others of this machine
WARM_MODELS = env.flag("LECTORIUM_WARM", False)
CALIBRATIONS_DIR = env.path("LECTORIUM_CALIBRATIONS", BASE_DIR / "chat" / "answering" / "calibrations")
MODEL_THREADS = env.integer("LECTORIUM_MODEL_THREADS", 2, low=1, high=256)
# OpenMP threads that wait for one another should sleep: on a busy machine, spinning made models 1.8 times slower.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# NumPy's own threads do spin: beside other work, a product of 0.04 ms took up to 70 ms of processor time with two.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Services with the OpenAI protocol, by name, and their timeouts.
CHAT_ENDPOINTS = env.endpoints("LECTORIUM_CHAT_ENDPOINTS", secret_prefix="LECTORIUM_CHAT_KEY_")  # noqa: S106
LADDER = env.rungs("LECTORIUM_LADDER", CHAT_ENDPOINTS)
LANGFUSE = env.langfuse("LANGFUSE")
PROMPT_DIRS = [BASE_DIR / room / "prompts" for room in ("chat", "corpus", "curation", "articles", "evaluation")]
CHAT_SILENCE = env.decimal("LECTORIUM_CHAT_SILENCE", 30.0, low=0.1, high=600.0)
CHAT_WHOLE = env.decimal("LECTORIUM_CHAT_WHOLE", 180.0, low=1.0, high=3600.0)
TRANSCRIBE_SECONDS = env.decimal("LECTORIUM_TRANSCRIBE_SECONDS", 300.0, low=1.0, high=600.0)
TRANSCRIBE_MB = env.integer("LECTORIUM_TRANSCRIBE_MB", 25, low=1, high=2048)
CHAT_PREPARE = env.decimal("LECTORIUM_CHAT_PREPARE", 45.0, low=0.1, high=3600.0)
CHAT_TURN = env.decimal("LECTORIUM_CHAT_TURN", 300.0, low=1.0, high=7200.0)

# --- Chat --------------------------------------------------------------------------------------------------------
QUESTION_MAX_CHARS = env.integer("LECTORIUM_QUESTION_MAX_CHARS", 2000, low=20, high=20_000)
OUT_OF_CORPUS = env.flag("LECTORIUM_OUT_OF_CORPUS", False)
_POLICIES = ("withhold", "warn", "regenerate", "block")
POLICY = env.choice("LECTORIUM_POLICY", _POLICIES, "withhold")
HIGH_RISK_POLICY = env.choice("LECTORIUM_HIGH_RISK_POLICY", ("", *_POLICIES), "")
# Passages and notes that facts are read from in an hour; and what becomes of a fact that no verifier can check.
FACTS_AN_HOUR = env.integer("LECTORIUM_FACTS_AN_HOUR", 200, low=0, high=100_000)
FACTS_UNVERIFIED = env.choice("LECTORIUM_FACTS_UNVERIFIED", ("block", "tag", "queue"), "block")
MIN_SPECIFICITY = env.decimal("LECTORIUM_MIN_SPECIFICITY", 0.0, low=0.0, high=1.0)
ANSWER_CACHE = env.flag("LECTORIUM_ANSWER_CACHE", True)
RETENTION_DAYS = env.integer("LECTORIUM_RETENTION_DAYS", 0, low=0, high=36_500)
VISITOR_RETENTION_DAYS = env.integer("LECTORIUM_VISITOR_RETENTION_DAYS", 0, low=0, high=36_500)
REDACT = env.choice("LECTORIUM_REDACT", ("nothing", "details", "all"), "nothing")
TURNS_AT_ONCE = env.integer("LECTORIUM_TURNS_AT_ONCE", turns_at_once(processors()), low=1, high=1000)
# Seconds that a turn runs on without its reader; a reload takes two, a phone in a tunnel longer.
TURN_GRACE = env.decimal("LECTORIUM_TURN_GRACE", 20.0, low=0.0, high=600.0)
TURNS_OF_A_READER = env.integer("LECTORIUM_TURNS_OF_A_READER", 3, low=1, high=1000)
TURNS_OF_AN_ADDRESS = env.integer("LECTORIUM_TURNS_OF_AN_ADDRESS", 24, low=1, high=100_000)
QUESTIONS_OF_A_READER = env.integer("LECTORIUM_QUESTIONS_OF_A_READER", 600, low=0, high=1_000_000)
QUESTIONS_OF_AN_ADDRESS = env.integer("LECTORIUM_QUESTIONS_OF_AN_ADDRESS", 3000, low=0, high=1_000_000)
QUESTIONS_OF_A_VISITOR = env.integer("LECTORIUM_QUESTIONS_OF_A_VISITOR", QUESTIONS_OF_A_READER, low=0, high=1_000_000)
QUESTIONS_OF_VISITORS = env.integer("LECTORIUM_QUESTIONS_OF_VISITORS", 0, low=0, high=10_000_000)
QUESTIONS_OF_THE_SITE = env.integer("LECTORIUM_QUESTIONS_OF_THE_SITE", 0, low=0, high=10_000_000)
SEARCHES_OF_A_READER = env.integer("LECTORIUM_SEARCHES_OF_A_READER", 2400, low=0, high=1_000_000)
SEARCHES_OF_AN_ADDRESS = env.integer("LECTORIUM_SEARCHES_OF_AN_ADDRESS", 12_000, low=0, high=1_000_000)
SEARCHES_OF_THE_SITE = env.integer("LECTORIUM_SEARCHES_OF_THE_SITE", 0, low=0, high=10_000_000)

# --- The API and the tools for assistants: chat/api, chat/mcp ---------------------------------------------------------
MCP_TOKEN = env.text("LECTORIUM_MCP_TOKEN")
API_PER_MINUTE = env.integer("LECTORIUM_API_PER_MINUTE", 60, low=1, high=100_000)
REST_FRAMEWORK = {  # not an installed app, because its pages are unused
    "DEFAULT_AUTHENTICATION_CLASSES": ["chat.api.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["chat.api.throttling.AccountThrottle"],
    "DEFAULT_PARSER_CLASSES": ["chat.api.json_only.JsonOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "chat.api.json_only.AlwaysJson",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "chat.api.errors.answer",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Lectorium",
    "VERSION": "1",
    "DESCRIPTION": "Answers over lectures and scripture: every claim is cited, or the question is refused.",
    "OAS_VERSION": "3.1.0",
    "SERVE_PUBLIC": True,
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/(api/)?v1",
}

# --- Notices: mail and a signed webhook -----------------------------------------------------------------------------
_MAIL = env.mail("LECTORIUM_MAIL")
MAIL_CONFIGURED = bool(_MAIL)
globals().update(_MAIL)
DEFAULT_FROM_EMAIL = env.text("LECTORIUM_MAIL_FROM", "lectorium@localhost")
WEBHOOK_URL, WEBHOOK_SECRET = env.webhook("LECTORIUM_WEBHOOK_URL", "LECTORIUM_WEBHOOK_SECRET")
_WEBHOOK_EVENTS = ("answer.refused", "gap.opened", "import.finished", "import.failed")
WEBHOOK_EVENTS = env.chosen("LECTORIUM_WEBHOOK_EVENTS", _WEBHOOK_EVENTS)
if WEBHOOK_EVENTS and not WEBHOOK_URL:
    raise ImproperlyConfigured("LECTORIUM_WEBHOOK_EVENTS is set, but LECTORIUM_WEBHOOK_URL is empty: nobody is told.")

# --- Logs --------------------------------------------------------------------------------------------------------
LOG_LEVEL = env.choice("LECTORIUM_LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
LOG_FORM = env.choice("LECTORIUM_LOG", ("lines", "json"), "lines")
_SECRETS = [
    SECRET_KEY,
    METRICS_TOKEN,
    RERANKER_KEY,
    MCP_TOKEN,
    WEBHOOK_SECRET,
    OIDC_CLIENT_SECRET,
    *password_of(env.text("LECTORIUM_MAIL")),
    LANGFUSE.secret_key if LANGFUSE else "",
    *(endpoint.key for endpoint in CHAT_ENDPOINTS.values()),
    *(part for key in ("DATABASE_URL", "REPLICA_URL", "REDIS_URL") for part in password_of(env.text(key))),
]
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "lines": {
            "()": "lectorium.logs.LineFormatter",
            "fmt": "%(levelname)s %(name)s: %(message)s",
            "secrets": _SECRETS,
        },
        "json": {"()": "lectorium.logs.JsonFormatter", "secrets": _SECRETS},
    },
    # A 503 of /readyz is not an error, and start-up polls often.
    "filters": {
        "waiting": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: not (record.name == "django.request" and "/readyz" in record.getMessage()),
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORM, "filters": ["waiting"]}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        **{
            name: {"level": LOG_LEVEL}
            for name in "lectorium corpus curation chat articles accounts audit evaluation operations".split()
        },
        # Request lines are for log collectors; on a terminal they would hide the others.
        **({} if LOG_FORM == "json" else {"lectorium.web.request_log": {"level": "WARNING"}}),
    },
}
