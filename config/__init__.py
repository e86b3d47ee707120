"""How the house is wired: settings, addresses, servers, worker and live changes."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
