"""One settings file; the environment says what differs. docs/operations.md lists the variables.

Without any variable this is the embedded site of ``make run``: SQLite, an embedded Valkey, plain
HTTP on this machine. ``SECRET_KEY`` in the environment makes it a real site: then
``ALLOWED_HOSTS`` is needed and everything is strict.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import dj_database_url
import django_stubs_ext
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Queue

from config import allocator, embedded, game_sites, queues
from config.celery import app as celery_app  # noqa: F401  (tasks are sent by this application)
from config.logs import configure_logging

# Every process of the site reads the settings, before it starts any thread.
allocator.bound()
# Makes Django's classes subscriptable at run time: admin.ModelAdmin[Match].
django_stubs_ext.monkeypatch()

BASE_DIR = embedded.BASE_DIR
VAR_DIR = embedded.var_dir()


def flag(name: str, default: bool = False) -> bool:
    """An on/off variable: 1, true, yes and on mean on."""
    return os.environ.get(name, str(default)).strip().lower() in {"1", "true", "yes", "on"}


def listed(name: str) -> list[str]:
    """A variable that holds several values with commas between them."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


# --- What kind of site ---------------------------------------------------------------------------
EMBEDDED = not os.environ.get("SECRET_KEY")
DEBUG = flag("DEBUG")
SECRET_KEY = os.environ.get("SECRET_KEY") or embedded.secret_key(VAR_DIR)

HOST = os.environ.get("HOST", "127.0.0.1")
PORT = int(os.environ.get("PORT") or 8000)
ALLOWED_HOSTS = listed("ALLOWED_HOSTS")
if EMBEDDED and not ALLOWED_HOSTS:
    # Listening on every address is a wish to be reached from the phone on the sofa, by any name.
    _everywhere = HOST in {"0.0.0.0", "::"}  # noqa: S104
    ALLOWED_HOSTS = ["*"] if _everywhere else ["localhost", "127.0.0.1", "[::1]", HOST]
if not ALLOWED_HOSTS:
    raise ImproperlyConfigured(
        "SECRET_KEY is set, so name the site: ALLOWED_HOSTS=cards.example.org"
    )
SITE_URL = (
    os.environ.get("SITE_URL")
    or (f"http://localhost:{PORT}" if EMBEDDED else f"https://{ALLOWED_HOSTS[0].lstrip('.')}")
).rstrip("/")
HTTPS = SITE_URL.startswith("https://")
# How many proxies of ours stand in front, so how much of X-Forwarded-* may be believed.
PROXIES = int(os.environ.get("PROXIES") or (0 if EMBEDDED else 1))

# --- Apps ----------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "config.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_filters",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "core",
    "accounts",
    "notices",
    "collection",
    "decks",
    "matches",
    "tournaments",
    # A game that has something to show is an app of its own: docs/adding-a-game.md.
    *game_sites.installed(),
]
MIDDLEWARE = [
    "config.middleware.probes",
    "config.middleware.request_log",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    # Also for the files below that nobody has compressed before (the embedded site's own).
    "config.middleware.Compression",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.last_seen",
    "accounts.middleware.local_time",
    "config.middleware.note_writes",
    "notices.middleware.mark_notices_seen",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.Refusals",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
_loaders = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            # With DEBUG each request reads its templates anew.
            "loaders": _loaders if DEBUG else [("django.template.loaders.cached.Loader", _loaders)],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            # Every template says times by it.
            "builtins": ["core.templatetags.times"],
        },
    }
]

