"""Settings of the test suite: the real ones, in a temp folder of their own.

Nothing here touches a database or a Redis that somebody uses: both are started for the run
(``tests/support/services.py``). ``REQUIRE_SERVICES=1`` chooses PostgreSQL, a real Redis and a real
Celery worker; without it the suite uses SQLite and the embedded Valkey.
"""

import os

from tests.support.services import CHOSEN

for _name in (
    *("SECRET_KEY", "ALLOWED_HOSTS", "SITE_URL", "EMAIL_URL", "PROXIES", "DEBUG", "HOST"),
    *("DATABASE_REPLICA_URL", "TASKS_REDIS_URL"),
):
    os.environ.pop(_name, None)
os.environ["RIFFLE_VAR"] = str(CHOSEN.folder)
os.environ["DATABASE_URL"] = CHOSEN.database_url
os.environ["REDIS_URL"] = CHOSEN.redis_url

from config.settings import *  # noqa: E402, F403
from config.settings import MIDDLEWARE, REST_FRAMEWORK  # noqa: E402

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MIDDLEWARE = ["tests.support.no_streams.no_streams", *MIDDLEWARE]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# A task runs where it is sent from; tests with the fixture live_worker turn that off.
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
REST_FRAMEWORK = REST_FRAMEWORK | {
    "DEFAULT_THROTTLE_RATES": dict.fromkeys(REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "100000/min")
}
if not CHOSEN.has_redis:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
if CHOSEN.postgres:
    # Made ready once for all processes of the run; each copies it.
    DATABASES["default"]["TEST"] = {"TEMPLATE": "riffle"}  # noqa: F405
else:
    # A file instead of Django's database in memory: threads and other processes see it too.
    DATABASES["default"]["TEST"] = {"NAME": str(CHOSEN.folder / "test.sqlite3")}  # noqa: F405
    # To run all migrations takes a process six seconds; they come to the same tables
    # (tests/config/test_migrations.py), and on PostgreSQL they are run.
    from tests.support.from_models import MIGRATION_MODULES  # noqa: F401
