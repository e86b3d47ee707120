"""`manage.py gather_static`: collect, name and compress the static files.

Files are named by their content.
"""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

MANIFEST = "config.serving.static.GzipManifestStorage"
# The API answers with JSON alone, so that the files of its browsable pages are never requested. Of scripts
# that others made, the administration requests the shortened ones.
UNUSED = ["rest_framework/*", "django_htmx/ext/*", "*.map", "jquery.js", "select2.full.js", "xregexp.js"]


class Command(BaseCommand):
    """Gather static files in the data folder; servers started afterwards send these."""

    help = "Collect the static files, add a hash to each name, and compress them."

    def handle(self, *args: Any, **options: Any) -> None:
        """Collect the static files with the storage that is named here.

        The settings name it only once a manifest exists.
        """
        settings.STORAGES = {
            **settings.STORAGES,
            "staticfiles": {**settings.STORAGES["staticfiles"], "BACKEND": MANIFEST},
        }
        if not settings.STATIC_ROOT.is_relative_to(settings.DATA_DIR):
            # Outside the data folder they are for another web server, which runs as another user.
            os.umask(0o022)
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED)
        self.stdout.write(f"Static files: {settings.STATIC_ROOT}")
