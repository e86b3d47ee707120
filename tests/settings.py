"""The settings of the tests.

They use nothing of the machine's own configuration, and a database in a temporary folder.
"""

from __future__ import annotations

from tests import machine

machine.prepare()

from config.settings import *  # noqa: E402, F403 - the environment has to be prepared first
from config.settings import DATABASES  # noqa: E402

if machine.on_sqlite():
    # Rows of tests need not outlive a power cut. Durability is tested with killed servers.
    options = DATABASES["default"]["OPTIONS"]
    options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    # Tests ask more than the pages of an event. Each wide statement that is kept takes up to 55 KB, which a
    # server would spend in each of its threads.
    options["cached_statements"] = 2000

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
# As in a venue: a page of styles and scripts is fetched once by each phone, not once per page.
WHITENOISE_AUTOREFRESH = False
WHITENOISE_MAX_AGE = 3600
ALLOWED_HOSTS = ["*"]
# All tests come from one network address. Those of the limit set their own.
WORK_SECONDS = 0
# The duration of indexing depends on how busy the machine is.
SLOW_INDEX_SECONDS = 3600
