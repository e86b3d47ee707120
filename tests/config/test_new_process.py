"""A new process finds every job and task, and collects garbage rarely.

Rows and schedules of running installations hold the names of jobs and tasks: a name may be added, none may
change.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

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
import gc
import json
import config
thresholds = [gc.get_threshold()]
import django
django.setup()
from celery import current_app
from decks.jobs import handlers
handlers.get_handler("print_sheet")
kinds = list(handlers._handlers)
tasks = [name for name in current_app.tasks if not name.startswith("celery.")]
# It loads every page, and with them what they import.
import config.wsgi
thresholds.append(gc.get_threshold())
is_loaded_code_left_out = gc.get_freeze_count() > 100_000
names = ("kinds", "tasks", "thresholds", "is_loaded_code_left_out")
print(json.dumps({name: globals()[name] for name in names}))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what a new process says of itself."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "RINGSIDE_DATA_DIR": str(tmp_path_factory.mktemp("data")),
    }
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    return dict(json.loads(ran.stdout.splitlines()[-1]))


def test_job_kinds_after_setup_are_all_registered(answers: dict[str, Any]) -> None:
    assert set(answers["kinds"]) == JOB_KINDS


def test_celery_tasks_after_setup_are_all_registered(answers: dict[str, Any]) -> None:
    assert set(answers["tasks"]) == TASKS


def test_schedule_names_only_registered_tasks(answers: dict[str, Any]) -> None:
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(answers["tasks"])


def test_searches_for_garbage_are_rare_from_the_start_and_leave_loaded_code_out(
    answers: dict[str, Any],
) -> None:
    assert (answers["thresholds"], answers["is_loaded_code_left_out"]) == ([[20000, 20, 20]] * 2, True)