# --- Database ------------------------------------------------------------------------------------
DATABASES: dict[str, Any] = {
    "default": dj_database_url.parse(
        os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'riffle.sqlite3'}"
    )
}
_database = DATABASES["default"]
# Behind PgBouncer each thread keeps a connection to it, which costs that little; to connect takes
# longer than most requests.
_behind_pool = {
    "DISABLE_SERVER_SIDE_CURSORS": True,
    "CONN_MAX_AGE": 600,
    "CONN_HEALTH_CHECKS": True,
}
if _database["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE takes the write lock when a transaction begins: without it, two writers that first
    # read get "database is locked" at once instead of waiting for each other.
    _database["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        # Mapped, the file is read without a system call a page: looking up a few thousand rows
        # takes half the time.
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;"
        "PRAGMA mmap_size=268435456;",
    }
    _database["CONN_MAX_AGE"] = 600
    # Nothing asks it here, but REST framework loads it where it is installed: 5 MB a process.
    sys.modules.setdefault("psycopg", None)  # type: ignore[arg-type]
elif pool_size := int(os.environ.get("DATABASE_POOL") or 8):
    _database["OPTIONS"] = _database.get("OPTIONS", {}) | {
        # A pool tries again ever more slowly, one connection at a time, and whoever comes waits for
        # it. So it soon gives up, and the next who comes has it try at once.
        "pool": {"min_size": 1, "max_size": pool_size, "timeout": 10, "reconnect_timeout": 3}
    }
    # A connection from before the database was restarted is found out before it is used.
    _database["CONN_HEALTH_CHECKS"] = True
else:
    # DATABASE_POOL=0: something like PgBouncer pools in front of the database.
    _database |= _behind_pool
# A server that follows this one, for lists that all people share: core.replica says which.
if _replica_url := os.environ.get("DATABASE_REPLICA_URL"):
    # It may be behind PgBouncer as well.
    _replica: dict[str, Any] = {**dj_database_url.parse(_replica_url), **_behind_pool}
    # Who gets no answer soon asks the primary.
    _timeouts = {"connect_timeout": 2, "tcp_user_timeout": 5000}
    _replica["OPTIONS"] = _timeouts | _replica.get("OPTIONS", {})
    DATABASES["replica"] = _replica
DATABASE_ROUTERS = ["core.replica.Router"]
# SQLite leaves the further columns of an index out, which costs it no more than a look at the row.
SILENCED_SYSTEM_CHECKS = ["models.W040"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Redis: cache and bells, tasks; sessions -----------------------------------------------------
REDIS_URL = embedded.redis_url(VAR_DIR)
# Tasks may wait on another server than bells and counters; by default they wait on this one.
TASKS_REDIS_URL = os.environ.get("TASKS_REDIS_URL") or REDIS_URL
CACHES = {
    "default": {
        "BACKEND": "config.cache.Cache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "riffle",
    },
    # What a process may forget, and others need not know: nothing is asked over a socket for it.
    "process": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "process",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
}
# Not in the cache too: a copy there would outlive a logout that Redis was away for.
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 180 * 24 * 3600  # a guest has only the cookie

CELERY_BROKER_URL = TASKS_REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker that gave up would not come back by itself
# A task's message is given back unless the task has ended, so a killed worker loses nothing; the
# price is that a task may start twice, so each one must not mind a second time.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# KiB after which a worker's process makes room for a fresh one, between two tasks: Celery sees to
# pools of processes, config.memory to workers that are a single one.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = int(os.environ.get("WORKER_MEMORY") or 300_000)
CELERY_TASK_QUEUES = [Queue(name) for name in queues.QUEUES]
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_DEFAULT_QUEUE = queues.NOTICES
CELERY_TASK_ROUTES = {task: {"queue": queue} for task, queue in queues.ROUTES.items()}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than any task: a shorter one makes duplicates without any crash.
    "visibility_timeout": 3600,
    # kombu looks for a dead worker's messages every interval x throttle seconds.
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    # A Redis that takes connections and says nothing must not hold anybody up for ever.
    "socket_timeout": 3,
    "socket_connect_timeout": 3,
    "health_check_interval": 5,
    # Who sends a task in a request does not wait; core.background says what happens then.
    "max_retries": 0,
}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
# Each app adds its rows here: a name, the task's dotted name, and how often (seconds or crontab).
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "clear-sessions": {
        "task": "config.tasks.clear_sessions",
        "schedule": crontab(hour=4, minute=17),
    },
    "forget-keys": {"task": "core.tasks.forget_keys", "schedule": crontab(hour=4, minute=27)},
    "forget-notices": {
        "task": "notices.tasks.forget_notices",
        "schedule": crontab(hour=4, minute=37),
    },
    "sweep-core": {"task": "core.tasks.sweep", "schedule": 30.0},
    "sweep-accounts": {"task": "accounts.tasks.sweep", "schedule": 30.0},
    "sweep-notices": {"task": "notices.tasks.sweep", "schedule": 30.0},
    "sweep-collection": {"task": "collection.tasks.sweep", "schedule": 30.0},
    "sweep-decks": {"task": "decks.tasks.sweep", "schedule": 30.0},
    "sweep-studies": {"task": "matches.tasks.sweep_studies", "schedule": 30.0},
    "sweep-matches": {"task": "matches.tasks.sweep", "schedule": 3.0},
    "sweep-tournaments": {"task": "tournaments.tasks.sweep", "schedule": 30.0},
    "archive-matches": {
        "task": "matches.tasks.archive_matches",
        "schedule": crontab(hour=2, minute=37),
    },
    "forget-guests": {"task": "matches.tasks.forget_guests", "schedule": crontab(hour=4, minute=7)},
    "sweep-open-tables": {"task": "matches.tasks.sweep_open_tables", "schedule": 30.0},
    "recompute-ratings": {
        "task": "matches.tasks.recompute_ratings",
        "schedule": crontab(hour=3, minute=37),
    },
}

