"""Django's settings, driven by the environment.

docs/reference/environment.md lists every variable.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from environs import Env, EnvValidationError

from config.env import accounts, broker, database, languages, logs, mail, secret
from config.env.errors import SettingProblem, refuse_all

BASE_DIR = Path(__file__).resolve().parent.parent
problems: list[SettingProblem] = []

# ── What the environment says ────────────────────────────────────────────────────────────────────────────
env = Env(eager=False)

DATA_DIR = env.path("RINGSIDE_DATA_DIR", default=BASE_DIR / "var").expanduser().absolute()
static_dir = env.path("RINGSIDE_STATIC_DIR", default=DATA_DIR / "static")
DEBUG = env.bool("RINGSIDE_DEBUG", default=False)
given_secret = env.str("RINGSIDE_SECRET_KEY", default="")
base_url = env.str("RINGSIDE_BASE_URL", default="")
hosts = env.list("RINGSIDE_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
behind_proxy = env.bool("RINGSIDE_BEHIND_PROXY", default=False)
database_url = env.str("DATABASE_URL", default="")
database_keep = env.int("RINGSIDE_DATABASE_KEEP_SECONDS", default=300)
database_pool = env.bool("RINGSIDE_DATABASE_POOL", default=False)
broker_url = env.str("CELERY_BROKER_URL", default="")
cache_url = env.str("RINGSIDE_CACHE_URL", default="")
email_url = env.str("EMAIL_URL", default="")
email_from = env.str("RINGSIDE_EMAIL_FROM", default="Ringside <ringside@localhost>")
log_level = env.str("RINGSIDE_LOG_LEVEL", default="INFO")
log_format = env.str("RINGSIDE_LOG_FORMAT", default="console")
# While an index of cards that takes longer is built, checks go on with the one before.
SLOW_INDEX_SECONDS = 0.5
JOB_LEASE_SECONDS = env.float("RINGSIDE_JOB_LEASE_SECONDS", default=10.0)
JOB_KEEP_DAYS = env.int("RINGSIDE_JOB_KEEP_DAYS", default=7)
IMPORT_KEEP_DAYS = env.int("RINGSIDE_IMPORT_KEEP_DAYS", default=14)
JOB_MINUTES_MAX = env.float("RINGSIDE_JOB_MINUTES_MAX", default=15.0)
paper = env.str("RINGSIDE_PAPER", default="A4")
WORK_SECONDS = env.float("RINGSIDE_WORK_SECONDS", default=60.0)
# Set by `bin/start --https`: where the same pages are served over https, with an authority of our own.
HTTPS_PORT = env.int("RINGSIDE_HTTPS_PORT", default=0)
# Push services that may be on the local network; others must be on the internet.
PUSH_HOSTS: list[str] = env.list("RINGSIDE_PUSH_HOSTS", default=[])
LIVE_STREAMS_MAX = env.int("RINGSIDE_LIVE_STREAMS_MAX", default=10_000)

try:
    env.seal()
except EnvValidationError as error:
    messages = error.error_messages
    unreadable = messages if isinstance(messages, Mapping) else {"The environment": messages}
    for name, reasons in unreadable.items():
        sentence = f"{name} is not readable: {' '.join(str(reason) for reason in reasons)}"
        fix = f"Correct {name} or unset it; see docs/reference/environment.md."
        problems.append(SettingProblem("environment", sentence, fix))
    refuse_all(problems)

if log_format not in ("console", "json"):
    problems.append(
        SettingProblem(
            "log-format", f"RINGSIDE_LOG_FORMAT is {log_format!r}.", "Use console or json, or unset it."
        )
    )
if log_level not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
    problems.append(
        SettingProblem(
            "log-level",
            f"RINGSIDE_LOG_LEVEL is {log_level!r}.",
            "Use DEBUG, INFO, WARNING, ERROR or CRITICAL, or unset it.",
        )
    )
if paper not in ("A4", "Letter"):
    problems.append(
        SettingProblem("paper", f"RINGSIDE_PAPER is {paper!r}.", "Use A4 or Letter, or unset it.")
    )
if base_url and (urlsplit(base_url).scheme not in ("http", "https") or not urlsplit(base_url).hostname):
    problems.append(
        SettingProblem(
            "base-url",
            f"RINGSIDE_BASE_URL is {base_url!r}, which is not a web address.",
            "Write it as https://ringside.example, or unset it.",
        )
    )
    base_url = ""
if given_secret and len(given_secret) < 50:
    problems.append(
        SettingProblem(
            "secret-key",
            f"RINGSIDE_SECRET_KEY has {len(given_secret)} characters; it needs at least 50.",
            "Use a longer random text, or unset it to let Ringside make and keep one.",
        )
    )

# ── Data ─────────────────────────────────────────────────────────────────────────────────────────────────
SECRET_KEY, secret_problems = (given_secret, []) if given_secret else secret.read_or_make(DATA_DIR)
problems += secret_problems

default_database, database_problems = database.parse(
    database_url, default=DATA_DIR / "ringside.sqlite3", keep_seconds=database_keep, pool=database_pool
)
problems += database_problems
DATABASES = {"default": default_database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

mail_settings, mail_problems = mail.parse(email_url, folder=DATA_DIR / "mail")
problems += mail_problems
globals().update(mail_settings)
EMAIL_BACKEND: str
DEFAULT_FROM_EMAIL = SERVER_EMAIL = email_from

CACHES = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": cache_url}
        if cache_url
        # Limits are counted here, so every process must see the same values.
        else {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "ringside_cache",
            # No one can push counted tries out by making up addresses.
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    ),
    # The work of visitors is counted too often to be written to disk.
    "work": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": cache_url}
        if cache_url
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "work"}
    ),
}

HTTPS_AUTHORITY = DATA_DIR / "https" / "authority.pem"
MEDIA_ROOT = DATA_DIR / "files"
JOB_FILES_DIR = DATA_DIR / "jobs"

# ── Applications and pages ───────────────────────────────────────────────────────────────────────────────
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "rest_framework",
    "config.apps.WiringConfig",
    "decks.apps.DecksConfig",
    "tournament.apps.TournamentConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.serving.headers.PermissionsPolicyMiddleware",
    "config.serving.headers.PrivateAddressMiddleware",
    "config.serving.static.StaticFilesMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "tournament.languages.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.serving.headers.WrongMethodMiddleware",
    "config.serving.signed_out.SignedOutMiddleware",
    "config.serving.body_limits.BodyLimitMiddleware",
    "config.serving.work_limits.WorkLimitMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # Every template can be translated without loading the tags for it.
            "builtins": ["django.templatetags.i18n"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

STATIC_URL = "/static/"
STATIC_ROOT = static_dir.expanduser().absolute()
# The guide shows the pictures of the documentation.
STATICFILES_DIRS = [("ringside/guide", BASE_DIR / "docs" / "images")]
# Gathered files have their content's hash in the name, so browsers keep them for ever. Before they have been
# gathered (and while developing) they are served from their source folders.
has_gathered_files = not DEBUG and (STATIC_ROOT / "staticfiles.json").is_file()
STORAGES: dict[str, dict[str, object]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.serving.static.GzipManifestStorage"
        if has_gathered_files
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
        # Every web server may read them.
        "OPTIONS": {"file_permissions_mode": 0o644, "directory_permissions_mode": 0o755},
    },
}
WHITENOISE_USE_FINDERS = not has_gathered_files
WHITENOISE_AUTOREFRESH = DEBUG

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LOCALE_PATHS = [str(languages.FOLDER)]
LANGUAGES = languages.list_languages()
LANGUAGE_COOKIE_NAME = "ringside-language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
FORMAT_MODULE_PATH = ["config.formats"]

# ── People ───────────────────────────────────────────────────────────────────────────────────────────────
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/console/"
LOGOUT_REDIRECT_URL = "/"
globals().update(
    accounts.settings(
        verifies_email=str(mail_settings["EMAIL_BACKEND"]).endswith("smtp.EmailBackend") and bool(base_url),
        behind_proxy=behind_proxy,
    )
)
ACCOUNT_EMAIL_VERIFICATION: str
ALLAUTH_TRUSTED_PROXY_COUNT: int

# ── Safety ───────────────────────────────────────────────────────────────────────────────────────────────
BASE_URL = base_url.rstrip("/")
PAPER = paper
over_https = urlsplit(BASE_URL).scheme == "https"
ALLOWED_HOSTS = [*hosts, *([urlsplit(BASE_URL).hostname] if BASE_URL else [])]
CSRF_FAILURE_VIEW = "tournament.web.refusals.csrf_failure"
CSRF_TRUSTED_ORIGINS = [BASE_URL] if over_https else []
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if behind_proxy else None
USE_X_FORWARDED_HOST = False
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = over_https
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE: Literal["Lax"] = "Lax"
CSRF_COOKIE_SAMESITE = SESSION_COOKIE_SAMESITE
SECURE_SSL_REDIRECT = over_https and behind_proxy
SECURE_HSTS_SECONDS = 31_536_000 if over_https else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
# Players' private links must not travel to other sites; Django's own check of forms needs it within this one.
SECURE_REFERRER_POLICY = "same-origin"
# Browsers complain of it on a plain address of the local network, and ignore it there.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if over_https else None
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "media-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}
# The limit of each address is in config.serving.body_limits; this is the largest body that is read as text.
DATA_UPLOAD_MAX_MEMORY_SIZE = 33 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# ── API ──────────────────────────────────────────────────────────────────────────────────────────────────
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "tournament.web.api.handle_exception",
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_PAGINATION_CLASS": "tournament.web.pagination.StrictPagination",
    "PAGE_SIZE": 100,
    "COERCE_DECIMAL_TO_STRING": True,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Ringside",
    "DESCRIPTION": "Events, registrations, decklists, rounds, results, standings and cuts.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "decks.shared.api_requests.close_request_components",
        "config.serving.api_description.describe_limits",
    ],
    "ENUM_NAME_OVERRIDES": {
        "ChangeKindEnum": ["swap", "move", "replace", "add", "cancel", "seat"],
        "PlayerSideEnum": ["p1", "p2"],
        "CheckOutcomeEnum": ["legal", "illegal", "unknown"],
        "VerdictOutcomeEnum": "decks.submissions.models.VerdictOutcome",
        "MatchOutcomeEnum": "tournament.events.models.round.Match.Outcome",
        "JobStateEnum": "decks.jobs.models.Job.State",
        "ImportStateEnum": "decks.catalogue.models.CatalogueImport.State",
    },
}

# ── Background jobs ──────────────────────────────────────────────────────────────────────────────────────
broker_settings, broker_problems = broker.parse(broker_url, folder=DATA_DIR / "queue")
problems += broker_problems
globals().update(broker_settings)
CELERY_BROKER_URL: str
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# One process a worker: the processes of a pool share a lock, and one that is killed takes it along.
CELERY_WORKER_POOL = "solo"
# A worker at a job sends nothing to the broker; config/worker/watch.py tells whether it lives.
CELERY_BROKER_HEARTBEAT = 0
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "config.worker.scheduler:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep jobs": {"task": "decks.sweep_jobs", "schedule": 2.0, "options": {"expires": 2.0}},
    "call hidden ends": {"task": "tournament.call_hidden_ends", "schedule": 1.0, "options": {"expires": 1.0}},
    "queue news": {"task": "tournament.queue_news", "schedule": 2.0, "options": {"expires": 2.0}},
    "forget subscriptions": {
        "task": "tournament.forget_subscriptions",
        "schedule": 3600.0,
        "options": {"expires": 3600.0},
    },
    "forget jobs": {"task": "decks.forget_jobs", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "forget imports": {"task": "decks.forget_imports", "schedule": 3600.0, "options": {"expires": 3600.0}},
}

# ── Log ──────────────────────────────────────────────────────────────────────────────────────────────────
logs.configure_structlog()
refuse_all(problems)
LOGGING = logs.logging_settings(level=log_level, kind=log_format)
