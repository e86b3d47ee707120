"""The tables that migrations make.

They are those of the models, by the squashed migrations as by the steps that they replace.
"""

from __future__ import annotations

from django.apps import apps
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

OURS = {"decks", "tournament"}


def test_no_model_has_changed_since_the_newest_migration() -> None:
    loader = MigrationLoader(None)
    changes = differences(loader, loader.project_state(), ProjectState.from_apps(apps))
    assert {app: changes.get(app) for app in OURS} == dict.fromkeys(OURS)


def test_squashed_migrations_make_the_tables_of_their_steps() -> None:
    loader = MigrationLoader(None, replace_migrations=False)
    changes = {
        key[0]: differences(loader, loader.project_state(squashed.replaces[-1]), loader.project_state(key))
        for key, squashed in loader.replacements.items()
    }
    # Steps of one app may depend on older steps of the other.
    assert {app: changes[app].get(app) for app in OURS} == dict.fromkeys(OURS)


def differences(loader: MigrationLoader, old: ProjectState, new: ProjectState) -> dict[str, list[str]]:
    """Return the operations from one state of the tables to another, by app."""
    changes = MigrationAutodetector(old, new).changes(graph=loader.graph)
    return {
        app: [operation.describe() for migration in migrations for operation in migration.operations]
        for app, migrations in changes.items()
    }
