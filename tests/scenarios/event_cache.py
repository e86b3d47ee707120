"""Events that tests have in common, built once in a run.

Further requests get the same rows, on SQLite in every process of the run. To build an event by the services
takes a hundred times as long as to write its rows. Cached rows are written if nothing else has been written,
and neither code, settings nor time are replaced at that moment. `RINGSIDE_TEST_WHOLE=1` builds each event
again.

A cached event may be as old as the run. Each is built as an older one, so that a test which expects a new
event fails every time.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import time_machine
from django.db import connection, models, transaction

from tests import machine
from tests.fixtures import draws
from tests.fixtures.databases import filled_tables, first
from tests.fixtures.kept_rows import Rows, Tables, all_tables, keeper

Steps = tuple[Hashable, ...]
Mark = tuple[tuple[str, ...], int, tuple[int, ...]]
Make = Callable[[], models.Model]
# A test that reads log lines may ask for those of building an event.
READING = "caplog"
# Longer than any run of the suite.
AGE = timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Step:
    """What a step changed in tables and in memory, and what it returned."""

    tables: dict[str, Rows | None]
    model: type[models.Model]
    pk: Any
    changed_values: dict[str, Any]


class Memory:
    """The events that this process knows, and the current state of the database."""

    def __init__(self) -> None:
        self.tables_by_steps: dict[Steps, Tables] = {}
        self.last_step_by_steps: dict[Steps, Step] = {}
        self.allowed = False
        self.is_in_past = False
        self.replacements: list[Callable[[], bool]] = []
        self.mark: Mark | None = None
        self.steps: Steps = ()

    def begin(self, names: Iterable[str]) -> None:
        """Start a test with these fixtures."""
        self.allowed = not machine.whole() and READING not in names
        self.replacements.clear()
        self.mark = None

    def watch(self, has_replaced: Callable[[], bool]) -> None:
        """Ask this before each event whether the test has replaced something."""
        self.replacements.append(has_replaced)

    def build_once(self, key: Hashable, make: Make, about: models.Model | None = None) -> Any:
        """Return what `make` returns, built now or as it was when it was.

        `about` is the row that it was given.
        """
        before = self._steps_until_now()
        if before is None:
            return make()
        after = (*before, key)
        step = self._find(after)
        return self._write(step, after, about) if step else self._build(after, make, about)

    @contextmanager
    def unchanged_after(self) -> Iterator[None]:
        """Know that the state at the end is that at the beginning."""
        steps = self._steps_until_now()
        try:
            yield
        finally:
            if steps is not None:
                self.steps, self.mark = steps, _mark()

    def _steps_until_now(self) -> Steps | None:
        """Return the steps that led to the current state.

        Returns None if something else has been written, or nothing is cached.
        """
        if not self.allowed or self._is_special():
            return None
        if self._is_at_mark():
            return self.steps
        if filled_tables() != list(first):
            return None
        if () not in self.tables_by_steps:
            self.tables_by_steps[()] = all_tables()
        self.steps, self.mark = (), _mark()
        return ()

    def _is_special(self) -> bool:
        """Return whether something is replaced or counted, or others may write at once."""
        return (
            (connection.vendor != "sqlite" and not connection.in_atomic_block)
            or connection.force_debug_cursor
            or self._is_time_replaced()
            or any(has_replaced() for has_replaced in self.replacements)
        )

    def _is_time_replaced(self) -> bool:
        """Return whether a test, or an event that is being built, sets the time."""
        if not self.is_in_past:
            return time_machine.escape_hatch.is_travelling()
        offset = time_machine.escape_hatch.time.time() - time.time()
        return abs(offset - AGE.total_seconds()) > 1

    def _find(self, steps: Steps) -> Step | None:
        """Return the last of these steps if a process of this run has taken them."""
        if steps not in self.last_step_by_steps and (file := _file_of(steps)).exists():
            self._keep(steps, pickle.loads(file.read_bytes()))
        return self.last_step_by_steps.get(steps)

    def _keep(self, steps: Steps, step: Step) -> None:
        tables = {**self.tables_by_steps[steps[:-1]], **step.tables}
        self.tables_by_steps[steps] = {name: rows for name, rows in tables.items() if rows}
        self.last_step_by_steps[steps] = step

    def _build(self, after: Steps, make: Make, about: models.Model | None) -> models.Model:
        attributes = dict(vars(about)) if about is not None else {}
        draws.restart(repr(after))
        with self._in_past():
            event = make()
        changed_values = {
            name: value
            for name, value in (vars(about) if about is not None else {}).items()
            if name != "_state" and (name not in attributes or attributes[name] != value)
        }
        changed_tables = _difference(self.tables_by_steps[after[:-1]], all_tables())
        step = Step(changed_tables, type(event), event.pk, changed_values)
        self._keep(after, step)
        _share(after, step)
        self._stand(after)
        return event

    @contextmanager
    def _in_past(self) -> Iterator[None]:
        """Make what happens in the `with` block happen some time ago."""
        if self.is_in_past:
            yield
            return
        with time_machine.travel(datetime.now(UTC) - AGE):
            self.is_in_past = True
            try:
                yield
            finally:
                self.is_in_past = False

    def _write(self, step: Step, after: Steps, about: models.Model | None) -> Any:
        with _together():
            keeper().fill(step.tables)
        if about is not None:
            vars(about).update(step.changed_values)
        self._stand(after)
        return step.model._default_manager.get(pk=step.pk)

    def _stand(self, steps: Steps) -> None:
        self.steps, self.mark = steps, _mark()
        # What follows is drawn alike whether the event was built or written.
        draws.restart(f"after {steps}")

    def _is_at_mark(self) -> bool:
        """Return whether nothing was written or rolled back since the mark."""
        if self.mark is None:
            return False
        (savepoints, *values), (old_savepoints, *old_values) = _mark(), self.mark
        return values == old_values and savepoints[: len(old_savepoints)] == old_savepoints


def _mark() -> Mark:
    """Return a value that changes with every write and rollback."""
    connection.ensure_connection()
    return (tuple(connection.savepoint_ids), id(connection.connection), keeper().written_counts())


def _difference(old: Tables, new: Tables) -> dict[str, Rows | None]:
    return {name: new.get(name) for name in {*old, *new} if old.get(name) != new.get(name)}


def _together() -> AbstractContextManager[Any]:
    """Return a transaction if there is none.

    A row may come before the row that it refers to.
    """
    return nullcontext() if connection.in_atomic_block else transaction.atomic()


def _file_of(steps: Steps) -> Path:
    """Return the file in which the processes of this run share an event.

    PostgreSQL counts ids apart from the rows, so that a process there takes rows of its own alone.
    """
    owner = "" if machine.on_sqlite() else f"{os.getpid()}-"
    return machine.folder() / f"event-{owner}{hashlib.sha256(repr(steps).encode()).hexdigest()}.pickle"


def _share(steps: Steps, step: Step) -> None:
    """Write the file of an event, unless another process has written it."""
    file = _file_of(steps)
    own = file.with_suffix(f".{os.getpid()}")
    own.write_bytes(pickle.dumps(step))
    with suppress(FileExistsError):
        file.hardlink_to(own)
    own.unlink()


memory = Memory()