# --- People --------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapters.AccountAdapter"
# Guests are logged in and must reach the forms; accounts.views sends members on.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "login": "accounts.forms.LoginForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "signup": "accounts.forms.SignupForm",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional" if os.environ.get("EMAIL_URL") or EMBEDDED else "none"
# Wrong passwords: so many from one address, for one account from one address, and for one account
# from all addresses together (accounts.adapters). The last is far above what one address may do,
# so that nobody keeps somebody else out, and far below what guessing needs.
ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip,5/5m/key,30/d/key", "account_failed": "150/d/key"}
# A session that was left open is not enough to change what opens the account: allauth asks for the
# password or a code again, unless it was typed in the last five minutes.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Mails about passwords, addresses, second factors and tokens, where there is an address.
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
MFA_ADAPTER = "accounts.adapters.SecondFactorAdapter"
MFA_FORMS = {
    "activate_totp": "accounts.forms.ActivateSecondFactorForm",
    "authenticate": "accounts.forms.SecondFactorForm",
    "reauthenticate": "accounts.forms.SecondFactorAgainForm",
}
MFA_TOTP_ISSUER = "Riffle"
# An address is optional here, and without EMAIL_URL none can be confirmed.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Whether /admin/ opens only for staff with a second factor. On a laptop nobody else can reach it.
STAFF_SECOND_FACTOR = flag("STAFF_SECOND_FACTOR", default=not EMBEDDED)

# --- Mail: EMAIL_URL=smtp://user:password@host:587/?tls=1; without it the embedded site writes
# mails into a folder, which its pages name, and any other site has none.
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
MAIL_FOLDER: Path | None = None
if _mail_url := os.environ.get("EMAIL_URL"):
    _mail = urlsplit(_mail_url)
    _mail_options = parse_qs(_mail.query)
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = _mail.hostname or "localhost"
    EMAIL_USE_SSL = _mail.scheme == "smtps"
    EMAIL_USE_TLS = _mail_options.get("tls") == ["1"]
    EMAIL_PORT = _mail.port or (465 if EMAIL_USE_SSL else 587 if EMAIL_USE_TLS else 25)
    EMAIL_HOST_USER = unquote(_mail.username or "")
    EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
    EMAIL_TIMEOUT = 10
