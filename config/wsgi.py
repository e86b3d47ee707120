"""Pages through WSGI, for servers with many processes.

Live streams then come from config.live.server.
"""

from __future__ import annotations

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.env.private_files import keep_new_files_private, make_data_private
from config.serving.garbage import exempt_loaded_code

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
keep_new_files_private()

application = get_wsgi_application()
make_data_private(settings.DATA_DIR, settings.DATABASES["default"])
exempt_loaded_code()
