"""What the database itself holds about editions of lists: a published one is never changed.

Django's constraints can only look at a row as it is, not at what it was; triggers can. SQLite loses the
triggers of a table that a migration builds anew: such a migration ends with `keep_published`.
"""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE = "decks_listedition"
SENTENCE = "A published edition is never changed"

SQLITE = (
    f"""CREATE TRIGGER IF NOT EXISTS published_editions_stay BEFORE UPDATE ON {TABLE}
WHEN OLD.state = 'published' BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END""",
)
POSTGRESQL = (
    f"""CREATE OR REPLACE FUNCTION published_editions_stay() RETURNS trigger AS $$ BEGIN
RAISE EXCEPTION '{SENTENCE}' USING ERRCODE = 'integrity_constraint_violation'; END $$ LANGUAGE plpgsql""",
    f"""CREATE OR REPLACE TRIGGER published_editions_stay BEFORE UPDATE ON {TABLE}
FOR EACH ROW WHEN (OLD.state = 'published') EXECUTE FUNCTION published_editions_stay()""",
)


def keep_published(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the database refuse every change of a published edition; safe to run again."""
    vendor = schema_editor.connection.vendor
    for statement in {"sqlite": SQLITE, "postgresql": POSTGRESQL}.get(vendor, ()):
        # No parameters, so that a percent sign would be none either.
        schema_editor.execute(statement, params=None)


def release_published(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again, before the table goes."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP TRIGGER IF EXISTS published_editions_stay ON {TABLE}", params=None)
        schema_editor.execute("DROP FUNCTION IF EXISTS published_editions_stay()", params=None)
    else:
        schema_editor.execute("DROP TRIGGER IF EXISTS published_editions_stay", params=None)
