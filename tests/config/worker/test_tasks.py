"""Every job and every task is found in every room.

Rows and schedules of running installations hold these names: a name may be added, none may change.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from django.conf import settings

JOB_KINDS = {
    "import_players",
    "mail_list_notices",
    "mail_moved_up",
    "mail_private_link",
    "mail_requested_link",
    "plan_recheck",
    "print_league",
    "print_sheet",
    "read_catalogue_file",
    "recheck_part",
    "send-player-news",
    "tell_of_recheck",
    "warm_round",
    "would_break",
    "write_catalogue_file",
}
TASKS = {
    "decks.forget_imports",
    "decks.forget_jobs",
    "decks.run_job",
    "decks.sweep_jobs",
    "tournament.call_hidden_ends",
    "tournament.forget_subscriptions",
    "tournament.queue_news",
}
# A process of its own: other tests import tasks, and so would register them here.
PROGRAM = """
import json
import django
django.setup()
from celery import current_app
from decks.jobs import handlers
handlers.get_handler("print_sheet")
tasks = [name for name in current_app.tasks if not name.startswith("celery.")]
print(json.dumps({"kinds": list(handlers._handlers), "tasks": tasks}))
"""


@pytest.fixture(scope="module")
def registered() -> dict[str, set[str]]:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    return {name: set(task_names) for name, task_names in json.loads(ran.stdout.splitlines()[-1]).items()}


def test_job_kinds_after_setup_are_all_registered(registered: dict[str, set[str]]) -> None:
    assert registered["kinds"] == JOB_KINDS


def test_celery_tasks_after_setup_are_all_registered(registered: dict[str, set[str]]) -> None:
    assert registered["tasks"] == TASKS


def test_schedule_names_only_registered_tasks(registered: dict[str, set[str]]) -> None:
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= registered["tasks"]
