"""Move the tables of a test to an older state and back."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import StateApps


def migrate(app: str, migration: str) -> StateApps:
    """Bring an app's tables to the state after a migration.

    Returns the models as they were then.
    """
    target = [(app, migration)]
    single_steps().migrate(target)
    return single_steps().loader.project_state(target).apps


def migrate_to_newest() -> None:
    """Bring all tables to the state of the program."""
    executor = single_steps()
    executor.migrate(executor.loader.graph.leaf_nodes())


def single_steps() -> MigrationExecutor:
    """Return an executor that migrates one step at a time.

    A squashed migration knows no state in between.
    """
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    return executor
