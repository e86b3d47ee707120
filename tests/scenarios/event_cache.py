"""Events that tests have in common, built once by each process.

Further requests get the same rows. To build an event by the services takes a hundred times as long as to
write its rows. Cached rows are written if the test has changed nothing else: in a transaction that is rolled
back, in a test that replaces neither code, settings nor time. `RINGSIDE_TEST_WHOLE=1` builds each event
again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

import time_machine
from django.db import connection, models

from tests import machine
from tests.fixtures import draws
from tests.fixtures.databases import filled_tables, first
from tests.fixtures.kept_rows import Tables, all_tables, keeper

Steps = tuple[Hashable, ...]
Make = Callable[[], models.Model]
# Fixtures whose tests may replace parts of an event, count statements, or keep what they write.
REPLACING = frozenset({"monkeypatch", "settings", "transactional_db", "django_assert_num_queries", "caplog"})


@dataclass(frozen=True, slots=True)
class Stood:
    """The content of the tables after some steps, and the effects of the last step.

    These are what it returned and changed in memory.
    """

    tables: Tables
    model: type[models.Model] | None = None
    pk: Any = None
    changed_values: dict[str, Any] = field(default_factory=dict)


class Memory:
    """The events that this process has built, and the current state of the database."""

    def __init__(self) -> None:
        self.events_by_steps: dict[Steps, Stood] = {}
        self.allowed = self.building = False
        self.mark: tuple[Any, ...] = ()
        self.steps: Steps = ()

    def begin(self, names: Iterable[str]) -> None:
        """Start a test with these fixtures."""
        self.allowed = not machine.whole() and REPLACING.isdisjoint(names)
        self.mark = ()

    def go_on(self, names: Iterable[str]) -> None:
        """Use fixtures that exist and have replaced nothing so far."""
        self.allowed = self.allowed and REPLACING.isdisjoint(names)

    def build_once(self, key: Hashable, make: Make, about: models.Model | None = None) -> Any:
        """Return what `make` returns, built now or as it was when it was.

        `about` is the row that it was given.
        """
        before = self._steps_until_now()
        if before is None:
            return make()
        after = (*before, key)
        if after in self.events_by_steps:
            return self._write(before, after, about)
        return self._build(after, make, about)

    def _steps_until_now(self) -> Steps | None:
        """Return the steps that led to the current state.

        Returns None if something else has been written, or nothing is cached.
        """
        if not self.allowed or self.building or not connection.in_atomic_block:
            return None
        if time_machine.escape_hatch.is_travelling():
            return None
        if self.mark == self._mark():
            return self.steps
        if filled_tables() != list(first):
            return None
        self.events_by_steps.setdefault((), Stood(all_tables()))
        return ()

    def _build(self, after: Steps, make: Make, about: models.Model | None) -> models.Model:
        attributes = dict(vars(about)) if about is not None else {}
        self.building = True
        draws.restart(repr(after))
        try:
            event = make()
        finally:
            self.building = False
        changed_tables = {
            name: value
            for name, value in (vars(about) if about is not None else {}).items()
            if name != "_state" and (name not in attributes or attributes[name] != value)
        }
        self.events_by_steps[after] = Stood(all_tables(), type(event), event.pk, changed_tables)
        self._stand(after)
        return event

    def _write(self, before: Steps, after: Steps, about: models.Model | None) -> Any:
        old, new = self.events_by_steps[before], self.events_by_steps[after]
        names = {*old.tables, *new.tables}
        keeper().fill(
            {name: rows for name in names if old.tables.get(name) != (rows := new.tables.get(name))}
        )
        if about is not None:
            vars(about).update(new.changed_values)
        self._stand(after)
        assert new.model is not None
        return new.model._default_manager.get(pk=new.pk)

    def _stand(self, steps: Steps) -> None:
        self.steps, self.mark = steps, self._mark()
        # What follows is drawn alike whether the event was built or written.
        draws.restart(f"after {steps}")

    @staticmethod
    def _mark() -> tuple[Any, ...]:
        """Return a value that changes with every write and rollback."""
        connection.ensure_connection()
        return (id(connection.connection), keeper().written_count(), tuple(connection.savepoint_ids))


memory = Memory()