elif EMBEDDED:
    MAIL_FOLDER = VAR_DIR / "mail"
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = str(MAIL_FOLDER)
MAIL_IS_SENT = bool(_mail_url) or MAIL_FOLDER is not None
DEFAULT_FROM_EMAIL = (
    os.environ.get("EMAIL_FROM") or f"Riffle <riffle@{urlsplit(SITE_URL).hostname}>"
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# --- Web push: by this key (VAPID) browsers know the site; with another one they hear no more of it
PUSH_KEY = os.environ.get("PUSH_KEY") or embedded.push_key(VAR_DIR)

# --- Security ------------------------------------------------------------------------------------
CSRF_TRUSTED_ORIGINS = [] if EMBEDDED else [SITE_URL]
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
# Pages and answers with secrets in them, which their compressed length could betray.
UNCOMPRESSED_PREFIXES = (
    "/account/",
    "/admin/",
    "/you/token/",
    "/you/notices/",
    "/api/guests/",
    "/api/webhook/",
)

# --- What comes in (config.bodies reads it; docs/operations.md explains) --------------------------
_MB = 1024 * 1024
# Bytes that are read of a list of cards, of a deck, and of all files of a deck check that come at
# once. Forms, services and the API's document take them from here.
LIST_BYTES = 16 * _MB
DECK_BYTES = 1 * _MB
PILE_BYTES = 16 * _MB
# Bytes of a request's body; above them the answer is 413, at once where the sender says how many.
API_BODY_LIMIT = 256 * 1024
PAGE_BODY_LIMIT = 10 * _MB
# By address: more where something is uploaded (what is read of it, and what is around it; a
# character of a deck may take four bytes), less where a form may wait in the session until its
# sender has typed the password once more.
BODY_LIMITS = {
    r"/account/.*|/you/.*": 64 * 1024,
    r"/collection/import/|/api/imports/": LIST_BYTES + _MB,
    r"/deck-checks/[^/]+/add/|/api/deck-checks/[^/]+/decks/": PILE_BYTES + _MB,
    r"/api/decks/import/": 4 * DECK_BYTES + _MB,
}
# Of forms; the gateway has looked already.
DATA_UPLOAD_MAX_MEMORY_SIZE = max(BODY_LIMITS.values())
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
# A body has so many seconds, and one more for each BODY_RATE bytes of it that have come.
BODY_SECONDS = float(os.environ.get("BODY_SECONDS") or 20)
BODY_RATE = int(os.environ.get("BODY_RATE") or 16 * 1024)
# In each process: bodies being read at once, and bytes of bodies in memory.
BODIES_AT_ONCE = int(os.environ.get("BODIES_AT_ONCE") or 256)
BODIES_MEMORY = int(os.environ.get("BODIES_MEMORY") or 64 * 1024 * 1024)
# A reader may take so long over 64 KB of an answer, a probe so long in all.
SEND_SECONDS = float(os.environ.get("SEND_SECONDS") or 60)
PROBE_SECONDS = float(os.environ.get("PROBE_SECONDS") or 5)
# In each process: threads for pages, and how many requests may wait for one.
WEB_THREADS = int(os.environ.get("WEB_THREADS") or 8)
WEB_QUEUE = int(os.environ.get("WEB_QUEUE") or 256)

# In each process: files that are made while they are sent, at once; half of them for visitors.
DOWNLOADS_AT_ONCE = int(os.environ.get("DOWNLOADS_AT_ONCE") or 8)
# In each process, for one person, or one address without a login: seconds of processor time that
# dear requests may take at once, and how much of a processor fills that up again.
CPU_BUDGET = float(os.environ.get("CPU_BUDGET") or 10)
CPU_REFILL = float(os.environ.get("CPU_REFILL") or 0.25)

# --- Static files and what is drawn --------------------------------------------------------------
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or VAR_DIR / "static")
MEDIA_URL = "/media/"
MEDIA_ROOT = Path(os.environ.get("MEDIA_ROOT") or VAR_DIR / "media")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if EMBEDDED
        else "config.static.HashedStaticFiles"
    },
}
# The embedded site serves files straight from the folders: no build, and an edit shows at once.
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = EMBEDDED
WHITENOISE_MAX_AGE = 0 if EMBEDDED else 60

# --- API -----------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.parsers.CarefulJSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_THROTTLE_CLASSES": [
        "core.throttles.AnonThrottle",
        "core.throttles.UserThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": "120/min",
        "user": "1200/min",
        "token": "10/min",
        "own-data": "10/hour",
        "close-account": "10/hour",
    },
    "DEFAULT_SCHEMA_CLASS": "core.openapi.ScopedSchema",
    "EXCEPTION_HANDLER": "config.problems.exception_handler",
    "NUM_PROXIES": PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# What a token needs for anything but reading, by the app whose API it is; a view may name another.
API_SCOPES = {
    "accounts": "account",
    "notices": "account",
    "collection": "collect",
    "decks": "collect",
    "matches": "play",
    "tournaments": "play",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Riffle",
    "DESCRIPTION": "Games, cards and matches of Riffle. Errors are problem documents (RFC 9457).",
    "VERSION": "0.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.documents.say_how_large_bodies_may_be",
    ],
    "SCHEMA_PATH_PREFIX": r"/api/",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "BlockKind": "accounts.models.BlockKind.choices",
        "DeckVisibility": "decks.models.Visibility.choices",
        "CollectionVisibility": "collection.models.Visibility.choices",
        "JobState": "collection.models.JobState.choices",
        "SeatKind": "matches.models.SeatKind.choices",
        "MatchTimeControl": "matches.models.TimeControl.choices",
        "LimitedKind": "tournaments.models.limited.LimitedKind.choices",
    },
}

# --- The host's own words ------------------------------------------------------------------------
# A folder with privacy.txt and terms.txt: they stand in place of the texts that come with Riffle.
LEGAL_FOLDER = Path(os.environ["LEGAL_FOLDER"]) if os.environ.get("LEGAL_FOLDER") else None

# --- Words, time, logs ---------------------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
USE_TZ = True
TIME_ZONE = "UTC"
LOG_JSON = flag("LOG_JSON", default=not (EMBEDDED or DEBUG))
LOGGING_CONFIG = None
configure_logging(as_json=LOG_JSON, level=os.environ.get("LOG_LEVEL") or "INFO")
# /metrics: open on the embedded site; elsewhere only with "Authorization: Bearer <METRICS_TOKEN>".
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
