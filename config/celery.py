"""The background worker's application; jobs are started by the tasks in decks.jobs.tasks."""

from __future__ import annotations

import os

from celery import Celery

from config import message_files

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

message_files.use()
app = Celery("ringside")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["decks.jobs"])
app.autodiscover_tasks(["decks", "tournament"])
