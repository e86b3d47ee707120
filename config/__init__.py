"""Project configuration: settings, URLs, server, worker and live updates."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
