"""Everything in one process: pages by Django, live streams by a handler in front."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

# Only now are the models there that pages and live streams read.
from django.conf import settings  # noqa: E402 - the settings have to be named first

from config.live.event_streams import LiveStreams  # noqa: E402 - the settings have to be named first
from config.live.watcher import VersionWatcher  # noqa: E402 - the settings have to be named first
from config.serving.threads import Pages  # noqa: E402 - the settings have to be named first

pages = Pages()


def make_application() -> LiveStreams:
    """Create an application with its own watcher, for one server."""
    watcher = VersionWatcher(give_way=pages.give_way)
    return LiveStreams(pages, at_most=settings.LIVE_STREAMS_MAX, watcher=watcher)


application = make_application()
