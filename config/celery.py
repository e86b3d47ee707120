"""The background worker's application; jobs are started by the tasks in decks.jobs.tasks."""

from __future__ import annotations

import os

from celery import Celery

from config.worker import file_messages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

file_messages.use()
app = Celery("ringside")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["decks.jobs"])
app.autodiscover_tasks(["decks", "tournament"])
